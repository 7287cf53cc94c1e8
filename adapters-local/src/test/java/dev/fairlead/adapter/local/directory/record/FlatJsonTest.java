package dev.fairlead.adapter.local.directory.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.base.FlatJson;
import dev.fairlead.testkit.HostileInput;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlatJsonTest {
    @Property(tries = 200)
    void what_was_written_is_read(@ForAll Map<String, String> fields) {
        String text = FlatJson.format(new TreeMap<>(fields));

        assertThat(FlatJson.parse(text)).isEqualTo(fields);
    }

    @Property(tries = 200)
    void what_is_cut_short_is_refused(@ForAll Map<String, String> fields, @ForAll double part) {
        String text = FlatJson.format(new TreeMap<>(fields)).strip();
        int length = (int) (Math.abs(part) % 1 * text.length());

        assertThatThrownBy(() -> FlatJson.parse(text.substring(0, length)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_others_write_in_json_is_read_too() {
        String text = "\r\n{\t\"a\\u0041\\n\" : \"\\/\\\"\\\\\\b\\f\\r\\t\" ,\"é\":\"\\ud835\\udd4f\"}\n ";

        assertThat(FlatJson.parse(text)).isEqualTo(Map.of("aA\n", "/\"\\\b\f\r\t", "é", "𝕏"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}x",
                "{\"a\":1}",
                "{\"a\":null}",
                "{\"a\":{}}",
                "{\"a\":\"b\",}",
                "{\"a\":\"b\",\"a\":\"c\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"line\nbreak\"}",
                "{a:\"b\"}",
                "[]"
            })
    void anything_else_is_refused(String text) {
        assertThatThrownBy(() -> FlatJson.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void hostile_text_is_refused_or_read_and_never_crashes() {
        HostileInput.texts().forEach(text -> {
            assertThat(FlatJson.parse(FlatJson.format(new TreeMap<>(Map.of(text, text)))))
                    .containsExactly(Map.entry(text, text));
            assertThatThrownBy(() -> FlatJson.parse("{\"" + text + "\":")).isInstanceOf(IllegalArgumentException.class);
        });
    }
}
