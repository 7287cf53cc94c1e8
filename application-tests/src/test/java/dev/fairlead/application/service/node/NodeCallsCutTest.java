package dev.fairlead.application.service.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.format.DeviceFindings.Kind;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.CrashPoints;
import dev.fairlead.testkit.crash.CrashScenario;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each node call is cut at each of its effects, for a share, a file system on a device, and a raw device. */
class NodeCallsCutTest {
    private final World world = new World();

    private void survive(Attachment volume, VolumeCapability capability, Integer... effects) {
        CrashPoints<NodeUseCases> points = new CrashPoints<>(world);
        var work = TestWork.patient();

        points.survive(CrashScenario.changing(
                "stage", _ -> {}, (node, cut) -> ProtocolNode.stage(node, volume, capability, cut)));
        points.survive(CrashScenario.changing(
                "publish",
                node -> ProtocolNode.stage(node, volume, capability, work),
                (node, cut) -> ProtocolNode.publish(node, volume, capability, cut)));
        points.survive(CrashScenario.changing(
                "unpublish",
                node -> {
                    ProtocolNode.stage(node, volume, capability, work);
                    ProtocolNode.publish(node, volume, capability, work);
                },
                ProtocolNode::unpublish));
        points.survive(CrashScenario.changing(
                "unstage", node -> ProtocolNode.stage(node, volume, capability, work), ProtocolNode::unstage));

        assertThat(points.counts()).extracting(CrashPoints.Count::effects).isEqualTo(List.of(effects));
    }

    @Test
    void a_share() {
        survive(ProtocolNode.SHARE, TestVolumes.MOUNT, 2, 2, 2, 2);
    }

    @Test
    void a_file_system_on_a_device() {
        survive(ProtocolNode.TARGET, TestVolumes.MOUNT, 8, 2, 2, 4);
    }

    @Test
    void a_raw_device() {
        survive(ProtocolNode.TARGET, TestVolumes.BLOCK, 6, 2, 2, 5);
    }

    @Test
    void a_volume_that_another_driver_staged_is_given_back() {
        CrashPoints<NodeUseCases> points = new CrashPoints<>(world);
        points.survive(CrashScenario.changing("unstage", _ -> world.stagedByAnother(), ProtocolNode::unstage));

        assertThat(points.counts().getFirst().effects()).isEqualTo(5);
        assertThat(world.dump()).doesNotContain("session").doesNotContain("journal");
    }

    private static final class World implements CrashFixture<NodeUseCases> {
        private ProtocolNode node = new ProtocolNode();

        void stagedByAnother() {
            var work = TestWork.patient();
            node.targets.login(((Attachment.Iscsi) ProtocolNode.TARGET).iqn());
            node.filesystems.written(FakeTargets.device("one"), 1L << 30, Kind.FILESYSTEM, "ext4");
            node.mounts.existing(ProtocolNode.STAGING);
            node.mounts.mount(
                    Filesystem.of("ext4", ProtocolNode.DEVICE.toString(), List.of("rw")), ProtocolNode.STAGING, work);
        }

        @Override
        public void reset() {
            node = new ProtocolNode();
        }

        @Override
        public NodeUseCases open() {
            return node.process();
        }

        @Override
        public void close(NodeUseCases subject) {
            // the use cases hold nothing
        }

        @Override
        public String dump() {
            return node.dump();
        }
    }
}
