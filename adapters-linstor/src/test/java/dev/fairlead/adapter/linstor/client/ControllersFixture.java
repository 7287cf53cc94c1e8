package dev.fairlead.adapter.linstor.client;

import dev.fairlead.http.Credential;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.Json;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;

/** A played controller of LINSTOR, and how it is asked. */
abstract class ControllersFixture {
    static final Duration SHORT = Duration.ofSeconds(20);

    static LinstorList<String> names() {
        return new LinstorList<>(
                List.of("v1", "nodes"),
                Set.of("name"),
                "listing",
                node -> Json.text(node, "name").orElseThrow());
    }

    static List<?> nodes(Controllers controllers) {
        return controllers.list(List.of("v1", "nodes"), Map.of(), "listing nodes");
    }

    static Function<URI, HttpSettings> plain(Optional<Credential> credential) {
        return uri -> new HttpSettings(uri, new Trust.SystemRoots(), Optional.empty(), credential, "test", 1 << 20);
    }

    static MockWebServer started() throws IOException {
        MockWebServer server = new MockWebServer();
        server.start();
        return server;
    }

    static URI address(MockWebServer server) {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    static MockResponse list() {
        return json(200, "[]");
    }

    static MockResponse json(int status, String text) {
        return new MockResponse.Builder()
                .code(status)
                .addHeader("Content-Type", "application/json")
                .body(text)
                .build();
    }
}
