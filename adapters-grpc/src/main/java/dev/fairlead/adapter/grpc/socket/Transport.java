package dev.fairlead.adapter.grpc.socket;

import csi.v1.IdentityGrpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.buffer.ByteBufAllocator;
import io.grpc.netty.shaded.io.netty.buffer.UnpooledByteBufAllocator;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.ServerChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.netty.shaded.io.netty.util.internal.logging.InternalLoggerFactory;
import io.grpc.netty.shaded.io.netty.util.internal.logging.JdkLoggerFactory;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Provides what all listeners share: one thread for all input and output, as calls are few and small.
 *
 * <p>That thread also answers Probe and health checks, so they do not wait behind calls that work, however many these
 * are. All other calls write a line to the log when they end, which may wait for the reader of the log, so they run on
 * threads of their own.
 */
public final class Transport {
    private static final int CALLS_PER_CONNECTION = 1024;

    /**
     * The levels of the transport's own loggers. They would write the first bytes of every frame at debug, and requests
     * carry secrets, so they are kept to warnings, whatever the level of the rest; that of its bootstrap is kept to
     * errors, since at every connection it warns of an option that a Unix socket does not have. The loggers are held
     * here, since the logging library forgets the level of one that nobody references.
     */
    private static final Map<Logger, Level> QUIET = Map.of(
            Logger.getLogger("io.grpc"), Level.WARNING,
            Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap"), Level.SEVERE);

    /**
     * The property without which Netty unpacks and loads libraries for another kind of socket, which needs a writable
     * folder.
     */
    private static final String NO_NATIVE = "io.grpc.netty.shaded.io.netty.transport.noNative";

    static {
        System.setProperty(NO_NATIVE, "true");
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
        QUIET.forEach(Logger::setLevel);
    }

    private final EventLoopGroup loop =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("csi-io", true), NioIoHandler.newFactory());
    private final ByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    private final Executor executor;
    private final int maxMessageBytes;

    public Transport(Executor executor, int maxMessageBytes) {
        this.executor = executor;
        this.maxMessageBytes = maxMessageBytes;
    }

    Server unixServer(SocketAddress address, List<ServerServiceDefinition> services) {
        return server(address, NioServerDomainSocketChannel.class, services);
    }

    Server tcpServer(SocketAddress address, List<ServerServiceDefinition> services) {
        return server(address, NioServerSocketChannel.class, services);
    }

    private Server server(
            SocketAddress address, Class<? extends ServerChannel> channel, List<ServerServiceDefinition> services) {
        return NettyServerBuilder.forAddress(address, InsecureServerCredentials.create())
                .channelType(channel)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .withOption(ChannelOption.ALLOCATOR, allocator)
                .withChildOption(ChannelOption.ALLOCATOR, allocator)
                .directExecutor()
                .callExecutor(new CallThreads(executor))
                .maxInboundMessageSize(maxMessageBytes)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addServices(services)
                .build();
    }

    public void close() {
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Gives each call the threads that it runs on. */
    private record CallThreads(Executor others) implements ServerCallExecutorSupplier {
        private static final Set<String> FROM_MEMORY = Set.of(
                IdentityGrpc.getProbeMethod().getFullMethodName(),
                HealthGrpc.getCheckMethod().getFullMethodName(),
                HealthGrpc.getWatchMethod().getFullMethodName());

        @Override
        public <Q, R> Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
            return FROM_MEMORY.contains(call.getMethodDescriptor().getFullMethodName()) ? Runnable::run : others;
        }
    }
}
