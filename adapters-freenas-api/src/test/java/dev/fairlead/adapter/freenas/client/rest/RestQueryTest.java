package dev.fairlead.adapter.freenas.client.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestQueryTest {
    @ParameterizedTest
    @CsvSource({
        "path, =, /mnt/a, path, /mnt/a",
        "name, =, 12, name__regex, ^12$",
        "name, ^, 12, name__regex, ^12",
        "name, $, TRUE, name__regex, .*TRUE$",
        "name, C=, a.B, name__regex, (?i)^a\\.B$",
        "name, C=, 12, name__regex, (?i)^12$",
        "paths, rin, /mnt/a, paths__rin, /mnt/a",
        "id, >, tank/a, id__gt, tank/a",
    })
    void a_text_is_compared(String field, String operator, String value, String key, String expected) {
        assertThat(query(ApiQuery.all().where(field, operator, new JsonPrimitive(value))))
                .containsExactly(Map.entry(key, expected));
    }

    @Test
    void what_rest_cannot_say_is_refused() {
        var value = new JsonPrimitive("a");

        assertThatThrownBy(() -> query(ApiQuery.all().where("name", "C^", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("C^");
        assertThatThrownBy(() -> query(ApiQuery.of("name", "a").where("name", "=", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two");
    }

    private static Map<String, String> query(ApiQuery query) {
        return RestQuery.of(ApiCall.query(ApiCollection.DATASET, query).arguments());
    }
}
