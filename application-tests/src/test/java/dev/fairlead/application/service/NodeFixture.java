package dev.fairlead.application.service;

import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.node.NodeGrowth;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.BindingAttacher;
import dev.fairlead.testkit.fake.node.FakeFilesystems;
import dev.fairlead.testkit.fake.node.FakeJournal;
import dev.fairlead.testkit.fake.node.FakeMounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node over mounts in memory, and the calls that tests make on it again and again. */
public final class NodeFixture {
    public static final String HANDLE = "v:nas/pvc-1";
    public static final Path STAGING = Path.of("/kubelet/plugins/pv-1/globalmount");
    public static final Path POD_A = Path.of("/kubelet/pods/a/mount");
    public static final Path POD_B = Path.of("/kubelet/pods/b/mount");
    public static final Map<String, String> CONTEXT = Map.of(
            "node_attach_driver", "hostpath", "path", "/srv/nas/v/pvc-1", "provisioner_driver", "local-hostpath");
    public static final VolumeCapability SINGLE = TestVolumes.mount(AccessMode.SINGLE_NODE_SINGLE_WRITER);

    public final FakeMounts mounts = new FakeMounts();
    public final FakeFilesystems filesystems = new FakeFilesystems();
    public final FakeJournal journal = new FakeJournal();
    public final KeyedLocks locks = new KeyedLocks(SteppingClock.standing());
    public final NodeUseCases node = node(NodeGrowth.ELSEWHERE);
    public final TestWork work = TestWork.patient();

    public NodeFixture() {
        mounts.existing(Path.of("/srv/nas/v/pvc-1"));
        mounts.existing(Path.of("/srv/nas/v/pvc-2"));
    }

    public NodeUseCases node(NodeGrowth growth) {
        return UseCases.node(
                new NodePorts(mounts, List.of(new BindingAttacher(mounts)), filesystems, journal),
                new HandleCodec.Proxied(),
                locks,
                growth,
                NodeFixture::description);
    }

    public static DescribeNode.Description description() {
        return new DescribeNode.Description("node-1", 0, Optional.empty());
    }

    public static Map<String, String> context(String path) {
        return Map.of("node_attach_driver", "hostpath", "path", path);
    }

    public void stage() {
        stage(HANDLE, CONTEXT);
    }

    public void stage(String handle, Map<String, String> context) {
        node.stageVolume()
                .stage(new StageVolume.Command(handle, STAGING, TestVolumes.MOUNT, context, Map.of(), Map.of()), work);
    }

    public void stage(TestWork cut) {
        node.stageVolume()
                .stage(new StageVolume.Command(HANDLE, STAGING, TestVolumes.MOUNT, CONTEXT, Map.of(), Map.of()), cut);
    }

    public void unstage() {
        node.unstageVolume().unstage(HANDLE, STAGING, work);
    }

    public void publish(Path target, VolumeCapability capability, boolean readOnly) {
        publish(HANDLE, target, capability, readOnly, CONTEXT);
    }

    public void publish(Path target, TestWork cut) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                HANDLE, Optional.of(STAGING), target, TestVolumes.MOUNT, false, CONTEXT, Map.of()),
                        cut);
    }

    public void publish(
            String handle, Path target, VolumeCapability capability, boolean readOnly, Map<String, String> context) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                handle, Optional.of(STAGING), target, capability, readOnly, context, Map.of()),
                        work);
    }

    public void unpublish(Path target) {
        node.unmountVolume().unmount(HANDLE, target, work);
    }
}
