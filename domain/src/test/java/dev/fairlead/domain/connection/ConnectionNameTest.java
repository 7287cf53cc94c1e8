package dev.fairlead.domain.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionNameTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "nas-1", "example.com_x", "0", "A..b", "_nas", "-nas", "-", "a.yaml"})
    void a_file_name_without_surprises_is_a_name(String name) {
        assertThat(new ConnectionName(name).value()).isEqualTo(name);
        assertThat(ConnectionName.isValid(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", "../px", ".hidden", "..data", "a/b", "a\\b", "a b", "a\n", "ä", "a\0", "a:b"})
    void other_texts_are_none(String name) {
        assertThat(ConnectionName.isValid(name)).isFalse();
        assertThatThrownBy(() -> new ConnectionName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_name_is_as_long_as_a_file_of_it_can_be() {
        assertThat(ConnectionName.isValid("a".repeat(250))).isTrue();
        assertThat(ConnectionName.isValid("a".repeat(251))).isFalse();
    }

    @Test
    void a_refusal_prints_no_control_characters_and_is_short() {
        assertThatThrownBy(() -> new ConnectionName("\u001b[31m" + "x".repeat(10_000)))
                .message()
                .doesNotContain("\u001b")
                .hasSizeLessThan(300);
    }

    @Property
    void no_name_leaves_its_folder(@ForAll String text) {
        if (ConnectionName.isValid(text)) {
            Path file = Path.of("/connections", text + ".yaml").normalize();

            assertThat(file.getParent()).isEqualTo(Path.of("/connections"));
        }
    }

    @Test
    void the_only_connection_of_a_driver_file_has_a_name() {
        assertThat(ConnectionName.SINGLE).isEqualTo(new ConnectionName("default"));
    }
}
