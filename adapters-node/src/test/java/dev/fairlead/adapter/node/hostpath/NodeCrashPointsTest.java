package dev.fairlead.adapter.node.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.crash.InterferedWork;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every effect of every node call is cut, in a world of real mounts; after a retry it is as if nothing had happened.
 */
class NodeCrashPointsTest {
    private static final List<CrashScenario<StagedNode>> CALLS = List.of(
            CrashScenario.changing("stage", NodeCrashPointsTest::nothing, StagedNode::stage),
            CrashScenario.changing("publish", NodeCrashPointsTest::staged, StagedNode::publish),
            CrashScenario.changing("unpublish", NodeCrashPointsTest::published, StagedNode::unpublish),
            CrashScenario.changing("unstage", NodeCrashPointsTest::staged, StagedNode::unstage));

    private static void nothing(StagedNode node) {}

    private static void staged(StagedNode node) {
        node.stage(TestWork.patient());
    }

    private static void published(StagedNode node) {
        staged(node);
        node.publish(TestWork.patient());
    }

    @RegisterExtension
    final MountSandbox sandbox = new MountSandbox();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void every_call_survives_a_cut_at_every_effect(boolean newest) {
        CrashPoints<StagedNode> points = new CrashPoints<>(new MountCrashFixture(sandbox, newest));

        CALLS.forEach(points::survive);

        assertThat(points.counts()).extracting(CrashPoints.Count::effects).containsExactly(2, 2, 2, 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_effect_that_did_not_happen_is_noticed(boolean newest) {
        MountCrashFixture fixture = new MountCrashFixture(sandbox, newest);
        for (CrashScenario<StagedNode> call : CALLS) {
            for (int effect = 1; effect <= 2; effect++) {
                fixture.reset();
                StagedNode node = fixture.open();
                call.given().accept(node);
                InterferedWork lied = InterferedWork.at(effect, Interference.LIE);

                assertThatThrownBy(() -> call.call().run(node, lied))
                        .as("%s, effect %d", call.name(), effect)
                        .isInstanceOf(StorageException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_others_took_off_or_put_on_top_is_undone_too(boolean newest) {
        MountCrashFixture fixture = new MountCrashFixture(sandbox, newest);
        fixture.reset();
        StagedNode node = fixture.open();
        published(node);
        fixture.mountOver("base/v", "kubelet/staging/globalmount");
        fixture.lose("kubelet/pods/one/mount");

        node.unpublish(TestWork.patient());
        node.unstage(TestWork.patient());

        assertThat(fixture.dump()).doesNotContain("mount /").contains("base/v/one/is-one");
    }
}
