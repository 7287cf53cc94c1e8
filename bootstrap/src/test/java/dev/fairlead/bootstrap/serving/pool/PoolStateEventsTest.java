package dev.fairlead.bootstrap.serving.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairlead.application.port.out.cluster.Announcement;
import dev.fairlead.application.port.out.cluster.Announcement.Kind;
import dev.fairlead.application.port.out.store.PoolStates.PoolFinding;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.PoolStates.PoolState;
import dev.fairlead.application.service.connection.ConnectionStatus;
import dev.fairlead.bootstrap.serving.ToldAnnouncements;
import dev.fairlead.bootstrap.telemetry.Metrics;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolStateEventsTest {
    private final List<Announcement> told = new ArrayList<>();
    private final Metrics metrics = new Metrics("1.2.3");
    private final PoolStateEvents events = new PoolStateEvents(metrics, new ToldAnnouncements(told));

    private static PoolReport pool(PoolFinding... findings) {
        return new PoolReport(new ConnectionName("disks"), "fast", List.of(findings));
    }

    @Test
    void each_thing_that_is_wrong_is_told_once_when_it_begins_and_once_when_it_ends() {
        PoolFinding full = new PoolFinding(PoolState.FULL, "0 of 65536 bytes are free");
        PoolFinding untold = new PoolFinding(PoolState.UNKNOWN, "its errors cannot be told");
        events.found(List.of(pool()));
        events.found(List.of(pool(full)));
        events.found(List.of(pool(full, untold, new PoolFinding(PoolState.UNKNOWN, "nor its sizes"))));
        events.found(List.of(pool(new PoolFinding(PoolState.FULL, "5 of 65536 bytes are free"))));
        events.found(List.of());

        assertThat(told)
                .extracting(Announcement::kind, Announcement::subject, Announcement::text)
                .containsExactly(
                        tuple(
                                Kind.POOL_ABNORMAL,
                                "disks/fast full",
                                "pool 'fast' of connection 'disks' (full): 0 of 65536 bytes are free"),
                        tuple(
                                Kind.POOL_ABNORMAL,
                                "disks/fast unknown",
                                "pool 'fast' of connection 'disks' (unknown): its errors cannot be told; nor its sizes"),
                        tuple(
                                Kind.POOL_RECOVERED,
                                "disks/fast unknown",
                                "pool 'fast' of connection 'disks' (unknown) is over"),
                        tuple(
                                Kind.POOL_RECOVERED,
                                "disks/fast full",
                                "pool 'fast' of connection 'disks' (full) is over: no connection has it"));
    }

    private List<String> events() {
        return told.stream().map(it -> it.kind() + " " + it.subject()).toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = PoolState.class,
            names = {"UNKNOWN", "AWAY"})
    void what_a_look_cannot_tell_goes_on_until_one_can(PoolState away) {
        PoolFinding errors = new PoolFinding(PoolState.DEVICE_ERRORS, "3 errors");
        PoolFinding part =
                new PoolFinding(PoolState.UNKNOWN, "its errors cannot be told", Set.of(PoolState.DEVICE_ERRORS));
        events.found(List.of(pool(errors)));
        events.found(List.of(pool(new PoolFinding(away, "no answer"))));
        events.found(List.of(pool(part)));

        assertThat(events())
                .contains("POOL_ABNORMAL disks/fast device_errors")
                .noneMatch(it -> it.equals("POOL_RECOVERED disks/fast device_errors"));

        events.found(List.of(pool()));

        assertThat(events()).contains("POOL_RECOVERED disks/fast device_errors");
    }

    @Test
    void a_part_that_cannot_be_told_keeps_nothing_else_going_on() {
        events.found(List.of(pool(new PoolFinding(PoolState.READ_ONLY, "by hand"))));
        events.found(List.of(pool(
                new PoolFinding(PoolState.UNKNOWN, "its errors cannot be told", Set.of(PoolState.DEVICE_ERRORS)))));

        assertThat(events()).contains("POOL_RECOVERED disks/fast read_only");
    }

    @Test
    void what_users_make_and_undo_is_over_after_some_good_looks_and_not_with_each() {
        PoolFinding full = new PoolFinding(PoolState.FULL, "0 of 65536 bytes are free");
        for (int i = 0; i < 3; i++) {
            events.found(List.of(pool(full)));
            events.found(List.of(pool()));
            events.found(List.of(pool()));
        }
        assertThat(events()).containsExactly("POOL_ABNORMAL disks/fast full");

        events.found(List.of(pool()));
        assertThat(events()).containsExactly("POOL_ABNORMAL disks/fast full", "POOL_RECOVERED disks/fast full");
    }

    @Test
    void a_pool_that_is_unused_is_neither_healthy_nor_wrong() {
        events.found(List.of(pool(new PoolFinding(PoolState.UNUSED, "nothing was made"))));

        assertThat(told).isEmpty();
    }

    @Test
    void the_states_of_a_pool_are_a_metric_and_one_is_healthy_only_alone() {
        metrics.show(() -> List.of(new ConnectionStatus(
                new ConnectionName("disks"),
                ConnectionStatus.State.SERVING,
                Optional.of("local-pool"),
                Optional.of(Instant.EPOCH),
                0,
                0,
                0)));
        String series = "fairlead_pool_state{connection=\"disks\",pool=\"fast\",state=\"";
        events.found(List.of(pool()));
        assertThat(metrics.scrape()).contains(series + "healthy\"} 1", series + "unknown\"} 0");

        events.found(List.of(pool(new PoolFinding(PoolState.UNKNOWN, "no answer"))));
        assertThat(metrics.scrape()).contains(series + "healthy\"} 0", series + "unknown\"} 1", series + "away\"} 0");

        events.found(List.of(pool(new PoolFinding(PoolState.DEVICE_ERRORS, "3 errors"))));
        events.found(List.of(pool(new PoolFinding(PoolState.AWAY, "its disk is not there"))));
        assertThat(metrics.scrape()).contains(series + "device_errors\"} 1", series + "away\"} 1");
    }
}
