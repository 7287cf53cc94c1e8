package dev.fairlead.lab;

import csi.v1.CapacityRange;
import csi.v1.ControllerExpandVolumeRequest;
import csi.v1.ControllerExpandVolumeResponse;
import csi.v1.ControllerGetCapabilitiesRequest;
import csi.v1.ControllerGetVolumeRequest;
import csi.v1.ControllerGetVolumeResponse;
import csi.v1.ControllerGrpc;
import csi.v1.ControllerModifyVolumeRequest;
import csi.v1.ControllerPublishVolumeRequest;
import csi.v1.ControllerServiceCapability;
import csi.v1.ControllerUnpublishVolumeRequest;
import csi.v1.CreateSnapshotRequest;
import csi.v1.CreateVolumeGroupSnapshotRequest;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteSnapshotRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.GetCapacityRequest;
import csi.v1.GetCapacityResponse;
import csi.v1.GetPluginInfoRequest;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.ListSnapshotsRequest;
import csi.v1.ListSnapshotsResponse;
import csi.v1.ListVolumesRequest;
import csi.v1.ListVolumesResponse;
import csi.v1.NodeExpandVolumeRequest;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGetInfoResponse;
import csi.v1.NodeGrpc;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import csi.v1.Snapshot;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import csi.v1.VolumeContentSource;
import csi.v1.VolumeGroupSnapshot;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A CSI client on one HTTP/2 connection over a Unix socket, as a sidecar or kubelet has; each call has a deadline. */
public final class CsiClient implements AutoCloseable {
    /** The capability of a mounted file system that many nodes may write to. */
    public static final VolumeCapability MOUNT = VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.getDefaultInstance())
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
            .build();

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;
    private final Duration patience;
    private final VolumeCapability capability;
    private final IdentityGrpc.IdentityBlockingStub identity;
    private final ControllerGrpc.ControllerBlockingStub controller;
    private final GroupControllerGrpc.GroupControllerBlockingStub groups;
    private final NodeGrpc.NodeBlockingStub node;

    public CsiClient(Path socket) {
        this(socket, Duration.ofSeconds(60));
    }

    public CsiClient(Path socket, Duration patience) {
        this(socket, patience, MOUNT);
    }

    /** @param capability what volumes are staged and published for */
    public CsiClient(Path socket, Duration patience, VolumeCapability capability) {
        this.patience = patience;
        this.capability = capability;
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(loop)
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .usePlaintext()
                // The sidecars and kubelet send this authority; Node.js resets streams whose authority is the
                // socket's path.
                .overrideAuthority("localhost")
                .build();
        identity = IdentityGrpc.newBlockingStub(channel);
        controller = ControllerGrpc.newBlockingStub(channel);
        groups = GroupControllerGrpc.newBlockingStub(channel);
        node = NodeGrpc.newBlockingStub(channel);
    }

    private ControllerGrpc.ControllerBlockingStub controller() {
        return controller.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private NodeGrpc.NodeBlockingStub node() {
        return node.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether the driver is ready; one that answers and does not say is (CSI specification, Probe). */
    public boolean probe() {
        ProbeResponse said = identity.withDeadlineAfter(10, TimeUnit.SECONDS).probe(ProbeRequest.getDefaultInstance());
        return !said.hasReady() || said.getReady().getValue();
    }

    /** Returns the CSI name that the driver has at this socket. */
    public String name() {
        return identity.withDeadlineAfter(10, TimeUnit.SECONDS)
                .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                .getName();
    }

    /** Returns the calls that the controller offers. */
    public List<ControllerServiceCapability.RPC.Type> controllerCapabilities() {
        return controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance())
                .getCapabilitiesList()
                .stream()
                .map(capability -> capability.getRpc().getType())
                .toList();
    }

    public Volume create(CreateVolumeRequest request) {
        return controller().createVolume(request).getVolume();
    }

    public Volume create(String name, Map<String, String> parameters) {
        return create(request(name, parameters).build());
    }

    /** Returns a request for a mounted file system of one mebibyte. */
    public static CreateVolumeRequest.Builder request(String name, Map<String, String> parameters) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 20))
                .addVolumeCapabilities(MOUNT)
                .putAllParameters(parameters);
    }

    public static VolumeContentSource fromVolume(String id) {
        return VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId(id))
                .build();
    }

    public static VolumeContentSource fromSnapshot(String id) {
        return VolumeContentSource.newBuilder()
                .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(id))
                .build();
    }

    public void delete(String id) {
        var _ = controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    public ControllerExpandVolumeResponse expand(String id, long bytes) {
        return controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                        .build());
    }

    public ControllerGetVolumeResponse get(String id) {
        return controller()
                .controllerGetVolume(
                        ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    /** Returns the context that the node needs besides the volume's. */
    public Map<String, String> admit(ControllerPublishVolumeRequest request) {
        return controller().controllerPublishVolume(request).getPublishContextMap();
    }

    public void shutOut(ControllerUnpublishVolumeRequest request) {
        var _ = controller().controllerUnpublishVolume(request);
    }

    public ListVolumesResponse list(int max, String token) {
        return controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setMaxEntries(max)
                        .setStartingToken(token)
                        .build());
    }

    public GetCapacityResponse capacity(Map<String, String> parameters) {
        return controller()
                .getCapacity(GetCapacityRequest.newBuilder()
                        .putAllParameters(parameters)
                        .build());
    }

    public Snapshot snapshot(String name, String volume) {
        return snapshot(name, volume, Map.of());
    }

    public Snapshot snapshot(String name, String volume, Map<String, String> parameters) {
        return controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(volume)
                        .putAllParameters(parameters)
                        .build())
                .getSnapshot();
    }

    /** Takes snapshots of volumes at one moment. */
    public VolumeGroupSnapshot groupSnapshot(String name, List<String> volumes) {
        return groups.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS)
                .createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName(name)
                        .addAllSourceVolumeIds(volumes)
                        .build())
                .getGroupSnapshot();
    }

    /** Changes a volume by the parameters of a VolumeAttributesClass. */
    public void modify(String id, Map<String, String> mutable) {
        var _ = controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .putAllMutableParameters(mutable)
                        .build());
    }

    public void deleteSnapshot(String id) {
        var _ = controller()
                .deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
    }

    public ListSnapshotsResponse listSnapshots() {
        return controller().listSnapshots(ListSnapshotsRequest.getDefaultInstance());
    }

    public NodeGetInfoResponse nodeInfo() {
        return node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    }

    public void stage(Volume volume, Path staging) {
        var _ = node().nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .putAllVolumeContext(volume.getVolumeContextMap())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(capability)
                .build());
    }

    public void unstage(Volume volume, Path staging) {
        var _ = node().nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .build());
    }

    /** Grows a staged volume on the node, as kubelet does if the controller has left that to it. */
    public void expandOnNode(Volume volume, Path staging, Path target, long bytes) {
        var _ = node().nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setStagingTargetPath(staging.toString())
                .setVolumePath(target.toString())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .setVolumeCapability(capability)
                .build());
    }

    public void publish(Volume volume, Path staging, Path target, boolean readOnly) {
        var _ = node().nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .putAllVolumeContext(volume.getVolumeContextMap())
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setReadonly(readOnly)
                .setVolumeCapability(capability)
                .build());
    }

    public void unpublish(Volume volume, Path target) {
        var _ = node().nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .setTargetPath(target.toString())
                .build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
