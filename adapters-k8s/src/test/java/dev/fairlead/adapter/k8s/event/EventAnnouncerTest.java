package dev.fairlead.adapter.k8s.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.http.Json;
import dev.fairlead.testkit.Until;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventAnnouncerTest {
    private static final String EVENTS = "/api/v1/namespaces/storage/events/";
    private static final Duration LAST_WORDS = Duration.ofSeconds(20);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.5Z");

    private final FakeApiServer server = FakeApiServer.plain();
    private int rich = 100;
    private int richVolumes = 100;

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void an_event_stands_on_the_pod_and_says_what_is_wrong() {
        try (var announcer = announcer()) {
            announcer.announce(rejected("fast", "fast.yaml:3 key: is missing"));
        }

        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(Json.text(event, "type")).contains("Warning");
            assertThat(Json.text(event, "reason")).contains("ConnectionRejected");
            assertThat(Json.text(event, "message")).contains("fast.yaml:3 key: is missing");
            assertThat(Json.text(event, "lastTimestamp")).contains("2026-01-01T12:00:00Z");
            assertThat(Json.number(event, "count")).contains(1L);
            assertThat(Json.texts(Json.child(event, "involvedObject")))
                    .isEqualTo(Map.of(
                            "apiVersion",
                            "v1",
                            "kind",
                            "Pod",
                            "name",
                            "fairlead-1",
                            "namespace",
                            "storage",
                            "uid",
                            "u-1"));
        });
    }

    @Test
    void what_happens_again_is_counted_in_the_same_event_with_the_newest_words() {
        try (var announcer = announcer()) {
            for (int i = 1; i <= 20; i++) {
                announcer.announce(rejected("fast", "attempt " + i));
            }
            announcer.announce(rejected("slow", "other"));
        }

        assertThat(events())
                .extracting(event -> Json.text(event, "message").orElse("") + " x"
                        + Json.number(event, "count").orElse(0L))
                .containsExactlyInAnyOrder("attempt 20 x20", "other x1");
    }

    @Test
    void an_event_that_the_server_has_forgotten_is_made_anew() {
        var announcer = announcer();
        announcer.announce(rejected("fast", "first"));
        Until.holds(() -> events().size() == 1);
        server.objects().clear();

        announcer.announce(rejected("fast", "second"));
        announcer.close();

        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(Json.text(event, "message")).contains("second");
            assertThat(Json.number(event, "count")).contains(1L);
        });
        assertThat(announcer.dropped()).isZero();
    }

    @Test
    void a_server_that_hangs_stops_nobody_and_what_has_no_room_is_counted() {
        server.outage(new MockResponse.Builder()
                .onResponseStart(SocketEffect.Stall.INSTANCE)
                .build());
        var announcer = announcer();
        int many = EventAnnouncer.MOST_WAITING * 3;
        long start = System.nanoTime();

        for (int i = 0; i < many; i++) {
            announcer.announce(rejected("c" + i, "x"));
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PodEvents.PATIENCE);
        assertThat(announcer.dropped())
                .isBetween((long) many - EventAnnouncer.MOST_WAITING - 1, (long) many - EventAnnouncer.MOST_WAITING);
    }

    @Test
    void a_server_that_refuses_is_complained_of_and_the_events_are_counted() {
        server.outage(FakeApiServer.status(403, "Forbidden", "events is forbidden"));
        var announcer = announcer();

        announcer.announce(rejected("fast", "x"));
        announcer.announce(rejected("slow", "x"));
        announcer.close();

        assertThat(announcer.dropped()).isEqualTo(2);
    }

    @Test
    void no_more_is_told_than_the_budget_allows() {
        rich = 3;
        var announcer = announcer();

        for (int i = 0; i < 10; i++) {
            announcer.announce(rejected("c" + i, "x"));
        }
        announcer.close();

        assertThat(events()).hasSize(3);
        assertThat(announcer.dropped()).isEqualTo(7);
    }

    @Test
    void volumes_use_up_no_budget_of_what_else_is_told() {
        richVolumes = 2;
        rich = 1;
        var announcer = announcer();

        for (int i = 0; i < 10; i++) {
            announcer.announce(new Announcement(Kind.VOLUME_ABNORMAL, "v" + i, "is full"));
            announcer.announce(new Announcement(Kind.VOLUME_RECOVERED, "v" + i, "is over"));
        }
        announcer.announce(new Announcement(Kind.POOL_ABNORMAL, "disks/fast away", "is away"));
        announcer.close();

        assertThat(events())
                .extracting(it -> Json.text(it, "message").orElse(""))
                .hasSize(3)
                .contains("is away");
    }

    @Test
    void volumes_leave_room_for_what_else_is_told() {
        Waiting waiting = new Waiting(4);

        for (int i = 0; i < 3; i++) {
            assertThat(waiting.offer(new Announcement(Kind.VOLUME_ABNORMAL, "v" + i, "is full")))
                    .isEqualTo(i < 2);
        }

        assertThat(waiting.offer(rejected("fast", "x"))).isTrue();
        assertThat(waiting.offer(rejected("slow", "x"))).isTrue();
        assertThat(waiting.offer(rejected("third", "x"))).isFalse();
        assertThat(waiting.offer(new Announcement(Kind.VOLUME_ABNORMAL, "v0", "is fuller")))
                .isTrue();
    }

    @Test
    void a_message_is_as_long_as_the_server_takes_it() {
        try (var announcer = announcer()) {
            announcer.announce(rejected("fast", "\u00e4".repeat(5000)));
        }

        assertThat(events())
                .singleElement()
                .satisfies(event -> assertThat(
                                Json.text(event, "message").orElse("").getBytes(StandardCharsets.UTF_8))
                        .hasSizeBetween(800, 1024));
    }

    @Test
    void a_recovery_is_no_warning() {
        try (var announcer = announcer()) {
            announcer.announce(new Announcement(Kind.CONNECTION_RECOVERED, "fast", "fine"));
        }

        assertThat(events())
                .singleElement()
                .satisfies(event -> assertThat(Json.text(event, "type")).contains("Normal"));
    }

    @Test
    void events_go_on_after_an_error_of_the_program() {
        var asked = new AtomicInteger();
        var events = new PodEvents(server.client(), new EventSettings("storage", "fairlead-1", "u-1"), () -> NOON);
        var budget = new Budget(9, Duration.ofHours(1), () -> {
            if (asked.incrementAndGet() == 2) { // the first is the making of the budget
                throw new StackOverflowError("played");
            }
            return Instant.EPOCH;
        });
        try (var announcer = new EventAnnouncer(
                events, both(budget), Thread.ofPlatform().daemon().factory(), LAST_WORDS)) {
            announcer.announce(rejected("fast", "is dropped"));
            Until.holds(() -> announcer.dropped() == 1);

            announcer.announce(rejected("slow", "is told"));
        }

        assertThat(events())
                .extracting(it -> Json.text(it, "message").orElse(""))
                .containsExactly("is told");
    }

    @Test
    void an_announcement_without_a_thread_is_told_with_the_next_one() {
        var asked = new AtomicInteger();
        var events = new PodEvents(server.client(), new EventSettings("storage", "fairlead-1", "u-1"), () -> NOON);
        var budget = new Budget(9, Duration.ofHours(1), () -> Instant.EPOCH);
        try (var announcer = new EventAnnouncer(
                events,
                both(budget),
                task -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("played: unable to create native thread");
                    }
                    return Thread.ofPlatform().daemon().unstarted(task);
                },
                LAST_WORDS)) {
            announcer.announce(rejected("fast", "first"));
            announcer.announce(rejected("slow", "second"));
        }

        assertThat(events()).hasSize(2);
    }

    @Test
    void the_budget_grows_back_with_time() {
        var now = new Instant[] {Instant.EPOCH};
        var budget = new Budget(2, Duration.ofSeconds(10), () -> now[0]);
        assertThat(List.of(budget.spend(), budget.spend(), budget.spend())).containsExactly(true, true, false);

        now[0] = now[0].plusSeconds(19);

        assertThat(List.of(budget.spend(), budget.spend())).containsExactly(true, false);
        now[0] = now[0].plusSeconds(1);
        assertThat(budget.spend()).isTrue();
    }

    private static EventAnnouncer.Budgets both(Budget budget) {
        return new EventAnnouncer.Budgets(budget, budget);
    }

    private static Budget budget(int most) {
        return new Budget(most, Duration.ofHours(1), () -> Instant.EPOCH);
    }

    private EventAnnouncer announcer() {
        var events = new PodEvents(server.client(), new EventSettings("storage", "fairlead-1", "u-1"), () -> NOON);
        var budgets = new EventAnnouncer.Budgets(budget(richVolumes), budget(rich));
        return new EventAnnouncer(events, budgets, Thread.ofPlatform().daemon().factory(), LAST_WORDS);
    }

    private List<JsonObject> events() {
        return server.objects().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(EVENTS))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static Announcement rejected(String connection, String text) {
        return new Announcement(Kind.CONNECTION_REJECTED, connection, text);
    }
}
