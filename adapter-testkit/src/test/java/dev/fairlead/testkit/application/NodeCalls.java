package dev.fairlead.testkit.application;

import dev.fairlead.application.port.in.DescribeNode;
import dev.fairlead.application.port.in.MountVolume;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.StageVolume;
import dev.fairlead.application.service.KeyedLocks;
import dev.fairlead.application.service.NodeGrowth;
import dev.fairlead.application.service.UseCases;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.BindingAttacher;
import dev.fairlead.testkit.fake.FakeMounts;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node over mounts in memory, and the calls that tests make on it again and again. */
final class NodeCalls {
    static final String HANDLE = "v:nas/pvc-1";
    static final Path STAGING = Path.of("/kubelet/plugins/pv-1/globalmount");
    static final Path POD_A = Path.of("/kubelet/pods/a/mount");
    static final Path POD_B = Path.of("/kubelet/pods/b/mount");
    static final Map<String, String> CONTEXT = Map.of(
            "node_attach_driver", "hostpath", "path", "/srv/nas/v/pvc-1", "provisioner_driver", "local-hostpath");
    static final VolumeCapability SINGLE = TestVolumes.mount(AccessMode.SINGLE_NODE_SINGLE_WRITER);

    final FakeMounts mounts = new FakeMounts();
    final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    final NodeUseCases node = node(NodeGrowth.ELSEWHERE);
    final TestWork work = TestWork.patient();

    NodeCalls() {
        mounts.existing(Path.of("/srv/nas/v/pvc-1"));
        mounts.existing(Path.of("/srv/nas/v/pvc-2"));
    }

    NodeUseCases node(NodeGrowth growth) {
        return UseCases.node(
                mounts,
                List.of(new BindingAttacher(mounts)),
                new HandleCodec.Proxied(),
                locks,
                growth,
                NodeCalls::description);
    }

    static DescribeNode.Description description() {
        return new DescribeNode.Description("node-1", 0, Optional.empty());
    }

    static Map<String, String> context(String path) {
        return Map.of("node_attach_driver", "hostpath", "path", path);
    }

    void stage() {
        stage(HANDLE, CONTEXT);
    }

    void stage(String handle, Map<String, String> context) {
        node.stageVolume().stage(new StageVolume.Command(handle, STAGING, TestVolumes.MOUNT, context, Map.of()), work);
    }

    void stage(TestWork cut) {
        node.stageVolume().stage(new StageVolume.Command(HANDLE, STAGING, TestVolumes.MOUNT, CONTEXT, Map.of()), cut);
    }

    void unstage() {
        node.unstageVolume().unstage(HANDLE, STAGING, work);
    }

    void publish(Path target, VolumeCapability capability, boolean readOnly) {
        publish(HANDLE, target, capability, readOnly, CONTEXT);
    }

    void publish(Path target, TestWork cut) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                HANDLE, Optional.of(STAGING), target, TestVolumes.MOUNT, false, CONTEXT),
                        cut);
    }

    void publish(
            String handle, Path target, VolumeCapability capability, boolean readOnly, Map<String, String> context) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(handle, Optional.of(STAGING), target, capability, readOnly, context),
                        work);
    }

    void unpublish(Path target) {
        node.unmountVolume().unmount(HANDLE, target, work);
    }
}
