package dev.fairlead.domain.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeIdTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pvc-1",
                "pvc-1@snap",
                "pvc-1/snap",
                "snapshot_driver=filecopy&snapshot_id=pvc-1-sn",
                "a%3Ab+c",
                "...",
                "a..b",
                "_x",
                "a:b,c~d"
            })
    void ids_that_backends_give_are_ids(String value) {
        assertThat(new NativeId(value).value()).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "../a", "a/..", "a/../b", "./a", "a/./b", "a b", "a;b", "a\0", "a\nb", "ä", "$a"})
    void what_leads_out_of_a_folder_or_means_something_to_a_shell_is_none(String value) {
        assertThat(NativeId.isValid(value)).isFalse();
        assertThat(NativeId.read(value)).isEmpty();
        assertThatThrownBy(() -> new NativeId(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void exactly_the_named_characters_are_allowed() {
        String allowed = IntStream.rangeClosed(0, 0xFFFF)
                .filter(c -> NativeId.isValid("a" + (char) c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();

        assertThat(allowed).isEqualTo("%&+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");
    }

    @Test
    void long_ids_of_peers_are_accepted_within_bounds() {
        assertThat(NativeId.isValid("a".repeat(512))).isTrue();
        assertThat(NativeId.isValid("a".repeat(513))).isFalse();
    }

    @Test
    void a_refusal_never_repeats_the_id() {
        assertThatThrownBy(() -> new NativeId("a\nb")).message().doesNotContain("a\nb");
    }
}
