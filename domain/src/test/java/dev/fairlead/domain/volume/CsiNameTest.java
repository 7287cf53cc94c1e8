package dev.fairlead.domain.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsiNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"pvc-1", "a b", "ä€😀", "a\tb\nc\r", "../..", "'; drop"})
    void a_name_is_almost_any_text(String value) {
        assertThat(new CsiName(value).value()).isEqualTo(value);
    }

    @Test
    void exactly_the_control_characters_of_the_spec_are_banned() {
        List<Integer> banned = IntStream.rangeClosed(0, 0xFF)
                .filter(c -> refused("a" + (char) c))
                .boxed()
                .toList();

        List<Integer> expected = IntStream.concat(
                        IntStream.rangeClosed(0, 0x1F).filter(c -> c != 0x09 && c != 0x0A && c != 0x0D),
                        IntStream.rangeClosed(0x7F, 0x9F))
                .boxed()
                .toList();
        assertThat(banned).isEqualTo(expected);
        assertThat(refused("a\uD800")).isTrue();
    }

    @Test
    void a_name_has_1_to_128_bytes() {
        assertThat(refused("")).isTrue();
        assertThat(refused("a".repeat(128))).isFalse();
        assertThat(refused("a".repeat(129))).isTrue();
        assertThat(refused("ä".repeat(64))).isFalse();
        assertThat(refused("ä".repeat(65))).isTrue();
    }

    @Test
    void what_was_written_by_another_and_is_no_name_is_read_as_none() {
        assertThat(CsiName.read("pvc-1")).contains(new CsiName("pvc-1"));
        assertThat(List.of("", "€".repeat(60), "a\u0007"))
                .allSatisfy(text -> assertThat(CsiName.read(text)).isEmpty());
    }

    @Test
    void a_refusal_is_the_callers_fault_and_names_the_field() {
        assertThatThrownBy(() -> new CsiName("a\u0007"))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContainingAll("name", "U+0007");
    }

    private static boolean refused(String value) {
        try {
            return new CsiName(value).value().isEmpty();
        } catch (StorageException refused) {
            return true;
        }
    }
}
