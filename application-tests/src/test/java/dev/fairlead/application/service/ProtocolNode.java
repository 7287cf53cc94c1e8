package dev.fairlead.application.service;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.MountVolume;
import dev.fairlead.application.port.in.node.StageVolume;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.out.node.StagedHandles;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.UnusableConnection;
import dev.fairlead.application.service.health.HealthSettings;
import dev.fairlead.application.service.node.JournalReconciler;
import dev.fairlead.application.service.node.NodeGrowth;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.AttachmentCodec;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.volume.VolumeCapability;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.node.BindingAttacher;
import dev.fairlead.testkit.fake.node.FakeFilesystems;
import dev.fairlead.testkit.fake.node.FakeJournal;
import dev.fairlead.testkit.fake.node.FakeMounts;
import dev.fairlead.testkit.fake.node.FakeShares;
import dev.fairlead.testkit.fake.node.FakeTargets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A node in memory that has a protocol of each kind: directories, shares and devices. */
public final class ProtocolNode {
    public static final String DRIVER = "test.fairlead.dev";
    public static final String HANDLE = "v:nas/pvc-1";
    public static final Path STAGING = Path.of("/kubelet/plugins/pv-1/globalmount");
    public static final Path POD = Path.of("/kubelet/pods/a/mount");
    public static final Path DEVICE = FakeTargets.device("one");
    public static final Attachment TARGET = FakeTargets.target("one");
    public static final Attachment SHARE = new Attachment.Nfs("nas", "/tank/v/pvc-1");

    public final FakeMounts mounts = new FakeMounts();
    public final FakeFilesystems filesystems = new FakeFilesystems();
    public final SteppingClock clock = SteppingClock.standing();
    public final FakeJournal journal = new FakeJournal(clock);
    public final FakeTargets targets = new FakeTargets(mounts);
    public final FakeShares shares = new FakeShares();

    private final List<String> mountFlags;
    private NodeGrowth growth = NodeGrowth.ELSEWHERE;

    public ProtocolNode() {
        this(List.of());
    }

    /** @param mountFlags what the operator adds to every mount */
    public ProtocolNode(List<String> mountFlags) {
        this.mountFlags = mountFlags;
        filesystems.mountedIn(mounts);
        filesystems.blank(DEVICE, 1L << 30);
        mounts.existing(Path.of("/kubelet/pods/a"));
        mounts.existing(Path.of("/kubelet/plugins"));
    }

    /** Lets the processes of this node grow volumes by themselves. */
    public void growing(NodeGrowth storage) {
        growth = storage;
    }

    /** Returns the use cases of a new process on this node. */
    public NodeUseCases process() {
        return process(new KeyedLocks(SteppingClock.standing()));
    }

    /** Returns the use cases of a new process that knows what the orchestrator has staged. */
    public NodeUseCases process(StagedHandles handles) {
        return process(new KeyedLocks(SteppingClock.standing()), new HealthSettings(Set.of(DRIVER), clock, handles));
    }

    /** Returns the use cases of a new process with these locks. */
    public NodeUseCases process(KeyedLocks locks) {
        return process(locks, new HealthSettings(Set.of(DRIVER), clock));
    }

    private NodeUseCases process(KeyedLocks locks, HealthSettings health) {
        return UseCases.node(
                ports(),
                new HandleCodec.Proxied(),
                locks,
                growth,
                UnusableConnection.ELSEWHERE,
                Telemetry.NONE,
                health,
                NodeFixture::description);
    }

    /** Returns the look at what is left over of a new process with these locks. */
    public JournalReconciler reconciler(KeyedLocks locks) {
        return new JournalReconciler(ports(), Set.of(DRIVER), locks, growth, clock);
    }

    public NodePorts ports() {
        return new NodePorts(
                mounts, List.of(new BindingAttacher(mounts), shares, targets), filesystems, journal, mountFlags);
    }

    public String dump() {
        return mounts.dump() + filesystems.dump() + journal.dump() + targets.dump();
    }

    public static boolean stage(NodeUseCases node, Attachment volume, VolumeCapability capability, Work work) {
        return stage(node, volume, capability, Map.of(), Map.of(), work);
    }

    public static boolean stage(
            NodeUseCases node,
            Attachment volume,
            VolumeCapability capability,
            Map<String, String> more,
            Map<String, String> published,
            Work work) {
        Map<String, String> context = new HashMap<>(AttachmentCodec.encode(volume));
        context.putAll(more);
        node.stageVolume()
                .stage(
                        new StageVolume.Command(
                                HANDLE, STAGING, capability, context, published, Map.of("unknown", new Secret("x"))),
                        work);
        return true;
    }

    public static boolean publish(NodeUseCases node, Attachment volume, VolumeCapability capability, Work work) {
        node.mountVolume()
                .mount(
                        new MountVolume.Command(
                                HANDLE,
                                Optional.of(STAGING),
                                POD,
                                capability,
                                false,
                                AttachmentCodec.encode(volume),
                                Map.of()),
                        work);
        return true;
    }

    public static boolean unpublish(NodeUseCases node, Work work) {
        node.unmountVolume().unmount(HANDLE, POD, work);
        return true;
    }

    public static boolean unstage(NodeUseCases node, Work work) {
        node.unstageVolume().unstage(HANDLE, STAGING, work);
        return true;
    }
}
