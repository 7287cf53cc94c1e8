package dev.fairlead.domain.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MountOptionsTest {
    private static final String CONTEXT = "context=\"system_u:object_r:container_file_t:s0:c1,c2\"";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "ro,noatime | ro noatime",
                ",,ro,, | ro",
                "context=\"x,suid\" | context=\"x,suid\"",
                "ro,context=\"a,b\",suid | ro context=\"a,b\" suid",
                "a\"b,c\"d,e | a\"b,c\"d e",
                "a=\"\",b | a=\"\" b"
            })
    void only_commas_outside_quotes_divide(String text, String options) {
        assertThat(MountOptions.split(text)).containsExactly(options.split(" ", -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=\"b", "\"", "secret=hunter2\",ro", "a=\"b\",c=\"d"})
    void a_quote_that_is_not_closed_is_refused_and_the_text_not_shown(String text) {
        assertThatThrownBy(() -> MountOptions.of("secrets.mount_flags", List.of("ro", text)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        it -> assertThat(it.failure()).isInstanceOf(Failure.InvalidRequest.class))
                .hasMessageContaining("secrets.mount_flags")
                .hasMessageContaining("quotes in pairs")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void items_of_a_list_are_divided_each_by_itself() {
        assertThat(MountOptions.of("f", List.of("ro," + CONTEXT, "", "c2"))).containsExactly("ro", CONTEXT, "c2");
        assertThatThrownBy(() -> MountOptions.of("f", List.of("a=\"b", "c\""))).isInstanceOf(StorageException.class);
    }

    @Test
    void what_the_kernel_shows_is_read_whatever_its_quotes() {
        assertThat(MountOptions.shown("rw," + CONTEXT + ",seclabel")).containsExactly("rw", CONTEXT, "seclabel");
        assertThat(MountOptions.shown("rw,lowerdir=/a\"b,ro")).containsExactly("rw", "lowerdir=/a\"b", "ro");
    }

    @Property
    void joined_again_it_is_the_same(
            @ForAll @Size(max = 20) List<@CharRange(from = 'a', to = 'c') @Chars({',', '"', '='}) Character> letters) {
        StringBuilder text = new StringBuilder();
        letters.forEach(text::append);
        if (letters.stream().filter(it -> it == '"').count() % 2 != 0) {
            text.append('"');
        }

        List<String> options = MountOptions.split(text.toString());

        assertThat(MountOptions.split(String.join(",", options))).isEqualTo(options);
        assertThat(options)
                .allSatisfy(option -> assertThat(MountOptions.split(option)).containsExactly(option));
    }

    @Test
    void a_quote_in_a_password_divides_nothing_and_needs_no_other() {
        assertThat(MountOptions.split("vers=3.0,username=u\"x,password=a\"b,context=\"a:b:c:s0:c1,c2\",ro"))
                .containsExactly("vers=3.0", "username=u\"x", "password=a\"b", "context=\"a:b:c:s0:c1,c2\"", "ro");
    }
}
