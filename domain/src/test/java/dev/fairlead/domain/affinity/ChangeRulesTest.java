package dev.fairlead.domain.affinity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.domain.topology.TopologySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeRulesTest {
    private static final String HOST = "example.com/host";
    private static final ChangeRules RULES = ChangeRules.USUAL;
    private static final AffinityChange WIDENS = change("pv-1", hosts("a"), hosts("a", "b"));
    private static final AffinityChange NARROWS = change("pv-1", hosts("a", "b"), hosts("a"));
    private static final AffinityChange SETS = change("pv-1", NodeAffinity.UNSET, hosts("a"));
    private static final SteadyReading NEW = SteadyReading.first(reading("a"), seconds(100));
    private static final SteadyReading OLD =
            NEW.then(reading("a"), seconds(115)).then(reading("a"), seconds(130));

    @Test
    void a_widening_is_made_at_once() {
        assertThat(RULES.delay(WIDENS, NEW, idle(), seconds(100))).isEmpty();
        assertThat(RULES.delay(WIDENS, NEW, attached("a"), seconds(100))).isEmpty();
    }

    @Test
    void whatever_may_take_a_volume_from_a_node_settles_first() {
        for (AffinityChange change : List.of(NARROWS, SETS)) {
            assertThat(reason(RULES.delay(change, NEW, idle(), seconds(100)))).contains(WaitReason.SETTLING);
            assertThat(reason(RULES.delay(change, OLD, idle(), seconds(129)))).contains(WaitReason.SETTLING);
            assertThat(RULES.delay(change, OLD, idle(), seconds(130))).isEmpty();
        }
    }

    @Test
    void one_reading_never_settles_however_old_it_is() {
        assertThat(reason(RULES.delay(NARROWS, NEW, idle(), seconds(9000)))).contains(WaitReason.SETTLING);
    }

    @Test
    void another_placement_another_revision_and_an_unknown_one_begin_anew() {
        SteadyReading unknown = OLD.then(PlacementReading.unknown("half a list"), seconds(140));
        SteadyReading revised = OLD.then(PlacementReading.of(reading("a").placement(), "r2", "why"), seconds(140));

        assertThat(OLD.then(reading("b"), seconds(140)).readings()).isEqualTo(1);
        assertThat(unknown.then(reading("a"), seconds(150)).readings()).isEqualTo(1);
        assertThat(revised.since()).isEqualTo(seconds(140));
    }

    @Test
    void a_node_that_uses_the_volume_does_not_lose_it() {
        assertThat(reason(RULES.delay(NARROWS, OLD, attached("b"), seconds(130))))
                .contains(WaitReason.IN_USE);
        assertThat(RULES.delay(NARROWS, OLD, attached("a"), seconds(130))).isEmpty();
        // A node that the old affinity did not admit either loses nothing.
        assertThat(RULES.delay(NARROWS, OLD, attached("c"), seconds(130))).isEmpty();
    }

    @Test
    void a_node_whose_labels_are_not_known_is_taken_for_one_that_loses() {
        VolumeUse use = use(false, "Bound", new VolumeUse.Attached("gone", false, Optional::empty));

        assertThat(reason(RULES.delay(NARROWS, OLD, use, seconds(130)))).contains(WaitReason.UNKNOWN_NODE);
        assertThat(RULES.delay(NARROWS, OLD, use, seconds(130)).orElseThrow().message())
                .startsWith("FL-AFF-003 it is attached to node gone");
    }

    @Test
    void an_attachment_in_motion_a_deletion_a_pause_and_a_phase_make_even_a_widening_wait() {
        VolumeUse moving = use(false, "Bound", new VolumeUse.Attached("a", true, () -> Optional.of(Map.of(HOST, "a"))));
        VolumeUse paused = new VolumeUse(false, Optional.of("annotation"), "Bound", List.of());

        assertThat(reason(RULES.delay(WIDENS, OLD, moving, seconds(130)))).contains(WaitReason.ATTACHMENT_IN_MOTION);
        assertThat(reason(RULES.delay(WIDENS, OLD, use(true, "Bound"), seconds(130))))
                .contains(WaitReason.DELETION_BEGUN);
        assertThat(reason(RULES.delay(WIDENS, OLD, paused, seconds(130)))).contains(WaitReason.PAUSED);
        for (String phase : List.of("Available", "Released", "Failed", "Pending", "")) {
            assertThat(reason(RULES.delay(WIDENS, OLD, use(false, phase), seconds(130))))
                    .contains(WaitReason.NOT_BOUND);
        }
    }

    @Test
    void the_limit_is_a_share_and_at_least_a_number_and_does_not_count_what_a_lost_node_explains() {
        assertThat(PlanLimit.USUAL.isExceeded(changes(10), 20)).isFalse();
        assertThat(PlanLimit.USUAL.isExceeded(changes(11), 20)).isTrue();
        assertThat(PlanLimit.USUAL.isExceeded(changes(60), 200)).isFalse();
        assertThat(PlanLimit.USUAL.isExceeded(changes(61), 200)).isTrue();
        List<AffinityChange> explained = changes(200).stream()
                .map(one -> new AffinityChange(
                        one.volume(), one.uid(), one.from(), one.to(), one.source(), "", Optional.of("node-3")))
                .toList();
        assertThat(PlanLimit.USUAL.isExceeded(explained, 200)).isFalse();
        assertThatThrownBy(() -> new PlanLimit(101, 1)).hasMessageContaining("expected: 0 to 100");
    }

    @Test
    void a_digest_names_the_changes_and_not_their_order_nor_their_reasons() {
        List<AffinityChange> changes = changes(3);
        PlanDigest digest = PlanDigest.of(changes);

        assertThat(PlanDigest.of(changes.reversed())).isEqualTo(digest);
        assertThat(PlanDigest.of(changes(4))).isNotEqualTo(digest);
        AffinityChange other = change("pv-2", hosts("a"), hosts("c"));
        assertThat(PlanDigest.of(List.of(changes.get(0), changes.get(1), other)))
                .isNotEqualTo(digest);
        assertThat(new PlanDigest(digest.toString())).isEqualTo(digest);
        assertThatThrownBy(() -> new PlanDigest("yes")).hasMessageContaining("expected: the 24 characters");
    }

    private static List<AffinityChange> changes(int count) {
        List<AffinityChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            changes.add(change("pv-" + i, hosts("a"), hosts("b")));
        }
        return changes;
    }

    private static Optional<WaitReason> reason(Optional<ChangeDelay> delay) {
        return delay.map(ChangeDelay::reason);
    }

    private static VolumeUse idle() {
        return use(false, "Bound");
    }

    private static VolumeUse attached(String node) {
        return use(false, "Bound", new VolumeUse.Attached(node, false, () -> Optional.of(Map.of(HOST, node))));
    }

    private static VolumeUse use(boolean deleting, String phase, VolumeUse.Attached... attachments) {
        return new VolumeUse(deleting, Optional.empty(), phase, List.of(attachments));
    }

    private static AffinityChange change(String volume, NodeAffinity from, NodeAffinity to) {
        return new AffinityChange(volume, "uid-" + volume, from, to, "test", "why", Optional.empty());
    }

    private static PlacementReading reading(String host) {
        return PlacementReading.of(
                VolumePlacement.within(List.of(TopologySegment.of(Map.of(HOST, host)))), "r1", "why");
    }

    private static NodeAffinity hosts(String... names) {
        return new NodeAffinity(List.of(names).stream()
                .map(name -> NodeTerm.of(TopologySegment.of(Map.of(HOST, name))))
                .toList());
    }

    private static Duration seconds(long count) {
        return Duration.ofSeconds(count);
    }
}
