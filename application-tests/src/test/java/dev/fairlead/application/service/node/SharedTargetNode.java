package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.service.ProtocolNode;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.Map;

/** A node in memory on which several volumes, each by a handle and at a staging path of its own, name one device. */
final class SharedTargetNode {
    static final Attachment.Iscsi ONE = FakeTargets.target("one");
    static final VolumeCapability RAW =
            new VolumeCapability(new VolumeCapability.Block(), AccessMode.SINGLE_NODE_WRITER);

    final ProtocolNode on = new ProtocolNode();
    final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    final NodeUseCases node = on.process(locks);
    final TestWork work = TestWork.patient();

    static Path staging(String handle) {
        return Path.of("/kubelet/plugins/" + handle + "/globalmount");
    }

    void stage(String handle, VolumeCapability capability) {
        stage(handle, ONE, capability);
    }

    void stage(String handle, Attachment volume, VolumeCapability capability) {
        stage(node, handle, volume, capability, work);
    }

    void stage(NodeUseCases by, String handle, VolumeCapability capability, TestWork how) {
        stage(by, handle, ONE, capability, how);
    }

    private static void stage(
            NodeUseCases by, String handle, Attachment volume, VolumeCapability capability, TestWork how) {
        by.stageVolume()
                .stage(
                        new StageVolume.Command(
                                handle,
                                staging(handle),
                                capability,
                                AttachmentCodec.encode(volume),
                                Map.of(),
                                Map.of()),
                        how);
    }

    /** Stages a volume of which the making of the file system is cut off. */
    void stageCut(String handle) {
        Failing.works(() -> stage(
                on.process(), handle, TestVolumes.MOUNT, TestWork.patient().cancelledAfter(5)));
    }

    void unstage(String handle) {
        node.unstageVolume().unstage(handle, staging(handle), work);
    }
}
