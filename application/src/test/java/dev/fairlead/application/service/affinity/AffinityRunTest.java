package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.KnownNodes;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.domain.affinity.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AffinityRunTest {
    private final StagedCluster cluster = new StagedCluster();
    private final StagedSource source = new StagedSource();
    private KnownNodes nodes = _ -> Optional.empty();

    @Test
    void a_widening_is_made_at_once_and_a_move_after_two_equal_readings() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "a");
        source.at("pv-1", "a", "b");
        source.at("pv-2", "b");
        AffinityRun run = run(planner(Set.of()));

        run.once(seconds(0), () -> true);
        assertThat(cluster.changed()).containsExactly("pv-1");
        run.once(seconds(15), () -> true);
        assertThat(cluster.changed()).containsExactly("pv-1");
        run.once(seconds(30), () -> true);
        assertThat(cluster.changed()).containsExactly("pv-1", "pv-2");
        assertThat(run.once(seconds(45), () -> true).plan().entries()).isEmpty();
        assertThat(cluster.resumed()).isEqualTo(4);
    }

    @Test
    void what_a_round_has_changed_is_told_although_no_more_may_be_changed() {
        many(2);
        cluster.stopAt("pv-1");

        AffinityRun.Report report = run(planner(Set.of())).once(seconds(0), () -> true);

        assertThat(report.outcomes()).extracting(ChangeOutcome::volume).containsExactly("pv-0");
        cluster.stopAt("pv-0");
        AffinityRun stopped = run(planner(Set.of()));
        assertThatThrownBy(() -> stopped.once(seconds(15), () -> true)).hasMessageContaining("it renews");
    }

    @Test
    void what_is_unknown_or_left_out_or_said_by_nobody_changes_nothing() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "a");
        source.says("pv-1", PlacementReading.unknown("half a list"));
        AffinityPlanner planner = planner(Set.of());

        AffinityPlan plan = planner.plan(seconds(0));
        assertThat(plan.entries()).isEmpty();
        assertThat(plan.unknown())
                .containsEntry("pv-1", new VolumePlacement.Unknown("half a list"))
                .containsKey("pv-2");

        source.silence();
        AffinityPlan silent = planner.plan(seconds(90));
        assertThat(silent.entries()).isEmpty();
        assertThat(Objects.requireNonNull(silent.unknown().get("pv-1")).message())
                .startsWith("FL-AFF-001 FL-KUBE-001");
    }

    @Test
    void two_volumes_of_one_handle_are_left_alone() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v1", StagedCluster.IDLE, "a");
        source.at("pv-1", "a", "b");
        source.at("pv-2", "a", "b");

        AffinityPlan plan = planner(Set.of()).plan(seconds(0));

        assertThat(plan.entries()).isEmpty();
        assertThat(plan.unknown().values())
                .hasSize(2)
                .allSatisfy(why -> assertThat(why.finding()).contains(AffinityFinding.SHARED_HANDLE));
    }

    @Test
    void a_plan_over_the_limit_waits_until_its_digest_is_approved() {
        many(20);
        AffinityPlan plan = planner(Set.of()).plan(seconds(0));
        assertThat(reasons(plan)).hasSize(20).containsOnly(WaitReason.BREAKER);
        run(planner(Set.of())).once(seconds(0), () -> true);
        assertThat(cluster.changed()).isEmpty();

        AffinityRun run = run(planner(Set.of(plan.digest())));
        run.once(seconds(0), () -> true);
        assertThat(cluster.changed()).hasSize(5);
        // What is left is approved although the plan is another one by now.
        run.once(seconds(15), () -> true);
        run.once(seconds(30), () -> true);
        run.once(seconds(45), () -> true);
        assertThat(cluster.changed()).hasSize(20);
    }

    @Test
    void an_approval_holds_for_nothing_that_was_not_shown() {
        many(20);
        PlanDigest digest = planner(Set.of()).plan(seconds(0)).digest();
        source.at("pv-7", "a", "elsewhere");

        AffinityPlan plan = planner(Set.of(digest)).plan(seconds(0));

        assertThat(reasons(plan)).hasSize(20).containsOnly(WaitReason.BREAKER);
    }

    @Test
    void however_often_it_is_looked_no_more_are_changed_than_the_rate_allows() {
        for (int i = 0; i < 20; i++) {
            cluster.add("pv-" + i, "v" + i, StagedCluster.IDLE, "a");
        }
        for (int i = 0; i < 10; i++) {
            source.at("pv-" + i, "a", "b");
        }
        AffinityRun run = run(planner(Set.of()));

        for (int second = 0; second < 15; second += 3) {
            run.once(seconds(second), () -> true);
        }
        assertThat(cluster.changed()).hasSize(5 + 4);
        run.once(seconds(15), () -> true);
        assertThat(cluster.changed()).hasSize(10);
    }

    @Test
    void a_node_that_is_not_known_makes_all_but_a_widening_wait() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "a");
        source.at("pv-1", "ghost");
        source.at("pv-2", "a", "ghost");
        nodes = to -> to.toString().contains("=a]") ? Optional.empty() : Optional.of("no node has the labels " + to);
        AffinityRun run = run(planner(Set.of()));

        AffinityPlan plan = planner(Set.of()).plan(seconds(0));
        assertThat(reasons(plan)).containsExactly(WaitReason.UNKNOWN_NODE);
        assertThat(plan.entries().getFirst().delay().orElseThrow().message())
                .isEqualTo("FL-AFF-003 no node has the labels [example.com/host=ghost]");
        for (int second = 0; second < 120; second += 15) {
            run.once(seconds(second), () -> true);
        }

        assertThat(cluster.changed()).containsExactly("pv-2");
    }

    @Test
    void what_a_lost_node_explains_does_not_wait() {
        many(20);
        for (int i = 0; i < 15; i++) {
            source.says(
                    "pv-" + i,
                    PlacementReading.of(StagedSource.segments("b"), "", "why")
                            .explainedBy("node-a", Map.of("example.com/host", "a")));
        }

        assertThat(reasons(planner(Set.of()).plan(seconds(0)))).doesNotContain(WaitReason.BREAKER);
    }

    @Test
    void a_lost_node_explains_no_change_of_a_volume_that_it_could_not_use_or_can_use_still() {
        many(20);
        for (int i = 0; i < 20; i++) {
            source.says(
                    "pv-" + i,
                    PlacementReading.of(StagedSource.segments("a", "b"), "", "why")
                            .explainedBy("node-3", Map.of("example.com/host", i % 2 == 0 ? "a" : "z")));
        }

        assertThat(reasons(planner(Set.of()).plan(seconds(0)))).hasSize(20).containsOnly(WaitReason.BREAKER);
    }

    @Test
    void nothing_is_begun_once_the_process_is_to_end() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.at("pv-1", "a", "b");

        run(planner(Set.of())).once(seconds(0), () -> false);

        assertThat(cluster.changed()).isEmpty();
    }

    @Test
    void what_was_made_says_why_also_if_it_ends_in_a_later_round() {
        for (String name : List.of("pv-1", "pv-2")) {
            cluster.add(name, name, StagedCluster.IDLE, "a");
            source.says(
                    name,
                    PlacementReading.of(
                            StagedSource.segments("a", "b"), "", "by the union of the annotations x/a, x/b"));
        }
        cluster.stick("pv-2");
        AffinityRun run = run(planner(Set.of()));

        assertThat(run.once(seconds(0), () -> true).outcomes())
                .extracting(ChangeOutcome::text)
                .containsExactly("; by the union of the annotations x/a, x/b", "its claim is not bound");
        cluster.unstick("pv-2");
        assertThat(run.once(seconds(15), () -> true).outcomes())
                .extracting(ChangeOutcome::text)
                .startsWith("done; by the union of the annotations x/a, x/b");
    }

    @Test
    void volumes_that_are_refused_do_not_keep_the_others_waiting() {
        many(10);
        for (int i = 0; i < 7; i++) {
            cluster.refuse("pv-" + i);
        }

        AffinityRun run = run(planner(Set.of()));
        run.once(seconds(0), () -> true);
        run.once(seconds(15), () -> true);

        assertThat(cluster.changed()).containsExactly("pv-7", "pv-8", "pv-9");
    }

    @Test
    void a_change_over_the_limit_says_so_although_it_is_settling_too() {
        many(20);
        for (int i = 0; i < 20; i++) {
            source.at("pv-" + i, "b");
        }

        AffinityPlan plan = planner(Set.of()).plan(seconds(0));

        assertThat(reasons(plan)).hasSize(20).containsOnly(WaitReason.BREAKER);
        assertThat(plan.entries().getFirst().delay().orElseThrow().text()).contains("--approve", "30 s");
    }

    @Test
    void the_next_run_is_due_once_the_first_placement_has_settled() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "a");
        source.at("pv-1", "b");
        source.at("pv-2", "a");
        AffinityRun run = run(planner(Set.of()));

        assertThat(run.once(seconds(1), () -> true).due()).contains(seconds(31));
        source.at("pv-2", "b");
        assertThat(run.once(seconds(16), () -> true).due()).contains(seconds(31));
        assertThat(run.once(seconds(31), () -> true).due()).contains(seconds(46));
        assertThat(cluster.changed()).containsExactly("pv-1");
        run.once(seconds(46), () -> true);
        assertThat(run.once(seconds(60), () -> true).due()).isEmpty();
    }

    @Test
    void a_source_that_breaks_says_nothing_and_stops_nothing() {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        source.breaks();

        AffinityPlan plan = planner(Set.of()).plan(seconds(0));

        assertThat(plan.entries()).isEmpty();
        assertThat(plan.unknown()).containsOnlyKeys("pv-1");
    }

    @Test
    void a_deletion_that_has_begun_is_left_alone() {
        cluster.add("pv-1", "v1", new VolumeUse(true, Optional.empty(), "Bound", List.of()), "a");
        source.at("pv-1", "a", "b");

        assertThat(reasons(planner(Set.of()).plan(seconds(0)))).containsExactly(WaitReason.DELETION_BEGUN);
    }

    private void many(int count) {
        for (int i = 0; i < count; i++) {
            cluster.add("pv-" + i, "v" + i, StagedCluster.IDLE, "a");
            source.at("pv-" + i, "a", "b");
        }
    }

    private AffinityPlanner planner(Set<PlanDigest> approvals) {
        return new AffinityPlanner(
                cluster,
                List.of(source),
                nodes,
                ChangeRules.USUAL,
                PlanLimit.USUAL,
                approvals,
                SourceRounds.ofAll(List.of(source), Thread.ofVirtual().factory()));
    }

    private AffinityRun run(AffinityPlanner planner) {
        return new AffinityRun(cluster, cluster, planner, AffinityAnnouncer.NONE, new ChangeBudget(5, seconds(15)), 10);
    }

    private static List<WaitReason> reasons(AffinityPlan plan) {
        return plan.entries().stream()
                .flatMap(entry -> entry.delay().stream())
                .map(ChangeDelay::reason)
                .toList();
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }
}
