package dev.fairlead.adapter.k8s.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.http.Json;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IntentPagesTest {
    @Test
    void intents_as_long_as_they_may_be_are_listed_whatever_their_letters_are() {
        try (FakeApiServer server = FakeApiServer.plain()) {
            for (int i = 0; i < 12; i++) {
                String name = "fairlead-affinity-" + i;
                JsonObject map = Json.object("{\"metadata\": {\"name\": \"" + name + "\"}, \"data\": {}}")
                        .orElseThrow();
                Json.child(map, "data").addProperty("original", "€".repeat(89_000));
                server.put("/api/v1/namespaces/storage/configmaps/" + name, map);
            }

            assertThat(new IntentStore(server.client(), "storage", Duration.ofSeconds(20)).all())
                    .hasSize(12);
        }
    }
}
