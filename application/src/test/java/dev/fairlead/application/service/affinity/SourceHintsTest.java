package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.domain.affinity.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which volumes a round asks for, and what a source that takes long does to the others. */
class SourceHintsTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final StagedCluster cluster = new StagedCluster();
    private final Semaphore woken = new Semaphore(0);
    private final SourceHints hints = new SourceHints(Duration.ofSeconds(15), woken::release);
    private final SlowSource source = new SlowSource("org.example.csi");

    @Test
    void a_hint_reads_its_volume_and_an_interval_reads_all() {
        for (int at = 1; at <= 4; at++) cluster.add("pv-" + at, "v" + at, StagedCluster.IDLE, "a");
        source.place("a");
        AffinityPlanner planner = planner(source);

        planner.plan(seconds(0));
        assertThat(source.asked()).containsExactly("pv-1 pv-2 pv-3 pv-4");
        planner.plan(seconds(1));
        assertThat(source.asked()).isEmpty();
        hints.moved("v2");
        assertThat(woken.tryAcquire()).isTrue();
        planner.plan(seconds(2));
        assertThat(source.asked()).containsExactly("pv-2");
        hints.anyMoved();
        planner.plan(seconds(3));
        assertThat(source.asked()).containsExactly("pv-1 pv-2 pv-3 pv-4");
        planner.plan(seconds(18));
        assertThat(source.asked()).containsExactly("pv-1 pv-2 pv-3 pv-4");
    }

    @Test
    void a_hint_of_one_source_reads_nothing_of_another() {
        SlowSource busy = new SlowSource("org.example.busy");
        busy.place("a");
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "org.example.busy", List.of("a"));
        source.place("a");
        AffinityPlanner planner = planner(source, busy);
        planner.plan(seconds(0));
        source.asked();
        busy.asked();

        for (int at = 1; at <= 5; at++) {
            hints.of(busy).anyMoved();
            planner.plan(seconds(at));
            assertThat(busy.asked()).containsExactly("pv-2");
        }

        assertThat(source.asked()).isEmpty();
    }

    @Test
    void after_a_late_answer_all_are_read_when_the_interval_is_over() throws Exception {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.place("a");
        AffinityPlanner planner = planner(source);
        planner.plan(seconds(0));
        source.hang();
        planner.plan(seconds(15));
        source.goOn();
        assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
        assertThat(source.asked()).containsExactly("pv-1", "pv-1");

        planner.plan(seconds(24));
        planner.plan(seconds(29));
        assertThat(source.asked()).isEmpty();
        planner.plan(seconds(30));
        assertThat(source.asked()).containsExactly("pv-1");
    }

    @Test
    void a_round_in_between_reads_what_is_new_what_was_changed_and_what_waits() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "b");
        cluster.add("pv-3", "v3", StagedCluster.IDLE, "a");
        source.place("a");
        AffinityPlanner planner = planner(source);
        assertThat(planner.plan(seconds(0)).entries()).hasSize(1);
        source.asked();

        cluster.add("pv-3", "v3", StagedCluster.IDLE, "c");
        cluster.add("pv-4", "v4", StagedCluster.IDLE, "a");
        cluster.add("pv-1", "v1", new VolumeUse(false, Optional.empty(), "Released", List.of()), "a");

        AffinityPlan plan = planner.plan(seconds(1));
        assertThat(source.asked()).containsExactly("pv-2 pv-3 pv-4");
        assertThat(plan.entries()).hasSize(2);
        assertThat(plan.volumes()).containsEntry("org.example.csi", 4);
    }

    @Test
    void a_source_that_hangs_keeps_no_other_waiting_and_is_heard_later() throws Exception {
        SlowSource hung = new SlowSource("org.example.hung");
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "org.example.hung", List.of("a"));
        source.place("a", "b");
        hung.place("a", "b");
        hung.hang();
        AffinityPlanner planner = planner(hung, source);

        AffinityPlan plan = planner.plan(seconds(0));
        assertThat(plan.changes()).extracting(change -> change.volume()).containsExactly("pv-1");
        assertThat(plan.unknown())
                .containsEntry("pv-2", new VolumePlacement.Unknown("its source has not answered yet"));
        woken.drainPermits();
        long start = System.nanoTime();
        planner.plan(seconds(1));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT);
        assertThat(hung.asked()).hasSize(1);

        hung.goOn();
        assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
        assertThat(planner.plan(seconds(2)).changes())
                .extracting(change -> change.volume())
                .containsExactly("pv-1", "pv-2");
    }

    @Test
    void a_source_that_hangs_later_changes_nothing_by_what_it_said_before_and_what_waited_still_counts() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "b");
        source.place("a");
        AffinityPlanner planner = planner(source);
        planner.plan(seconds(0));
        planner.plan(seconds(15));

        source.hang();
        for (int at : new int[] {300, 301}) {
            assertThat(planner.plan(seconds(at)).entries())
                    .singleElement()
                    .satisfies(entry ->
                            assertThat(entry.delay().map(ChangeDelay::reason)).contains(WaitReason.NOT_READ));
            assertThat(planner.due()).isEmpty();
        }
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        assertThat(planner.plan(seconds(302)).entries()).isEmpty();
        source.goOn();
    }

    @Test
    void a_late_answer_is_not_about_another_volume_that_has_got_the_name() throws Exception {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.place("a", "b");
        source.hang();
        AffinityPlanner planner = planner(source);
        planner.plan(seconds(0));

        cluster.add("pv-1", "v2", StagedCluster.IDLE, "a");
        source.goOn();
        assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
        source.hang();
        AffinityPlan plan = planner.plan(seconds(2));

        assertThat(plan.entries()).isEmpty();
        assertThat(plan.unknown()).containsOnlyKeys("pv-1");
        source.goOn();
    }

    @Test
    void a_slow_source_whose_changes_wait_is_not_asked_again_as_soon_as_it_has_answered() throws Exception {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a", "b");
        source.place("a");
        source.hang();
        AffinityPlanner planner = planner(source);
        planner.plan(seconds(0));
        source.asked();
        source.goOn();
        assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();

        assertThat(planner.plan(seconds(2)).entries()).hasSize(1);

        assertThat(source.asked()).isEmpty();
        planner.plan(seconds(3));
        assertThat(source.asked()).containsExactly("pv-1");
    }

    @Test
    void a_source_that_ends_by_an_error_of_the_machine_is_asked_again() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.place("a", "b");
        source.fail();
        AffinityPlanner planner = planner(source);
        assertThat(planner.plan(seconds(0)).unknown()).containsOnlyKeys("pv-1");

        assertThat(planner.plan(seconds(15)).entries()).hasSize(1);
    }

    @Test
    void what_a_silent_source_said_before_is_not_known_any_more() throws Exception {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.place("a");
        AffinityPlanner planner = planner(Duration.ofMillis(50), source);
        while (!planner.plan(seconds(0)).unknown().isEmpty()) Thread.sleep(10);
        source.hang();
        hints.anyMoved();
        assertThat(planner.plan(seconds(15)).unknown()).isEmpty();

        Thread.sleep(1_100);

        assertThat(planner.plan(seconds(16)).unknown())
                .containsEntry("pv-1", new VolumePlacement.Unknown("its source does not answer any more"));
        source.goOn();
    }

    @Test
    @Timeout(60)
    void what_a_slow_source_said_before_holds_for_as_long_as_its_looks_take() throws Exception {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.place("b");
        source.hang();
        AffinityPlanner planner = planner(Duration.ofMillis(50), source);
        planner.plan(seconds(0));
        Thread.sleep(2_000);
        source.goOn();
        while (planner.plan(seconds(1)).entries().isEmpty()) Thread.sleep(10);
        source.hang();
        hints.anyMoved();
        planner.plan(seconds(15));

        Thread.sleep(1_300);
        assertThat(planner.plan(seconds(16)).entries())
                .singleElement()
                .satisfies(entry ->
                        assertThat(entry.delay().orElseThrow().reason()).isEqualTo(WaitReason.NOT_READ));

        while (planner.plan(seconds(17)).unknown().isEmpty()) Thread.sleep(50);
        source.goOn();
    }

    private AffinityPlanner planner(PlacementSource... sources) {
        return planner(SHORT, sources);
    }

    private AffinityPlanner planner(Duration patience, PlacementSource... sources) {
        return new AffinityPlanner(
                cluster,
                List.of(sources),
                _ -> Optional.empty(),
                new ChangeRules(Duration.ofSeconds(30)),
                new PlanLimit(100, 100),
                Set.of(),
                new SourceRounds(List.of(sources), hints, Thread.ofVirtual().factory(), patience));
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
