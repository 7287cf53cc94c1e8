package dev.fairlead.adapter.k8s.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApiPagesTest {
    private static final List<String> KIND = List.of("api", "v1", "persistentvolumes");

    private final FakeApiServer server = FakeApiServer.plain();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void pages_that_are_too_long_to_be_read_are_asked_for_with_fewer_objects() {
        IntStream.range(0, 60).forEach(i -> put("pv-%02d".formatted(i), i < 50 ? 1_000 : 120_000));

        assertThat(names()).hasSize(60).doesNotHaveDuplicates();
        assertThat(server.queries())
                .filteredOn(query -> query.contains("limit"))
                .containsExactly(
                        "limit=50",
                        "limit=50&continue=50",
                        "limit=12&continue=50",
                        "limit=3&continue=50",
                        "limit=3&continue=53",
                        "limit=3&continue=56",
                        "limit=3&continue=59");
    }

    @Test
    void an_object_that_is_too_long_by_itself_is_told() {
        put("pv-1", 1_000);
        put("pv-2", 2_000_000);

        assertThatThrownBy(this::names)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("more than 1048576 bytes");
    }

    private void put(String name, int characters) {
        JsonObject object = Json.object("{\"metadata\": {\"name\": \"" + name + "\", \"annotations\": {}}}")
                .orElseThrow();
        Json.child(Json.child(object, "metadata"), "annotations").addProperty("long", "x".repeat(characters));
        server.put("/api/v1/persistentvolumes/" + name, object);
    }

    private List<String> names() {
        return new ApiPages(server.client(), Duration.ofSeconds(20))
                .list(
                        KIND,
                        "listing them",
                        object -> Optional.of(Json.text(Json.child(object, "metadata"), "name")
                                .orElse("")))
                .orElseThrow()
                .taken();
    }
}
