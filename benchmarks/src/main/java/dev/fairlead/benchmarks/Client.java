package dev.fairlead.benchmarks;

import csi.v1.CapacityRange;
import csi.v1.ControllerGrpc;
import csi.v1.CreateVolumeRequest;
import csi.v1.DeleteVolumeRequest;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.ProbeRequest;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A CSI client on one HTTP/2 connection over a Unix socket, as a sidecar has. */
final class Client implements AutoCloseable {
    private static final VolumeCapability CAPABILITY = VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.getDefaultInstance())
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.MULTI_NODE_MULTI_WRITER))
            .build();

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;
    private final IdentityGrpc.IdentityBlockingStub identity;
    private final ControllerGrpc.ControllerBlockingStub controller;
    private final NodeGrpc.NodeBlockingStub node;

    Client(Path socket) {
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(loop)
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .usePlaintext()
                .build();
        identity = IdentityGrpc.newBlockingStub(channel);
        controller = ControllerGrpc.newBlockingStub(channel);
        node = NodeGrpc.newBlockingStub(channel);
    }

    void probe() {
        identity.withDeadlineAfter(10, TimeUnit.SECONDS).probe(ProbeRequest.getDefaultInstance());
    }

    Volume create(String name, Map<String, String> parameters) {
        return controller
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .createVolume(CreateVolumeRequest.newBuilder()
                        .setName(name)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 20))
                        .addVolumeCapabilities(CAPABILITY)
                        .putAllParameters(parameters)
                        .build())
                .getVolume();
    }

    void delete(String id) {
        controller
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    void stage(Volume volume, Path staging) {
        node.withDeadlineAfter(60, TimeUnit.SECONDS)
                .nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(CAPABILITY)
                        .build());
    }

    void unstage(Volume volume, Path staging) {
        node.withDeadlineAfter(60, TimeUnit.SECONDS)
                .nodeUnstageVolume(NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .setStagingTargetPath(staging.toString())
                        .build());
    }

    void publish(Volume volume, Path staging, Path target) {
        node.withDeadlineAfter(60, TimeUnit.SECONDS)
                .nodePublishVolume(NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.getVolumeId())
                        .putAllVolumeContext(volume.getVolumeContextMap())
                        .setStagingTargetPath(staging.toString())
                        .setTargetPath(target.toString())
                        .setVolumeCapability(CAPABILITY)
                        .build());
    }

    void unpublish(Volume volume, Path target) {
        node.withDeadlineAfter(60, TimeUnit.SECONDS)
                .nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
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
