package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpRequestTest {
    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void a_path_that_leaves_its_place_is_refused(String segment) {
        List<String> path = List.of("api", segment, "secrets");

        assertThatThrownBy(() -> HttpRequest.get(path, Map.of(), "reading"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + segment + "'");
    }

    @Test
    void the_query_keeps_its_order() {
        Map<String, String> query = new LinkedHashMap<>();
        List.of("limit", "continue", "fieldSelector", "watch", "a", "b").forEach(key -> query.put(key, "1"));

        assertThat(HttpRequest.get(List.of("api"), query, "reading a list")
                        .query()
                        .keySet())
                .containsExactlyElementsOf(query.keySet());
    }
}
