package dev.fairlead.adapter.k8s.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectFeedTest {
    private static final List<String> KIND = List.of("api", "v1", "persistentvolumes");
    private static final Duration SECONDS = Duration.ofSeconds(20);

    private final FakeApiServer server = FakeApiServer.plain();
    private final List<String> changed = new ArrayList<>();
    private final ObjectFeed<String> feed = feed(SECONDS);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void it_lists_once_and_goes_on_from_what_a_bookmark_told() {
        server.fault(list("10", "a", "b"));
        server.fault(events(event("ADDED", "c", "11"), event("DELETED", "a", "12"), event("BOOKMARK", "", "15")));
        server.fault(events(event("MODIFIED", "b", "16")));

        feed.follow();
        feed.follow();

        assertThat(feed.all().orElseThrow()).containsOnlyKeys("b", "c").containsEntry("b", "16");
        assertThat(feed.lists()).isOne();
        assertThat(changed).containsExactly("", "c", "a", "b");
        assertThat(server.queries()).anyMatch(query -> query.contains("resourceVersion=15"));
    }

    @Test
    void a_watch_that_breaks_off_goes_on_and_lists_nothing() {
        server.fault(list("10", "a"));
        server.fault(response(event("ADDED", "b", "11") + "\n{\"type\": \"ADD"));
        server.fault(events());

        assertThatThrownBy(feed::follow).isInstanceOf(StorageException.class);
        feed.follow();

        assertThat(feed.all().orElseThrow()).containsOnlyKeys("a", "b");
        assertThat(feed.lists()).isOne();
    }

    @Test
    void a_version_that_the_server_forgot_is_listed_anew() {
        server.fault(list("10", "a", "b"));
        server.fault(events("{\"type\": \"ERROR\", \"object\": {\"kind\": \"Status\", \"code\": 410}}"));
        server.fault(list("20", "b"));
        server.fault(events());

        assertThatThrownBy(feed::follow).isInstanceOf(StorageException.class);
        assertThat(feed.all()).isEmpty();
        feed.follow();

        assertThat(feed.all().orElseThrow()).containsOnlyKeys("b");
        assertThat(feed.lists()).isEqualTo(2);
    }

    @Test
    void an_answer_that_is_no_event_changes_nothing() {
        server.fault(list("10", "a"));
        server.fault(response("<html>\n"));

        assertThatThrownBy(feed::follow).hasMessageContaining("no JSON object");

        assertThat(feed.all().orElseThrow()).containsOnlyKeys("a");
    }

    @Test
    void what_was_not_heard_of_for_long_is_not_known() {
        ObjectFeed<String> silent = feed(Duration.ZERO);
        server.fault(list("10", "a"));

        assertThat(silent.all()).isEmpty();
        silent.list();
        assertThat(silent.all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 504})
    void what_the_server_refuses_to_tell_of_is_not_known_after_a_while_and_is_listed_anew(int status) {
        AtomicLong now = new AtomicLong();
        ObjectFeed<String> refused = feed(Duration.ofSeconds(10), now::get);
        server.fault(list("10", "a"));
        server.fault(refusal(status));
        server.fault(events("{\"type\": \"ERROR\", \"object\": {\"kind\": \"Status\", \"code\": 500}}"));
        server.fault(events());
        assertThatThrownBy(refused::follow).isInstanceOf(StorageException.class);
        now.addAndGet(Duration.ofSeconds(3).toNanos());
        assertThatThrownBy(refused::follow).isInstanceOf(StorageException.class);
        refused.follow();
        now.addAndGet(Duration.ofSeconds(9).toNanos());
        assertThat(refused.all()).isEmpty();

        server.fault(list("5", "b"));
        server.fault(events());
        refused.follow();

        assertThat(refused.all().orElseThrow()).containsOnlyKeys("b");
        assertThat(refused.lists()).isEqualTo(2);
    }

    @Test
    void watches_that_are_cut_again_and_again_go_on_without_longer_and_longer_pauses() throws InterruptedException {
        server.fault(list("10", "a"));
        for (int cut = 0; cut < 8; cut++) {
            server.fault(response(event("ADDED", "b" + cut, "1" + cut) + "\n{\"type\": \"ADD"));
        }
        ObjectFeed<String> cutOften = new ObjectFeed<>(
                server.client(),
                KIND,
                ObjectFeedTest::version,
                new ObjectFeed.Times(
                        SECONDS,
                        SECONDS,
                        SECONDS,
                        new Backoff(Duration.ofMillis(200), Duration.ofMinutes(1)),
                        Duration.ZERO),
                changed::add);

        Thread thread = Thread.ofVirtual().start(cutOften::run);
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (cutOften.get("b7").isEmpty() && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        thread.interrupt();

        // Seven pauses of the first length are 1.4 s at most; if each doubled, they would be 25 s at least.
        assertThat(cutOften.get("b7")).isPresent();
        assertThat(cutOften.lists()).isOne();
    }

    private ObjectFeed<String> feed(Duration silence) {
        return feed(silence, System::nanoTime);
    }

    private ObjectFeed<String> feed(Duration silence, LongSupplier nanos) {
        Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(5));
        return new ObjectFeed<>(
                server.client(),
                KIND,
                ObjectFeedTest::version,
                new ObjectFeed.Times(SECONDS, SECONDS, silence, backoff, Duration.ofSeconds(1)),
                changed::add,
                nanos);
    }

    private static Optional<String> version(JsonObject object) {
        return Json.text(Json.child(object, "metadata"), "resourceVersion");
    }

    private static MockResponse list(String version, String... names) {
        List<String> items = new ArrayList<>();
        for (String name : names) {
            items.add("{\"metadata\": {\"name\": \"" + name + "\", \"resourceVersion\": \"1\"}}");
        }
        return response("{\"kind\": \"PersistentVolumeList\", \"metadata\": {\"resourceVersion\": \"" + version
                + "\"}, \"items\": [" + String.join(",", items) + "]}");
    }

    private static String event(String type, String name, String version) {
        return "{\"type\": \"" + type + "\", \"object\": {\"metadata\": {\"name\": \"" + name
                + "\", \"resourceVersion\": \"" + version + "\"}}}";
    }

    private static MockResponse events(String... lines) {
        return response(lines.length == 0 ? "" : String.join("\n", lines) + "\n");
    }

    private static MockResponse refusal(int status) {
        String body = "{\"kind\": \"Status\", \"status\": \"Failure\", \"code\": " + status + "}";
        return new MockResponse.Builder().code(status).body(body).build();
    }

    private static MockResponse response(String body) {
        return new MockResponse.Builder().code(200).body(body).build();
    }
}
