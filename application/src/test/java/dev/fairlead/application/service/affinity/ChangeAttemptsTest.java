package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.VolumeUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How often, and in which order, changes are tried. */
class ChangeAttemptsTest {
    private static final int MOST = 5;

    private final StagedCluster cluster = new StagedCluster();
    private final StagedSource source = new StagedSource();
    private final AffinityRun run = run(AffinityAnnouncer.NONE);

    @Test
    void refused_changes_are_no_more_attempts_than_the_rate_allows() {
        for (int i = 0; i < 40; i++) {
            widened("pv-" + i, "fast");
            cluster.refuse("pv-" + i);
        }

        round(0);
        assertThat(cluster.tried()).hasSize(MOST);
        for (int second = 1; second <= 15; second++) {
            round(second);
        }
        assertThat(cluster.tried()).hasSize(2 * MOST).doesNotHaveDuplicates();
    }

    @Test
    void a_refused_change_is_tried_again_after_ever_longer_times_and_is_told_in_each_round() {
        widened("pv-1", "fast");
        cluster.refuse("pv-1");
        List<Integer> tried = new ArrayList<>();

        for (int second = 0; second <= 1_600; second++) {
            int before = cluster.tried().size();
            assertThat(round(second)).extracting(ChangeOutcome::result).containsExactly(Result.BLOCKED);
            if (cluster.tried().size() > before) tried.add(second);
        }

        assertThat(tried).containsExactly(0, 15, 45, 105, 225, 465, 945, 1_545);
    }

    @Test
    void it_is_made_once_the_server_allows_it_and_what_would_be_changed_otherwise_is_tried_at_once() {
        widened("pv-1", "fast");
        cluster.refuse("pv-1");
        round(0);
        source.at("pv-1", "a", "c");
        round(5);
        assertThat(cluster.tried()).hasSize(2);

        cluster.allow("pv-1");
        round(10);
        assertThat(cluster.changed()).isEmpty();
        round(20);
        assertThat(cluster.changed()).containsExactly("pv-1");
    }

    @Test
    void what_another_program_has_to_end_first_is_no_attempt() {
        for (int i = 0; i < 100; i++) {
            widened("held-" + i, "many");
            cluster.hold("held-" + i);
        }
        widened("pv-1", "many");

        assertThat(round(0)).hasSize(101);
        assertThat(cluster.tried()).containsExactly("pv-1");
    }

    @Test
    void a_class_with_many_changes_does_not_keep_another_waiting() {
        for (int i = 0; i < 100; i++) {
            widened("many-" + i, "many");
        }
        widened("one", "small");

        round(0);

        assertThat(cluster.changed()).hasSize(MOST).contains("one");
    }

    @Test
    void claims_of_a_class_that_are_not_bound_again_leave_places_for_another() {
        for (int i = 0; i < 20; i++) {
            widened("stuck-" + i, "stuck");
            cluster.stick("stuck-" + i);
        }
        for (int second = 0; second < 300; second += 15) {
            round(second);
        }
        assertThat(cluster.open()).hasSize(8);

        widened("one", "small");
        round(300);

        assertThat(cluster.changed()).contains("one");
    }

    @Test
    void the_groups_take_turns_in_telling_that_they_wait() {
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            cluster.addOfClass("many-" + i, "many", "a");
            source.at("many-" + i, "b");
        }
        cluster.addOfClass("one", "small", "a");
        source.at("one", "b");
        AffinityAnnouncer heard = new AffinityAnnouncer() {
            @Override
            public void ended(ChangeOutcome outcome) {}

            @Override
            public void waits(AffinityChange change, ChangeDelay delay) {
                told.add(change.volume());
            }

            @Override
            public void unknown(Map<String, VolumePlacement.Unknown> volumes) {}
        };

        run(heard).once(Duration.ZERO, () -> true);

        assertThat(told.subList(0, 2)).contains("one");
    }

    @Test
    void a_change_that_is_always_too_late_rests_for_a_minute_at_most() {
        // Its phase changes between plan and change, each time.
        cluster.add("pv-1", "v1", new VolumeUse(false, Optional.empty(), "Bound", List.of()), "a");
        source.at("pv-1", "a", "b");
        cluster.beLate("pv-1");

        for (int second = 0; second <= 600; second++) {
            round(second);
        }

        assertThat(cluster.tried()).hasSizeBetween(10, 20);
    }

    private AffinityRun run(AffinityAnnouncer announcer) {
        return new AffinityRun(
                cluster,
                cluster,
                new AffinityPlanner(
                        cluster,
                        List.of(source),
                        _ -> Optional.empty(),
                        ChangeRules.USUAL,
                        new PlanLimit(100, 100),
                        Set.of(),
                        SourceRounds.ofAll(List.of(source), Thread.ofVirtual().factory())),
                announcer,
                new ChangeBudget(MOST, Duration.ofSeconds(15)),
                10);
    }

    private void widened(String name, String storageClass) {
        cluster.addOfClass(name, storageClass, "a");
        source.at(name, "a", "b");
    }

    private List<ChangeOutcome> round(int second) {
        return run.once(Duration.ofSeconds(second), () -> true).outcomes();
    }
}
