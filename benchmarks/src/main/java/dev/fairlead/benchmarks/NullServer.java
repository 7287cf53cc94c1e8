package dev.fairlead.benchmarks;

import com.google.protobuf.BoolValue;
import csi.v1.ControllerGrpc;
import csi.v1.CreateVolumeRequest;
import csi.v1.CreateVolumeResponse;
import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.NodePublishVolumeRequest;
import csi.v1.NodePublishVolumeResponse;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.NodeStageVolumeResponse;
import csi.v1.NodeUnpublishVolumeRequest;
import csi.v1.NodeUnpublishVolumeResponse;
import csi.v1.NodeUnstageVolumeRequest;
import csi.v1.NodeUnstageVolumeResponse;
import csi.v1.ProbeRequest;
import csi.v1.ProbeResponse;
import csi.v1.Volume;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/** Serves CSI with the same libraries as Fairlead, does nothing and answers at once: the floor under every RPC. */
final class NullServer {
    private NullServer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(Path.of(args[0])))
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .channelType(NioServerDomainSocketChannel.class)
                .executor(Executors.newVirtualThreadPerTaskExecutor())
                .addService(new Identity())
                .addService(new Controller())
                .addService(new Node())
                .build()
                .start()
                .awaitTermination();
    }

    private static <T> void answer(StreamObserver<T> observer, T message) {
        observer.onNext(message);
        observer.onCompleted();
    }

    private static final class Identity extends IdentityGrpc.IdentityImplBase {
        @Override
        public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
            answer(
                    observer,
                    ProbeResponse.newBuilder().setReady(BoolValue.of(true)).build());
        }
    }

    private static final class Controller extends ControllerGrpc.ControllerImplBase {
        @Override
        public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
            answer(
                    observer,
                    CreateVolumeResponse.newBuilder()
                            .setVolume(Volume.newBuilder().setVolumeId(request.getName()))
                            .build());
        }

        @Override
        public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
            answer(observer, DeleteVolumeResponse.getDefaultInstance());
        }
    }

    private static final class Node extends NodeGrpc.NodeImplBase {
        @Override
        public void nodePublishVolume(
                NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
            answer(observer, NodePublishVolumeResponse.getDefaultInstance());
        }

        @Override
        public void nodeUnpublishVolume(
                NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
            answer(observer, NodeUnpublishVolumeResponse.getDefaultInstance());
        }

        @Override
        public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> observer) {
            answer(observer, NodeStageVolumeResponse.getDefaultInstance());
        }

        @Override
        public void nodeUnstageVolume(
                NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> observer) {
            answer(observer, NodeUnstageVolumeResponse.getDefaultInstance());
        }
    }
}
