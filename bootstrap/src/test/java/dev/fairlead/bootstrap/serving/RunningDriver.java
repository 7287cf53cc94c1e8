package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ControllerGrpc;
import csi.v1.CreateVolumeRequest;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import csi.v1.Topology;
import csi.v1.Volume;
import csi.v1.VolumeCapability;
import dev.fairlead.bootstrap.logging.LogSettings;
import dev.fairlead.bootstrap.logging.Logging;
import dev.fairlead.bootstrap.options.ServeCommandLine;
import dev.fairlead.bootstrap.serving.process.Startup;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A driver with a folder of its own, started as {@code Main} starts it, and clients on its socket. */
final class RunningDriver implements AutoCloseable {
    /** What a connection to this machine's own disks may have: others may keep them busy for long. */
    static final String PATIENT = "fairlead: {patience: 2m}\n";

    private static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    static {
        Logging.use(new LogSettings(LogSettings.LogLevel.ERROR, LogSettings.Format.TEXT, false));
    }

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> options = new ArrayList<>();
    private String csiName = "test.fairlead.dev";
    private Optional<Serving> serving = Optional.empty();
    private Optional<ManagedChannel> channel = Optional.empty();

    RunningDriver(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("connections"));
    }

    /** A driver of both halves that serves the connections of its folder. */
    static RunningDriver proxy(Path folder) throws IOException {
        return new RunningDriver(folder).main("""
                    driver: proxy
                    proxy:
                      configFolder: "@DIR@/connections"
                      nodeTopology: {type: node}
                    """).env("CSI_NODE_ID", "n1");
    }

    RunningDriver env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    RunningDriver named(String name) {
        csiName = name;
        return this;
    }

    /** One more option on the command line. */
    RunningDriver option(String option) {
        options.add(option.replace("@DIR@", folder.toString()));
        return this;
    }

    RunningDriver main(String text) throws IOException {
        Files.writeString(folder.resolve("driver.yaml"), text.replace("@DIR@", folder.toString()));
        return this;
    }

    RunningDriver connection(String name, String text) throws IOException {
        String patient = text.startsWith("driver: local-") && !text.contains("fairlead:") ? text + PATIENT : text;
        Path draft = Files.writeString(folder.resolve("draft"), patient.replace("@DIR@", folder.toString()));
        Files.move(draft, folder.resolve("connections").resolve(name + ".yaml"));
        return this;
    }

    /** A connection on a folder of its own, with more lines below its driver's. */
    RunningDriver localConnection(String name, String more) throws IOException {
        Files.createDirectories(folder.resolve("volumes-" + name));
        return connection(name, local("@DIR@/volumes-" + name) + more);
    }

    static String local(String base) {
        return "driver: local-hostpath\nlocal-hostpath:\n  shareBasePath: " + base + "\n  controllerBasePath: " + base
                + "\n";
    }

    RunningDriver start(String... modes) throws InterruptedException {
        Path socket = folder.resolve("csi.sock");
        var arguments = new ArrayList<>(List.of(
                "--csi-name=" + csiName,
                "--driver-config-file=" + folder.resolve("driver.yaml"),
                "--server-socket=" + socket));
        arguments.addAll(options);
        for (String mode : modes) {
            arguments.add("--csi-mode=" + mode);
        }
        Serving started = Driver.serving(
                Startup.of(ServeCommandLine.parse(Optional.empty(), arguments, environment), environment));
        boolean serves = started.start(why -> {
            throw new AssertionError(why);
        });
        assertThat(serves).isTrue();
        serving = Optional.of(started);
        channel = Optional.of(NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(LOOP)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build());
        return this;
    }

    /** What it answers to a GET. */
    String http(String path) throws IOException {
        int port = serving.orElseThrow().monitor().port().orElseThrow();
        try (Socket http = new Socket(InetAddress.getLoopbackAddress(), port)) {
            http.getOutputStream().write(("GET " + path + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(http.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel.orElseThrow());
    }

    NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel.orElseThrow());
    }

    IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel.orElseThrow());
    }

    static CreateVolumeRequest.Builder volume(String name, Map<String, String> parameters) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .putAllParameters(parameters)
                .addVolumeCapabilities(mounted());
    }

    /** Creates a volume on the connection {@code disk}. */
    Volume create(String name) {
        return controller()
                .createVolume(volume(name, Map.of("connection", "disk")).build())
                .getVolume();
    }

    static void isUnavailable(String code, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE))
                .hasMessageContaining(code);
    }

    static VolumeCapability mounted() {
        return VolumeCapability.newBuilder()
                .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                        .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
                .build();
    }

    /** A term of the usual prefix. */
    static Topology term(String... keysAndValues) {
        var term = Topology.newBuilder();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            term.putSegments("org.democratic-csi.topology/" + keysAndValues[i], keysAndValues[i + 1]);
        }
        return term.build();
    }

    /** As a signal has it drain; answers whether all calls ended in time. */
    boolean drain(Duration atMost) throws InterruptedException {
        return serving.orElseThrow().drain(atMost);
    }

    @Override
    public void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
        serving.ifPresent(started -> {
            try {
                started.drain(Duration.ofSeconds(5));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
