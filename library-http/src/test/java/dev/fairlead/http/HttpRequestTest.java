package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
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
}
