package dev.fairlead.application.service.node;

import static dev.fairlead.application.service.NodeFixture.CONTEXT;
import static dev.fairlead.application.service.NodeFixture.HANDLE;
import static dev.fairlead.application.service.NodeFixture.POD_A;
import static dev.fairlead.application.service.NodeFixture.POD_B;
import static dev.fairlead.application.service.NodeFixture.SINGLE;
import static dev.fairlead.application.service.NodeFixture.STAGING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.service.NodeFixture;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeTest {
    private final NodeFixture on = new NodeFixture();

    @Test
    void a_volume_is_staged_published_and_taken_away_again_without_a_trace() {
        String before = on.mounts.dump();
        on.stage();
        on.publish(POD_A, TestVolumes.MOUNT, false);
        on.publish(POD_B, TestVolumes.MOUNT, true);

        assertThat(on.mounts.at(POD_A, on.work))
                .hasValueSatisfying(it -> assertThat(it.root()).isEqualTo("/srv/nas/v/pvc-1"));
        assertThat(on.mounts.at(POD_B, on.work))
                .hasValueSatisfying(it -> assertThat(it.readOnly()).isTrue());

        on.unpublish(POD_A);
        on.unpublish(POD_B);
        on.unstage();
        assertThat(on.mounts.isDirectory(POD_A)).isFalse();
        assertThat(on.mounts.table(on.work)).hasSize(1);
        assertThat(before).doesNotContain("globalmount");
    }

    @Test
    void every_call_twice_is_as_once() {
        on.stage();
        on.stage();
        on.publish(POD_A, TestVolumes.MOUNT, false);
        on.publish(POD_A, TestVolumes.MOUNT, false);
        assertThat(on.mounts.table(on.work)).hasSize(3);

        on.unpublish(POD_A);
        on.unpublish(POD_A);
        on.unstage();
        on.unstage();
        assertThat(on.mounts.table(on.work)).hasSize(1);
    }

    @Test
    void a_staging_path_that_shows_another_volume_is_a_conflict() {
        on.stage();

        Failing.with(
                Failure.MountConflict.class, () -> on.stage("v:nas/pvc-2", NodeFixture.context("/srv/nas/v/pvc-2")));
        Failing.with(
                Failure.MountConflict.class,
                () -> on.publish(
                        "v:nas/pvc-2", POD_A, TestVolumes.MOUNT, false, NodeFixture.context("/srv/nas/v/pvc-2")));
    }

    @Test
    void a_context_that_is_not_ours_is_refused_by_its_key() {
        assertThatThrownBy(() -> on.stage(HANDLE, Map.of())).hasMessageContaining("volume_context.node_attach_driver");
        assertThatThrownBy(() -> on.stage(HANDLE, Map.of("node_attach_driver", "warp")))
                .hasMessageContaining("'warp'");
        assertThatThrownBy(() -> on.stage(HANDLE, Map.of("node_attach_driver", "hostpath")))
                .hasMessageContaining("volume_context.path");
    }

    /** A process that is controller and node at once copies volumes that pods use. */
    @Test
    void a_copy_of_the_volume_that_is_under_way_holds_up_no_pod_and_a_deletion_does() {
        boolean used = on.locks.sharing(LockKey.volume(HANDLE), on.work, () -> {
            on.stage();
            on.publish(POD_A, SINGLE, false);
            on.unpublish(POD_A);
            on.unstage();
            return true;
        });
        boolean refused = on.locks.exclusively(LockKey.volume(HANDLE), on.work, () -> {
            Failing.with(Failure.OperationPending.class, on::stage);
            return true;
        });

        assertThat(used && refused).isTrue();
    }

    @Test
    void calls_that_change_where_a_volume_is_attached_shut_each_other_out() {
        boolean refused = on.locks.changingAttachment(HANDLE, on.work, () -> {
            Failing.with(Failure.OperationPending.class, on::stage);
            Failing.with(Failure.OperationPending.class, on::unstage);
            Failing.with(Failure.OperationPending.class, () -> on.publish(POD_A, SINGLE, false));
            Failing.with(Failure.OperationPending.class, () -> on.unpublish(POD_A));
            return true;
        });

        assertThat(refused).isTrue();
    }

    @Test
    void a_protocol_that_the_node_does_not_speak_is_refused() {
        NodeUseCases mute = UseCases.node(
                new NodePorts(on.mounts, List.of(), on.filesystems, on.journal),
                new HandleCodec.Proxied(),
                on.locks,
                NodeGrowth.ELSEWHERE,
                NodeFixture::description);

        Failing.with(
                Failure.Unsupported.class,
                () -> mute.stageVolume()
                        .stage(
                                new StageVolume.Command(
                                        HANDLE, STAGING, TestVolumes.MOUNT, CONTEXT, Map.of(), Map.of()),
                                on.work));
    }

    @Test
    void a_cut_call_is_finished_by_the_next() {
        for (int effects = 0; effects < 3; effects++) {
            int cut = effects;
            Failing.works(() -> on.stage(TestWork.patient().cancelledAfter(cut)));
            on.stage();
            Failing.works(() -> on.publish(POD_A, TestWork.patient().cancelledAfter(cut)));
            on.publish(POD_A, TestVolumes.MOUNT, false);
            assertThat(on.mounts.table(on.work)).hasSize(3);

            Failing.works(() -> on.node
                    .unmountVolume()
                    .unmount(HANDLE, POD_A, TestWork.patient().cancelledAfter(cut)));
            on.unpublish(POD_A);
            Failing.works(() -> on.node
                    .unstageVolume()
                    .unstage(HANDLE, STAGING, TestWork.patient().cancelledAfter(cut)));
            on.unstage();
            assertThat(on.mounts.table(on.work)).hasSize(1);
            assertThat(on.mounts.isDirectory(POD_A)).isFalse();
        }
    }

    @Test
    void a_node_tells_what_it_is() {
        assertThat(on.node.describeNode().describe().nodeId()).isEqualTo("node-1");
    }
}
