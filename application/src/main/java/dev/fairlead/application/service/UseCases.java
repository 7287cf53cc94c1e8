package dev.fairlead.application.service;

import dev.fairlead.application.port.in.ControllerUseCases;
import dev.fairlead.application.port.in.GroupUseCases;
import dev.fairlead.application.port.in.NodeUseCases;
import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.application.port.in.volume.GetVolume;
import dev.fairlead.application.port.out.cluster.Whereabouts;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.work.MonotonicClock;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.RunningWork;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.connection.UnusableConnection;
import dev.fairlead.application.service.create.AbsentSource;
import dev.fairlead.application.service.create.CreateVolumeService;
import dev.fairlead.application.service.health.HealthSettings;
import dev.fairlead.application.service.health.MeasureVolumeService;
import dev.fairlead.application.service.health.ReadUsages;
import dev.fairlead.application.service.health.ReportHealthService;
import dev.fairlead.application.service.health.ServerSilence;
import dev.fairlead.application.service.list.ListSnapshotsService;
import dev.fairlead.application.service.list.ListVolumesService;
import dev.fairlead.application.service.node.Attachers;
import dev.fairlead.application.service.node.CutFormats;
import dev.fairlead.application.service.node.DeviceStaging;
import dev.fairlead.application.service.node.FailedStaging;
import dev.fairlead.application.service.node.GrowFilesystemService;
import dev.fairlead.application.service.node.MountVolumeService;
import dev.fairlead.application.service.node.MountedVolumes;
import dev.fairlead.application.service.node.NodeGrowth;
import dev.fairlead.application.service.node.NodeMounts;
import dev.fairlead.application.service.node.SharedDevices;
import dev.fairlead.application.service.node.StageVolumeService;
import dev.fairlead.application.service.node.StagingPaths;
import dev.fairlead.application.service.node.StaleMounts;
import dev.fairlead.application.service.node.UnmountVolumeService;
import dev.fairlead.application.service.node.UnmountedGrowth;
import dev.fairlead.application.service.node.UnstageVolumeService;
import dev.fairlead.application.service.plan.VolumeViews;
import dev.fairlead.application.service.publish.PublishVolumeService;
import dev.fairlead.application.service.publish.UnpublishVolumeService;
import dev.fairlead.application.service.snapshot.DeleteGroupService;
import dev.fairlead.application.service.snapshot.DeleteSnapshotService;
import dev.fairlead.application.service.snapshot.GetGroupService;
import dev.fairlead.application.service.snapshot.GetSnapshotService;
import dev.fairlead.application.service.snapshot.NamesElsewhere;
import dev.fairlead.application.service.snapshot.SnapshotNames;
import dev.fairlead.application.service.snapshot.SnapshotViews;
import dev.fairlead.application.service.snapshot.TakeGroupService;
import dev.fairlead.application.service.snapshot.TakeSnapshotService;
import dev.fairlead.application.service.transfer.TransferTurns;
import dev.fairlead.application.service.volume.DeleteVolumeService;
import dev.fairlead.application.service.volume.ExpandVolumeService;
import dev.fairlead.application.service.volume.FoundVolumeStaging;
import dev.fairlead.application.service.volume.GetVolumeService;
import dev.fairlead.application.service.volume.ModifyVolumeService;
import dev.fairlead.application.service.volume.ReportCapacityService;
import dev.fairlead.application.service.volume.ValidateVolumeService;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.node.NodeIdCodec;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Builds the use cases; other packages get them only here. */
public final class UseCases {
    private UseCases() {}

    /**
     * @param only the only connection of a driver that serves one; its classes cannot choose
     * @param nodes reads the ids of the nodes that volumes are published to
     * @param whereabouts finds content on other nodes; {@link Whereabouts#NONE} if no storage belongs to a single node
     */
    public static ControllerUseCases controller(
            Connections connections,
            HandleCodec codec,
            KeyedLocks locks,
            Optional<ConnectionName> only,
            NodeIdCodec nodes,
            Telemetry telemetry,
            Whereabouts whereabouts) {
        return controller(connections, codec, locks, only, nodes, telemetry, whereabouts, NodeMounts.ELSEWHERE);
    }

    /**
     * Builds the controller's use cases, in a process that may serve a node too.
     *
     * @param mounts {@link #mountsBy} the node's attachers in one process, else {@link NodeMounts#ELSEWHERE}
     */
    public static ControllerUseCases controller(
            Connections connections,
            HandleCodec codec,
            KeyedLocks locks,
            Optional<ConnectionName> only,
            NodeIdCodec nodes,
            Telemetry telemetry,
            Whereabouts whereabouts,
            NodeMounts mounts) {
        var volumes = new VolumeViews(codec);
        var snapshots = new SnapshotViews(codec);
        var getVolume = new GetVolumeService(connections, volumes);
        var getSnapshot = new GetSnapshotService(connections, snapshots);
        return new ControllerUseCases(
                new CreateVolumeService(
                        connections, codec, locks, only, telemetry, new AbsentSource(whereabouts), new TransferTurns()),
                new DeleteVolumeService(connections, codec, locks, mounts),
                new ExpandVolumeService(connections, codec, locks),
                new ValidateVolumeService(connections, codec, getVolume),
                new PublishVolumeService(connections, codec, locks, nodes),
                new UnpublishVolumeService(connections, codec, locks),
                new ListVolumesService(connections, volumes),
                getVolume,
                new ReportCapacityService(connections, only, telemetry),
                new TakeSnapshotService(
                        connections, snapshots, locks, new NamesElsewhere(connections, new SnapshotNames())),
                new DeleteSnapshotService(connections, codec, locks),
                getSnapshot,
                new ListSnapshotsService(connections, snapshots, getSnapshot),
                new ModifyVolumeService(connections, codec, locks),
                new GroupUseCases(
                        new TakeGroupService(
                                connections, snapshots, locks, new NamesElsewhere(connections, new SnapshotNames())),
                        new DeleteGroupService(connections, snapshots, locks),
                        new GetGroupService(connections, snapshots)));
    }

    /**
     * @param locks the same as the controller's, if both are one process
     * @param storage {@link #growthBy} the controller's use case in one process, else {@link NodeGrowth#ELSEWHERE}
     */
    public static NodeUseCases node(
            NodePorts ports, HandleCodec codec, KeyedLocks locks, NodeGrowth storage, DescribeNode describe) {
        HealthSettings health = new HealthSettings(Set.of(), new MonotonicClock());
        return node(ports, codec, locks, storage, UnusableConnection.ELSEWHERE, Telemetry.NONE, health, describe);
    }

    /**
     * Builds the node's use cases, in a process that may serve a controller too.
     *
     * @param unusable {@link #unusableBy} the controller's connections in one process
     */
    public static NodeUseCases node(
            NodePorts ports,
            HandleCodec codec,
            KeyedLocks locks,
            NodeGrowth storage,
            UnusableConnection unusable,
            Telemetry telemetry,
            HealthSettings health,
            DescribeNode describe) {
        Mounter mounter = ports.mounter();
        var protocols = new Attachers(ports.attachers());
        var mounted = new MountedVolumes(codec, protocols, mounter, ports.journal());
        var cuts = new CutFormats(ports.filesystems(), ports.journal());
        var shared = new SharedDevices(protocols, ports.journal(), cuts, locks);
        var stale = new StaleMounts(mounter);
        var silence = new ServerSilence(mounter);
        var usages = new ReadUsages(health.clock());
        var devices = new DeviceStaging(mounter, ports.filesystems(), ports.journal(), cuts, shared, telemetry);
        var unmounted = new UnmountedGrowth(mounter, ports.filesystems(), ports.journal(), locks, storage);
        return new NodeUseCases(
                new StageVolumeService(
                        protocols,
                        mounter,
                        devices,
                        stale,
                        ports.journal(),
                        new FailedStaging(protocols, mounter, ports.journal(), shared),
                        locks,
                        shared,
                        unusable,
                        ports.mountFlags()),
                new UnstageVolumeService(protocols, mounter, ports.journal(), locks, shared, unmounted),
                new MountVolumeService(protocols, mounter, ports.filesystems(), stale, locks),
                new UnmountVolumeService(protocols, mounter, ports.journal(), locks),
                new MeasureVolumeService(mounted, ports, silence, usages),
                new GrowFilesystemService(
                        mounted, protocols, ports.filesystems(), ports.journal(), locks, storage, unmounted),
                new ReportHealthService(ports, codec, health, silence, usages),
                describe);
    }

    /**
     * Tells a controller what the node in its process has mounted. Staging paths of kubelet are left out: kubelet may
     * have forgotten one, and it is unmounted once the volume is deleted.
     *
     * @param drivers the CSI names of this process
     */
    public static NodeMounts mountsBy(List<Attacher<?>> attachers, Set<String> drivers) {
        var protocols = new Attachers(attachers);
        var staging = new StagingPaths(drivers);
        return (attachment, work) -> protocols.mountPoints(attachment, work).stream()
                .filter(mountPoint -> !staging.include(mountPoint))
                .toList();
    }

    /** Lets a node know which connections of its process cannot be used. */
    public static UnusableConnection unusableBy(Connections connections, HandleCodec codec) {
        return handle -> codec.volume(handle).flatMap(volume -> {
            try (ConnectionUse _ = connections.use(volume.connection())) {
                return Optional.empty();
            } catch (StorageException unusable) {
                return Optional.of(unusable.failure());
            }
        });
    }

    /** Lets a node stage volumes whose context does not say how, by the controller that is in its process. */
    public static NodeUseCases staging(NodeUseCases node, GetVolume volumes) {
        return new NodeUseCases(
                new FoundVolumeStaging(node.stageVolume(), volumes),
                node.unstageVolume(),
                node.mountVolume(),
                node.unmountVolume(),
                node.measureVolume(),
                node.growFilesystem(),
                node.reportHealth(),
                node.describeNode());
    }

    /** Lets a node grow volumes by the controller that is in its process. */
    public static NodeGrowth growthBy(ExpandVolume expandVolume) {
        return (handle, range, work) ->
                Optional.of(expandVolume.expandHere(handle, range, work).capacity());
    }

    /**
     * @param clock one that never goes back, or deadlines come early
     * @param ending whether the process is about to end
     */
    public static WorkFactory works(InstantSource clock, Telemetry telemetry, BooleanSupplier ending) {
        return RunningWork.factory(clock, telemetry, ending);
    }
}
