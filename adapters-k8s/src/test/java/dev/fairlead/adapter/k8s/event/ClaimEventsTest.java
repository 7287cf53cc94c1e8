package dev.fairlead.adapter.k8s.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the users of a volume read at its claim. */
class ClaimEventsTest {
    private static final Map<String, VolumeHealth> WELL = Map.of("pvc-a", VolumeHealth.GOOD);
    private static final Map<String, VolumeHealth> FULL = ClaimServer.full("pvc-a");

    private final ClaimServer cluster = new ClaimServer();
    private ClaimEvents events = cluster.process();

    @BeforeEach
    void volume() {
        cluster.volume("pvc-a");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private long changes() {
        return cluster.server.seen().stream()
                .filter(it -> !it.startsWith("GET "))
                .count();
    }

    @Test
    void a_volume_that_is_not_well_is_told_at_its_claim_with_node_and_reason() {
        events.found(WELL);
        assertThat(cluster.server.seen()).isEmpty();

        events.found(FULL);

        assertThat(cluster.told()).singleElement().satisfies(event -> {
            assertThat(Json.text(event, "type")).contains("Warning");
            assertThat(Json.text(event, "reason")).contains("VolumeAbnormal");
            assertThat(Json.text(event, "message"))
                    .contains("VolumeFull on node worker-1: next to nothing can be written to it any more;"
                            + " remove files, or ask for more in the claim");
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
        assertThat(cluster.reasons()).containsExactly("VolumeAbnormal", "VolumeRecovered");
        assertThat(changes()).isEqualTo(2);
    }

    @Test
    void what_begins_again_is_the_same_event_at_a_later_time() {
        events.found(FULL);
        events.found(WELL);
        cluster.now = cluster.now.plusSeconds(600);
        events.found(FULL);

        assertThat(cluster.reasons()).containsExactly("VolumeAbnormal", "VolumeRecovered");
        assertThat(cluster.told())
                .filteredOn(it -> Json.text(it, "reason").orElse("").equals("VolumeAbnormal"))
                .singleElement()
                .satisfies(it -> assertThat(Json.text(it, "lastTimestamp")).contains("2026-01-01T12:10:00Z"));
    }

    @Test
    void a_process_that_is_started_anew_tells_nothing_a_second_time() {
        events.found(FULL);
        cluster.now = cluster.now.plusSeconds(600);

        events = cluster.process();
        events.found(FULL);
        events.found(FULL);

        assertThat(cluster.told())
                .singleElement()
                .satisfies(it -> assertThat(Json.text(it, "lastTimestamp")).contains("2026-01-01T12:00:00Z"));
    }

    @Test
    void a_volume_of_another_name_than_its_handle_is_found_and_one_of_another_driver_is_none() {
        cluster.volume("by-hand", "disks.example", "fast/vol-7", "shop");
        cluster.volume("vol-8", "other.example", "fast/vol-8", "shop");

        events.found(ClaimServer.abnormal("fast/vol-7", HealthReason.DEVICE_ERRORS));
        assertThat(cluster.told())
                .singleElement()
                .satisfies(it -> assertThat(Json.text(Json.child(it, "involvedObject"), "name"))
                        .contains("data-by-hand"));

        events = cluster.process();
        events.found(ClaimServer.abnormal("fast/vol-8", HealthReason.DEVICE_ERRORS));
        int asked = cluster.server.seen().size();
        events.found(ClaimServer.abnormal("fast/vol-8", HealthReason.DEVICE_ERRORS));
        assertThat(cluster.told()).hasSize(1);
        assertThat(cluster.server.seen()).hasSize(asked); // nobody is to be told, and nobody is looked for again
    }

    @Test
    void what_a_server_did_not_take_is_told_with_a_later_look() {
        cluster.server.outage(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        events.found(FULL);
        events.found(FULL);
        assertThat(cluster.told()).isEmpty();

        cluster.server.lift();
        events.found(FULL);
        assertThat(cluster.reasons()).containsExactly("VolumeAbnormal");
    }

    @Test
    void a_server_that_refuses_all_is_asked_little_and_each_volume_is_given_up_at_last() {
        cluster.server.outage(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        Map<String, VolumeHealth> many = new TreeMap<>();
        for (int i = 0; i < 50; i++) {
            many.putAll(ClaimServer.abnormal("pvc-" + (100 + i), HealthReason.VOLUME_FULL));
        }
        events.found(many);
        assertThat(cluster.server.seen()).hasSize(ClaimEvents.MOST_FAILURES);

        events = cluster.process();
        for (int i = 0; i < ClaimEvents.MOST_ATTEMPTS; i++) {
            events.found(FULL);
        }
        int before = cluster.server.seen().size();
        events.found(FULL);
        assertThat(cluster.server.seen()).hasSize(before);
    }

    @Test
    void the_budget_bounds_one_look_and_the_rest_waits() {
        String[] handles = IntStream.range(100, 101 + ClaimBudget.MOST)
                .mapToObj(it -> "pvc-" + it)
                .toArray(String[]::new);
        List.of(handles).forEach(cluster::volume);
        events.found(ClaimServer.full(handles));
        events.found(ClaimServer.full(handles));
        assertThat(cluster.told()).hasSize(ClaimBudget.MOST);

        cluster.elapsed = cluster.elapsed.plus(ClaimBudget.INTERVAL);
        events.found(ClaimServer.full(handles));
        assertThat(cluster.told()).hasSize(ClaimBudget.MOST + 1);
    }

    @Test
    void a_volume_that_leaves_the_node_is_not_told_to_be_well() {
        events.found(FULL);
        events.found(Map.of());
        cluster.now = cluster.now.plusSeconds(600);
        events.found(FULL);

        assertThat(cluster.reasons()).containsExactly("VolumeAbnormal");
        assertThat(cluster.time("VolumeAbnormal")).isEqualTo("2026-01-01T12:00:00Z");
    }

    @Test
    void what_the_infrastructure_is_made_of_is_not_told_to_tenants() {
        for (HealthReason reason : HealthReason.values()) {
            String volume = "pvc-" + reason.label().replace('_', '-');
            cluster.volume(volume);
            events.found(ClaimServer.abnormal(volume, reason));
        }

        assertThat(cluster.told())
                .filteredOn(it -> Json.text(it, "reason").orElse("").equals("VolumeAbnormal"))
                .hasSize(HealthReason.values().length)
                .allSatisfy(it -> assertThat(Json.text(it, "message").orElse(""))
                        .containsPattern("^[A-Z][A-Za-z]+ on node worker-1: [a-z]")
                        .doesNotContain("/var/pools"));
    }

    @Test
    void what_is_wrong_is_not_over_as_long_as_no_look_can_tell() {
        events.found(FULL);
        for (HealthReason blind : List.of(
                HealthReason.LOOK_FAILED,
                HealthReason.SERVER_SILENT,
                HealthReason.MOUNT_LOST,
                HealthReason.NOT_MOUNTED,
                HealthReason.TRANSPORT_DEAD,
                HealthReason.FILESYSTEM_SHUT_DOWN)) {
            cluster.elapsed = cluster.elapsed.plus(ClaimBudget.INTERVAL_OF_VOLUME);
            events.found(ClaimServer.abnormal("pvc-a", blind));
            assertThat(cluster.reasons()).doesNotContain("VolumeRecovered");
        }

        cluster.elapsed = cluster.elapsed.plus(ClaimBudget.INTERVAL_OF_VOLUME.multipliedBy(7));
        events.found(WELL);
        cluster.elapsed = cluster.elapsed.plus(ClaimBudget.INTERVAL_OF_VOLUME);
        events.found(WELL);
        assertThat(cluster.reasons()).filteredOn("VolumeRecovered"::equals).hasSize(7);
    }
}
