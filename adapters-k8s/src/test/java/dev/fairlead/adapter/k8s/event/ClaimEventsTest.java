package dev.fairlead.adapter.k8s.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the users of a volume read at its claim. */
class ClaimEventsTest {
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String EVENTS = "/api/v1/namespaces/shop/events/";
    private static final Map<String, VolumeHealth> WELL = Map.of("pvc-a", VolumeHealth.GOOD);
    private static final Map<String, VolumeHealth> FULL = abnormal("pvc-a", HealthReason.VOLUME_FULL);

    private final FakeApiServer server = FakeApiServer.plain();
    private Instant now = Instant.parse("2026-01-01T12:00:00Z");
    private int budget = 100;
    private ClaimEvents events = process();

    @BeforeEach
    void volume() {
        server.know(VOLUMES);
        server.know("/api/v1/namespaces/shop/events");
        volume("pvc-a", "disks.example", "pvc-a");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A process as it is started. */
    private ClaimEvents process() {
        EventRecorder atOnce = work -> {
            work.run();
            return true;
        };
        return new ClaimEvents(
                server.client(),
                new ClaimEventSettings(Set.of("disks.example"), "worker-1"),
                atOnce,
                new Budget(budget, Duration.ofDays(1), () -> Instant.EPOCH),
                () -> now);
    }

    private static Map<String, VolumeHealth> abnormal(String handle, HealthReason reason) {
        return Map.of(handle, new VolumeHealth(List.of(new HealthCondition(reason, "0 bytes are free"))));
    }

    private void volume(String name, String driver, String handle) {
        String json = """
                {"metadata": {"name": "%s"},
                 "spec": {"csi": {"driver": "%s", "volumeHandle": "%s"},
                          "claimRef": {"namespace": "shop", "name": "data-%s", "uid": "u-%s"}}}""".formatted(name, driver, handle, name, name);
        server.put(VOLUMES + "/" + name, Json.object(json).orElseThrow());
    }

    private List<JsonObject> told() {
        return new TreeMap<>(server.objects())
                .entrySet().stream()
                        .filter(it -> it.getKey().startsWith(EVENTS))
                        .map(Map.Entry::getValue)
                        .toList();
    }

    private List<String> reasons() {
        return told().stream()
                .map(it -> Json.text(it, "reason").orElse(""))
                .sorted()
                .toList();
    }

    private long changes() {
        return server.seen().stream().filter(it -> !it.startsWith("GET ")).count();
    }

    @Test
    void a_volume_that_is_not_well_is_told_at_its_claim_with_node_and_reason() {
        events.found(WELL);
        assertThat(server.seen()).isEmpty();

        events.found(FULL);

        assertThat(told()).singleElement().satisfies(event -> {
            assertThat(Json.text(event, "type")).contains("Warning");
            assertThat(Json.text(event, "reason")).contains("VolumeAbnormal");
            assertThat(Json.text(event, "message")).contains("VolumeFull on node worker-1: 0 bytes are free");
            assertThat(Json.texts(Json.child(event, "involvedObject")))
                    .isEqualTo(Map.of(
                            "apiVersion",
                            "v1",
                            "kind",
                            "PersistentVolumeClaim",
                            "namespace",
                            "shop",
                            "name",
                            "data-pvc-a",
                            "uid",
                            "u-pvc-a"));
        });
    }

    @Test
    void it_is_told_once_however_often_it_is_seen_and_once_when_it_is_over() {
        for (int i = 0; i < 10; i++) {
            events.found(FULL);
        }
        assertThat(changes()).isEqualTo(1);

        events.found(WELL);
        events.found(WELL);
        assertThat(reasons()).containsExactly("VolumeAbnormal", "VolumeRecovered");
        assertThat(changes()).isEqualTo(2);
    }

    @Test
    void what_begins_again_is_the_same_event_at_a_later_time() {
        events.found(FULL);
        events.found(WELL);
        now = now.plusSeconds(600);
        events.found(FULL);

        assertThat(reasons()).containsExactly("VolumeAbnormal", "VolumeRecovered");
        assertThat(told())
                .filteredOn(it -> Json.text(it, "reason").orElse("").equals("VolumeAbnormal"))
                .singleElement()
                .satisfies(it -> assertThat(Json.text(it, "lastTimestamp")).contains("2026-01-01T12:10:00Z"));
    }

    @Test
    void a_process_that_is_started_anew_tells_nothing_a_second_time() {
        events.found(FULL);
        now = now.plusSeconds(600);

        events = process();
        events.found(FULL);
        events.found(FULL);

        assertThat(told())
                .singleElement()
                .satisfies(it -> assertThat(Json.text(it, "lastTimestamp")).contains("2026-01-01T12:00:00Z"));
        assertThat(server.seen().stream().filter(it -> it.startsWith("PATCH"))).isEmpty();
    }

    @Test
    void a_volume_of_another_name_than_its_handle_is_found_and_one_of_another_driver_is_none() {
        volume("by-hand", "disks.example", "fast/vol-7");
        volume("vol-8", "other.example", "fast/vol-8");

        events.found(abnormal("fast/vol-7", HealthReason.DEVICE_ERRORS));
        assertThat(told())
                .singleElement()
                .satisfies(it -> assertThat(Json.text(Json.child(it, "involvedObject"), "name"))
                        .contains("data-by-hand"));

        events = process();
        events.found(abnormal("fast/vol-8", HealthReason.DEVICE_ERRORS));
        int asked = server.seen().size();
        events.found(abnormal("fast/vol-8", HealthReason.DEVICE_ERRORS));
        assertThat(told()).hasSize(1);
        assertThat(server.seen()).hasSize(asked); // nobody is to be told, and nobody is looked for again
    }

    @Test
    void what_a_server_did_not_take_is_told_with_a_later_look() {
        server.outage(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        events.found(FULL);
        events.found(FULL);
        assertThat(told()).isEmpty();

        server.lift();
        events.found(FULL);
        assertThat(reasons()).containsExactly("VolumeAbnormal");
    }

    @Test
    void a_server_that_refuses_all_is_asked_little_and_each_volume_is_given_up_at_last() {
        server.outage(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        Map<String, VolumeHealth> many = new TreeMap<>();
        for (int i = 0; i < 50; i++) {
            many.putAll(abnormal("pvc-" + (100 + i), HealthReason.VOLUME_FULL));
        }
        events.found(many);
        assertThat(server.seen()).hasSize(ClaimEvents.MOST_FAILURES);

        for (int i = 1; i < ClaimEvents.MOST_ATTEMPTS; i++) {
            events.found(many);
        }
        int before = server.seen().size();
        events.found(Map.of("pvc-100", many.getOrDefault("pvc-100", VolumeHealth.GOOD)));
        assertThat(server.seen()).hasSize(before);
    }

    @Test
    void the_budget_bounds_one_look_and_the_rest_waits() {
        budget = 1;
        events = process();
        volume("pvc-b", "disks.example", "pvc-b");
        Map<String, VolumeHealth> two = new TreeMap<>(FULL);
        two.putAll(abnormal("pvc-b", HealthReason.VOLUME_FULL));
        events.found(two);
        events.found(two);

        assertThat(told()).hasSize(1);
    }
}
