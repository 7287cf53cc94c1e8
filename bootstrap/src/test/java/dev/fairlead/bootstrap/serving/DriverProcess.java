package dev.fairlead.bootstrap.serving;

import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGrpc;
import csi.v1.NodeGrpc.NodeBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A node plugin in a process of its own, which dies where {@link DriverToKill} is told to; its programs are looked for
 * in the folder {@code programs} first.
 */
final class DriverProcess implements AutoCloseable {
    private static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private static final Duration START = Duration.ofMinutes(2);

    private final Process process;
    private final ManagedChannel channel;

    DriverProcess(Path folder) throws IOException, InterruptedException {
        Path socket = folder.resolve("csi.sock");
        Files.deleteIfExists(socket);
        ProcessBuilder java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dkills=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        DriverToKill.class.getName(),
                        "--csi-name=test.fairlead.dev",
                        "--csi-mode=node",
                        "--log-level=debug",
                        "--log-format=text",
                        "--driver-config-file=" + folder.resolve("driver.yaml"),
                        "--server-socket=" + socket)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("driver.log").toFile()));
        java.environment().put("CSI_NODE_ID", "n1");
        java.environment().merge("PATH", folder + "/programs", (path, first) -> first + ":" + path);
        process = java.start();
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(LOOP)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        long end = System.nanoTime() + START.toNanos();
        while (!Files.exists(socket)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                close();
                throw new IOException("the plugin does not start: " + Files.readString(folder.resolve("driver.log")));
            }
            Thread.sleep(50);
        }
        var _ = node().withDeadlineAfter(1, TimeUnit.MINUTES).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
    }

    NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel).withWaitForReady();
    }

    /** Returns whether the process ends by itself, or is killed, within a moment. */
    boolean hasEnded() throws InterruptedException {
        return process.waitFor(1, TimeUnit.SECONDS);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        process.destroyForcibly();
        boolean _ = process.onExit().orTimeout(1, TimeUnit.MINUTES).join().isAlive();
    }
}
