package dev.fairlead.adapter.grpc;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import pluginregistration.v1.InfoRequest;
import pluginregistration.v1.PluginInfo;
import pluginregistration.v1.RegistrationGrpc;
import pluginregistration.v1.RegistrationStatus;

/** What kubelet says to drivers whose sockets appear in its folder. */
public record Kubelet(Path registry) {
    private static final EventLoopGroup CLIENT_LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    public Path socket(String name) {
        return registry.resolve(name + "-reg.sock");
    }

    private <T> T asKubelet(String name, Function<RegistrationGrpc.RegistrationBlockingStub, T> call) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket(name)))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(CLIENT_LOOP)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            return call.apply(RegistrationGrpc.newBlockingStub(channel).withDeadlineAfter(5, TimeUnit.SECONDS));
        } finally {
            channel.shutdownNow();
        }
    }

    public PluginInfo info(String name) {
        return asKubelet(name, stub -> stub.getInfo(InfoRequest.getDefaultInstance()));
    }

    public void tell(String name, boolean registered, String error) {
        var _ = asKubelet(
                name,
                stub -> stub.notifyRegistrationStatus(RegistrationStatus.newBuilder()
                        .setPluginRegistered(registered)
                        .setError(error)
                        .build()));
    }
}
