package dev.fairlead.adapter.linstor.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.Trust;
import dev.fairlead.linstor.LinstorSimulator;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of streams of events that are as they should be, and of those that are not. */
class LinstorEventsTest {
    private static final String NODES = "GET /v1/events/nodes";
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Backoff SOON = new Backoff(Duration.ofMillis(20), Duration.ofMillis(100));

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> hints = new CopyOnWriteArrayList<>();
    private LinstorSimulator simulator;
    private Controllers controllers;
    private @Nullable LinstorEvents events;

    @BeforeEach
    void up() throws Exception {
        simulator = LinstorSimulator.start(folder, 0, 0, 0);
        controllers = new Controllers(
                List.of(simulator.url()),
                uri -> new HttpSettings(
                        uri, new Trust.SystemRoots(), Optional.empty(), Optional.empty(), "test", 1 << 20));
        call("POST", "/v1/nodes", "{\"name\": \"node-1\"}");
        call("POST", "/v1/nodes", "{\"name\": \"node-2\"}");
    }

    @AfterEach
    void down() {
        LinstorEvents listening = events;
        if (listening != null) listening.close();
        controllers.close();
        simulator.close();
    }

    @Test
    void events_in_any_order_hint_alike() {
        listen(Duration.ofMinutes(1));
        simulator.order("disorder");

        change("node-1");
        change("node-2");

        assertThat(eventually(() -> hints.size() == 2)).isTrue();
        assertThat(hints).containsOnly("any");
    }

    @Test
    void a_silent_stream_is_opened_anew_and_what_it_may_have_missed_is_hinted_at() {
        fault("nothing", 1);
        listen(LONGEST);
        change("node-1");

        assertThat(eventually(() -> hints.contains("any"))).isTrue();
        assertThat(eventually(() -> streams() >= 2)).isTrue();
        hints.clear();
        change("node-2");
        assertThat(eventually(() -> hints.contains("any"))).isTrue();
    }

    @Test
    void half_an_event_is_none_and_the_next_stream_goes_on() {
        fault("half-text", 1);
        listen(Duration.ofMinutes(1));
        change("node-1");
        assertThat(eventually(() -> streams() == 2 && simulator.listening() == 2))
                .isTrue();

        change("node-2");

        assertThat(eventually(() -> hints.contains("any"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"html", "missing", "wordless", "cut"})
    void streams_that_never_come_about_are_tried_again_and_hint_at_nothing(String kind) {
        fault(kind, 3);
        listen(Duration.ofMinutes(1));

        assertThat(eventually(() -> streams() == 4)).isTrue();
        assertThat(hints).isEmpty();
        change("node-1");
        assertThat(eventually(() -> hints.contains("any"))).isTrue();
    }

    @Test
    void a_promotion_that_ends_has_no_flag_and_hints_at_each_volume_of_its_resource() throws Exception {
        LinstorEvents made = new LinstorEvents(controllers, Thread.ofVirtual().factory(), Duration.ofMinutes(1), SOON);
        events = made;
        made.know(List.of(new LinstorHandle("vol-1", 0), new LinstorHandle("vol-1", 3)), Optional.empty());
        // A reading of a few others shows that the resource is there.
        made.know(List.of(other(), new LinstorHandle("gone", 1)), Optional.of(Set.of("vol-1", "other")));
        made.listen(collected());
        assertThat(eventually(() -> simulator.listening() == 2)).isTrue();

        call("POST", "/v1/nodes/node-1/storage-pools", "{\"storage_pool_name\": \"p\", \"provider_kind\": \"FILE\"}");
        call("POST", "/v1/resource-groups", "{\"name\": \"g\", \"select_filter\": {\"layer_stack\": [\"DRBD\"]}}");
        call(
                "POST",
                "/v1/resource-definitions",
                "{\"resource_definition\": {\"name\": \"vol-1\", \"resource_group_name\": \"g\"}}");
        call("POST", "/v1/resource-definitions/vol-1/autoplace", "{\"select_filter\": {\"place_count\": 1}}");
        assertThat(eventually(() -> hints.containsAll(List.of("vol-1", "vol-1/0", "vol-1/3"))))
                .isTrue();
        hints.clear();
        call("DELETE", "/v1/resource-definitions/vol-1", "");

        assertThat(eventually(() -> hints.containsAll(List.of("vol-1", "vol-1/0", "vol-1/3"))))
                .isTrue();
        assertThat(hints).doesNotContain("other/0");
    }

    private static LinstorHandle other() {
        return new LinstorHandle("other", 0);
    }

    private void listen(Duration longest) {
        LinstorEvents made = new LinstorEvents(controllers, Thread.ofVirtual().factory(), longest, SOON);
        events = made;
        made.listen(collected());
        assertThat(eventually(() -> simulator.listening() == 2)).isTrue();
    }

    private PlacementHints collected() {
        return new PlacementHints() {
            @Override
            public void moved(String handle) {
                hints.add(handle);
            }

            @Override
            public void anyMoved() {
                hints.add("any");
            }
        };
    }

    private void fault(String kind, int times) {
        simulator.fault("{\"kind\": \"%s\", \"on\": \"%s\", \"times\": %d}".formatted(kind, NODES, times));
    }

    private long streams() {
        return simulator.calls().stream().filter(NODES::equals).count();
    }

    private void change(String node) {
        try {
            call("PUT", "/v1/nodes/" + node, "{\"override_props\": {\"Aux/x\": \"1\"}}");
        } catch (java.io.IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void call(String method, String path, String body) throws java.io.IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(simulator.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        http.send(request, HttpResponse.BodyHandlers.discarding());
    }

    private static boolean eventually(BooleanSupplier holds) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (System.nanoTime() < end) {
            if (holds.getAsBoolean()) return true;
            pause(10);
        }
        return false;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
