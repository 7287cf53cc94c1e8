package dev.fairlead.bootstrap.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeGroup;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.VolumePlacement.Unknown;
import dev.fairlead.domain.affinity.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AffinityMetersTest {
    private static final ChangeGroup GROUP = new ChangeGroup("linstor", "class fast");

    private final Metrics metrics = new Metrics("1");
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AffinityMeters meters =
            new AffinityMeters(metrics, () -> true, stopped::get, InstantSource.fixed(Instant.ofEpochSecond(1_000)));

    @Test
    void a_look_that_may_change_nothing_at_all_is_told() {
        assertThat(metrics.scrape()).contains("fairlead_affinity_stopped 0");
        stopped.set(true);
        assertThat(metrics.scrape()).contains("fairlead_affinity_stopped 1");
    }

    @Test
    void events_that_were_dropped_are_counted() {
        AtomicLong dropped = new AtomicLong();
        meters.events(dropped::get);
        assertThat(metrics.scrape()).contains("fairlead_affinity_events_dropped_total 0");
        System.gc();
        dropped.set(3);
        assertThat(metrics.scrape()).contains("fairlead_affinity_events_dropped_total 3");
    }

    @Test
    void a_look_tells_what_drifts_what_is_skipped_and_why() {
        meters.looked(report());

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_affinity_volumes{source=\"linstor\"} 5",
                        "fairlead_affinity_drift{change=\"set\",source=\"linstor\"} 2",
                        "fairlead_affinity_skipped{reason=\"in_use\"} 1",
                        "fairlead_affinity_skipped{reason=\"FL-AFF-004\"} 2",
                        "fairlead_affinity_skipped{reason=\"left_alone\"} 1",
                        "fairlead_affinity_changes_total{result=\"replaced\"} 1",
                        "fairlead_affinity_last_look_timestamp_seconds 1000",
                        "fairlead_affinity_leads 1");

        meters.looked(new AffinityRun.Report(
                new AffinityPlan(List.of(), new TreeMap<>(), Map.of()), List.of(), Optional.empty()));
        assertThat(metrics.scrape()).doesNotContain("fairlead_affinity_drift{", "fairlead_affinity_skipped{");
    }

    @Test
    void the_longest_gap_stays_and_lost_claims_are_counted() {
        meters.away("pv-1", Duration.ofMillis(40));
        meters.away("pv-2", Duration.ofMillis(1_500));
        meters.away("pv-3", Duration.ofMillis(3));
        meters.claimLost("pv-2");

        assertThat(metrics.scrape())
                .contains(
                        "fairlead_affinity_longest_gap_seconds 1.5",
                        "fairlead_affinity_gap_seconds_count 3",
                        "fairlead_affinity_gap_seconds_bucket{le=\"0.005\"} 1",
                        "fairlead_affinity_claims_lost_total 1");
    }

    private static AffinityRun.Report report() {
        NodeAffinity to = NodeAffinity.of(new VolumePlacement.Labelled("example.com/host"))
                .orElseThrow();
        List<AffinityPlan.Entry> entries = List.of(
                new AffinityPlan.Entry(
                        change("pv-1", to), GROUP, Optional.of(new ChangeDelay(WaitReason.IN_USE, "why"))),
                new AffinityPlan.Entry(change("pv-2", to), GROUP, Optional.empty()));
        Unknown empty = new Unknown(Optional.of(AffinityFinding.NO_DATA), "why");
        var unknown =
                new TreeMap<>(Map.of("pv-3", empty, "pv-4", empty, "pv-5", new Unknown(Optional.empty(), "a mark")));
        return new AffinityRun.Report(
                new AffinityPlan(entries, unknown, Map.of("linstor", 5)),
                List.of(new ChangeOutcome("pv-2", Result.REPLACED, "")),
                Optional.empty());
    }

    private static AffinityChange change(String volume, NodeAffinity to) {
        return new AffinityChange(volume, "uid", NodeAffinity.UNSET, to, "linstor", "why", Optional.empty());
    }
}
