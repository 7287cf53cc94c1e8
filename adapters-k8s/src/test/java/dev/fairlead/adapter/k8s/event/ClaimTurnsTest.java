package dev.fairlead.adapter.k8s.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.api.FakeApiServer;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.domain.health.VolumeHealth;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a volume that cannot be told of costs the others, and the server. */
class ClaimTurnsTest {
    private static final String ONE = "pvc-a";

    private final ClaimServer cluster = new ClaimServer();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void a_namespace_that_takes_no_events_does_not_silence_the_others() {
        for (String name : List.of("pvc-a", "pvc-b", "pvc-c", "pvc-d")) {
            cluster.volume(name, "disks.example", name, "closed");
        }
        cluster.volume("pvc-e");
        cluster.server.refuse(
                "POST /api/v1/namespaces/closed/events",
                FakeApiServer.status(403, "Forbidden", "namespace closed is being terminated"));
        ClaimEvents events = cluster.process();
        var all = ClaimServer.full("pvc-a", "pvc-b", "pvc-c", "pvc-d", "pvc-e");

        events.found(all);
        events.found(all);

        assertThat(cluster.claims()).containsExactly("data-pvc-e");
        assertThat(cluster.asked("POST /api/v1/namespaces/closed/")).isEqualTo(4); // given up at once
    }

    @Test
    void a_namespace_that_is_gone_does_not_silence_the_others() {
        for (String name : List.of("pvc-a", "pvc-b", "pvc-c")) {
            cluster.volume(name, "disks.example", name, "gone");
        }
        cluster.volume("pvc-e");
        cluster.server.refuse(
                "POST /api/v1/namespaces/gone/events", FakeApiServer.status(404, "NotFound", "gone not found"));

        cluster.process().found(ClaimServer.full("pvc-a", "pvc-b", "pvc-c", "pvc-e"));

        assertThat(cluster.claims()).containsExactly("data-pvc-e");
    }

    @Test
    void a_server_that_knows_the_process_no_more_is_asked_little() {
        List<String> handles = List.of("pvc-a", "pvc-b", "pvc-c", "pvc-d", "pvc-e");
        handles.forEach(cluster::volume);
        cluster.server.refuse("POST /api/v1/namespaces", FakeApiServer.status(401, "Unauthorized", "Unauthorized"));

        cluster.process().found(ClaimServer.full(handles.toArray(String[]::new)));

        assertThat(cluster.asked("POST ")).isLessThanOrEqualTo(2L * ClaimEvents.MOST_FAILURES);
        assertThat(cluster.asked("GET ")).isEqualTo(ClaimEvents.MOST_FAILURES);
    }

    @Test
    void all_volumes_are_listed_once_for_those_of_other_names_and_never_for_an_end() {
        cluster.volume("by-hand-1", "disks.example", "vol-1", "shop");
        cluster.volume("by-hand-2", "disks.example", "vol-2", "shop");
        ClaimEvents events = cluster.process();

        events.found(ClaimServer.full("vol-1", "vol-2", "vol-3"));
        assertThat(cluster.claims()).containsExactly("data-by-hand-1", "data-by-hand-2");
        events.found(Map.of("vol-1", VolumeHealth.GOOD, "vol-2", VolumeHealth.GOOD, "vol-3", VolumeHealth.GOOD));

        assertThat(cluster.reasons())
                .containsExactly("VolumeAbnormal", "VolumeAbnormal", "VolumeRecovered", "VolumeRecovered");
        assertThat(cluster.server.seen().stream().filter(("GET " + ClaimServer.VOLUMES)::equals))
                .hasSize(1);
    }

    @Test
    void a_list_that_fails_is_asked_for_once_and_costs_the_others_nothing() {
        for (String name : List.of("pvc-e", "pvc-f")) {
            cluster.volume(name);
        }
        ClaimEvents events = cluster.process();
        var all = ClaimServer.full("by-1", "by-2", "by-3", "pvc-e", "pvc-f");
        cluster.server.fault(FakeApiServer.status(404, "NotFound", "by-1 not found"));
        cluster.server.fault(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));

        events.found(all);

        assertThat(cluster.claims()).containsExactly("data-pvc-e", "data-pvc-f");
        assertThat(cluster.server.seen().stream().filter(("GET " + ClaimServer.VOLUMES)::equals))
                .hasSize(1);
    }

    @Test
    void what_a_former_process_told_is_left_whenever_its_turn_comes() {
        cluster.volume(ONE);
        cluster.volume("pvc-b");
        var both = ClaimServer.full(ONE, "pvc-b");
        cluster.process().found(both);
        cluster.now = cluster.now.plusSeconds(600);

        ClaimEvents events = cluster.process();
        cluster.server.fault(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        events.found(both);
        events.found(both);

        assertThat(cluster.told()).hasSize(2);
        assertThat(cluster.time("VolumeAbnormal")).isEqualTo("2026-01-01T12:00:00Z");
        assertThat(cluster.told().toString()).doesNotContain("12:10:00");
    }

    @Test
    void the_last_word_of_a_former_process_is_not_left_if_it_is_wrong() {
        cluster.volume(ONE);
        ClaimEvents former = cluster.process();
        former.found(ClaimServer.full(ONE));
        cluster.now = cluster.now.plusSeconds(60);
        former.found(Map.of(ONE, VolumeHealth.GOOD));
        cluster.now = cluster.now.plusSeconds(60);

        cluster.process().found(ClaimServer.full(ONE));

        assertThat(cluster.time("VolumeRecovered")).isEqualTo("2026-01-01T12:01:00Z");
        assertThat(cluster.time("VolumeAbnormal")).isEqualTo("2026-01-01T12:02:00Z");
    }

    @Test
    void what_ends_untold_has_all_its_attempts_when_it_begins_again() {
        cluster.volume(ONE);
        ClaimEvents events = cluster.process();
        for (int i = 1; i < ClaimEvents.MOST_ATTEMPTS; i++) {
            cluster.server.outage(FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
            events.found(ClaimServer.abnormal(ONE, HealthReason.VOLUME_FULL));
        }
        events.found(Map.of(ONE, VolumeHealth.GOOD));
        events.found(ClaimServer.full(ONE));
        cluster.server.lift();
        events.found(ClaimServer.full(ONE));

        assertThat(cluster.claims()).containsExactly("data-pvc-a");
    }

    @Test
    void a_volume_that_fills_and_empties_all_the_time_takes_a_few_turns() {
        cluster.volume(ONE);
        ClaimEvents events = cluster.process();
        for (int i = 0; i < 20; i++) {
            events.found(ClaimServer.full(ONE));
            events.found(Map.of(ONE, VolumeHealth.GOOD));
        }
        assertThat(cluster.asked("POST ")).isEqualTo(ClaimBudget.MOST_OF_VOLUME);

        cluster.elapsed = cluster.elapsed.plus(ClaimBudget.INTERVAL_OF_VOLUME);
        events.found(ClaimServer.full(ONE));
        events.found(Map.of(ONE, VolumeHealth.GOOD));
        assertThat(cluster.asked("POST ")).isEqualTo(ClaimBudget.MOST_OF_VOLUME + 1);
    }

    @Test
    void volumes_that_flap_leave_a_turn_to_those_behind_them() {
        List<String> flapping = IntStream.range(100, 100 + ClaimBudget.MOST)
                .mapToObj(it -> "pvc-" + it)
                .toList();
        flapping.forEach(cluster::volume);
        cluster.volume("pvc-z");
        ClaimEvents events = cluster.process();
        Map<String, VolumeHealth> well = new TreeMap<>();
        flapping.forEach(it -> well.put(it, VolumeHealth.GOOD));
        well.putAll(ClaimServer.full("pvc-z"));
        Map<String, VolumeHealth> full = new TreeMap<>(ClaimServer.full(flapping.toArray(String[]::new)));
        full.putAll(ClaimServer.full("pvc-z"));

        events.found(full);
        assertThat(cluster.claims()).hasSize(ClaimBudget.MOST).doesNotContain("data-pvc-z");
        cluster.elapsed = cluster.elapsed.plus(ClaimBudget.INTERVAL);
        events.found(well);

        assertThat(cluster.claims()).contains("data-pvc-z");
    }

    @Test
    void a_server_that_fails_is_asked_for_others_with_the_next_look() {
        List<String> handles = List.of("pvc-a", "pvc-b", "pvc-c", "pvc-d");
        handles.forEach(cluster::volume);
        ClaimEvents events = cluster.process();
        cluster.server.refuse(
                "GET " + ClaimServer.VOLUMES, FakeApiServer.status(403, "Forbidden", "persistentvolumes is forbidden"));
        events.found(ClaimServer.full("pvc-a", "pvc-b", "pvc-c", "pvc-d"));
        events.found(ClaimServer.full("pvc-a", "pvc-b", "pvc-c", "pvc-d"));

        assertThat(cluster.server.seen().subList(ClaimEvents.MOST_FAILURES, ClaimEvents.MOST_FAILURES + 1))
                .containsExactly("GET " + ClaimServer.VOLUMES + "/pvc-d");
    }

    @Test
    void an_event_that_the_server_forgets_while_it_is_renewed_is_made_anew_with_the_next_look() {
        cluster.volume(ONE);
        ClaimEvents events = cluster.process();
        events.found(ClaimServer.full(ONE));
        events.found(Map.of(ONE, VolumeHealth.GOOD));
        events.found(ClaimServer.full(ONE));
        cluster.server.refuse(
                "PATCH /api/v1/namespaces/shop/events/data-pvc-a",
                FakeApiServer.status(404, "NotFound", "event not found"));
        events.found(Map.of(ONE, VolumeHealth.GOOD));
        cluster.server.lift();
        cluster.server.objects().keySet().removeIf(it -> it.contains("/events/"));
        events.found(Map.of(ONE, VolumeHealth.GOOD));

        assertThat(cluster.reasons()).containsExactly("VolumeRecovered");
    }
}
