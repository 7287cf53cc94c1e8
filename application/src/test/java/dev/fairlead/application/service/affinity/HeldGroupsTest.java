package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.application.service.affinity.AffinityPlan.Held;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.WaitReason;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class HeldGroupsTest {
    private final StagedCluster cluster = new StagedCluster();
    private final StagedSource source = new StagedSource();
    private final AffinityPlanner planner = planner(Set.of());

    @Test
    void a_group_that_is_over_the_limit_by_itself_waits_and_the_others_go_on() {
        group("large", 50, 50);
        group("small", 50, 5);

        AffinityPlan plan = planner.plan(seconds(0));

        assertThat(waiting(plan)).containsExactly("class large");
        assertThat(plan.held())
                .containsExactly(new Held("staged", Optional.of("class large"), 50, 50, digest(plan, "class large")));
        assertThat(plan.entries().getFirst().delay().orElseThrow().text())
                .contains("class large", "50 of 50", "30 %, at least 10", "others go on")
                .endsWith("--approve " + digest(plan, "class large"));
    }

    @Test
    void an_edit_of_a_small_group_is_made_while_a_large_one_waits() {
        group("large", 100, 100);
        group("edited", 20, 20);

        assertThat(waiting(planner.plan(seconds(0)))).containsExactly("class large");
    }

    @Test
    void a_plan_within_the_share_of_the_source_is_made_though_it_changes_a_whole_group() {
        group("edited", 30, 30);
        group("quiet", 70, 0);

        AffinityPlan plan = planner.plan(seconds(0));

        assertThat(waiting(plan)).isEmpty();
        assertThat(plan.held()).isEmpty();
    }

    @Test
    void groups_that_are_over_the_limit_only_together_wait_if_each_is_over_its_own_share() {
        group("a", 20, 20);
        group("b", 20, 20);
        group("c", 60, 18);

        assertThat(waiting(planner.plan(seconds(0)))).containsExactly("class a", "class b");
    }

    @Test
    void what_waits_goes_on_to_wait_when_the_others_are_done() {
        group("a", 20, 20);
        group("c", 80, 11);
        AffinityRun run = run(planner);

        AffinityPlan first = run.once(seconds(0), () -> true).plan();
        assertThat(waiting(first)).containsExactly("class a");
        assertThat(cluster.changed()).hasSize(11).allMatch(name -> name.startsWith("c-"));
        assertThat(waiting(run.once(seconds(15), () -> true).plan())).containsExactly("class a");
        assertThat(cluster.changed()).hasSize(11);

        AffinityRun approved = run(planner(Set.of(first.held().getFirst().digest())));
        approved.once(seconds(30), () -> true);
        assertThat(cluster.changed()).hasSize(31);
    }

    @Test
    void many_groups_that_are_each_within_their_share_stop_the_whole_source() {
        for (int i = 0; i < 10; i++) {
            group("small" + i, 10, 4);
        }

        AffinityPlan plan = planner.plan(seconds(0));

        assertThat(plan.entries())
                .hasSize(40)
                .allMatch(entry -> entry.delay()
                        .filter(delay -> delay.reason() == WaitReason.BREAKER)
                        .isPresent());
        assertThat(plan.held()).containsExactly(new Held("staged", Optional.empty(), 40, 100, plan.digest()));
        assertThat(plan.entries().getFirst().delay().orElseThrow().text()).contains("no group of them alone");
    }

    @Test
    void a_group_over_its_own_share_never_holds_up_another() {
        Random random = new Random(21);
        for (int round = 0; round < 40; round++) {
            StagedCluster some = new StagedCluster();
            StagedSource said = new StagedSource();
            int quiet = 1 + random.nextInt(40);
            fill(some, said, "other", 11 + random.nextInt(120), 130);
            fill(some, said, "quiet", quiet, Math.min(quiet, 10) / 2);

            AffinityPlan plan = planner(some, said, Set.of()).plan(seconds(0));

            assertThat(waiting(plan)).as("round %d", round).doesNotContain("class quiet");
        }
    }

    @Test
    void what_a_lost_node_explains_goes_on_within_a_group_that_waits() {
        group("large", 50, 50);
        source.says(
                "large-3",
                PlacementReading.of(StagedSource.segments("b"), "", "why")
                        .explainedBy("node-a", Map.of("example.com/host", "a")));

        Set<String> stopped = new HashSet<>();
        planner.plan(seconds(0)).entries().stream()
                .filter(HeldGroupsTest::isStopped)
                .forEach(entry -> stopped.add(entry.change().volume()));

        assertThat(stopped).hasSize(49).doesNotContain("large-3");
    }

    private void group(String name, int volumes, int changes) {
        fill(cluster, source, name, volumes, changes);
    }

    private static void fill(StagedCluster cluster, StagedSource source, String name, int volumes, int changes) {
        for (int i = 0; i < volumes; i++) {
            cluster.addOfClass(name + "-" + i, name, "a");
            if (i < changes) {
                source.at(name + "-" + i, "a", "b");
            } else {
                source.at(name + "-" + i, "a");
            }
        }
    }

    private static Set<String> waiting(AffinityPlan plan) {
        Set<String> groups = new TreeSet<>();
        plan.entries().stream()
                .filter(HeldGroupsTest::isStopped)
                .forEach(entry -> groups.add(entry.group().name()));
        return groups;
    }

    private static boolean isStopped(Entry entry) {
        return entry.delay()
                .filter(delay -> delay.reason() == WaitReason.BREAKER)
                .isPresent();
    }

    private static PlanDigest digest(AffinityPlan plan, String group) {
        return PlanDigest.of(plan.entries().stream()
                .filter(entry -> entry.group().name().equals(group))
                .map(Entry::change)
                .toList());
    }

    private AffinityPlanner planner(Set<PlanDigest> approvals) {
        return planner(cluster, source, approvals);
    }

    private static AffinityPlanner planner(StagedCluster cluster, StagedSource source, Set<PlanDigest> approvals) {
        return new AffinityPlanner(
                cluster,
                List.of(source),
                _ -> Optional.empty(),
                ChangeRules.USUAL,
                PlanLimit.USUAL,
                approvals,
                SourceRounds.ofAll(List.of(source), Thread.ofVirtual().factory()));
    }

    private AffinityRun run(AffinityPlanner planner) {
        return new AffinityRun(
                cluster, cluster, planner, AffinityAnnouncer.NONE, new ChangeBudget(100, seconds(15)), 10);
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }
}
