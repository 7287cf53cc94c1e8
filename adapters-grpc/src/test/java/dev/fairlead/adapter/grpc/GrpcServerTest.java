package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import csi.v1.ControllerGrpc;
import csi.v1.DeleteVolumeRequest;
import csi.v1.DeleteVolumeResponse;
import csi.v1.GetPluginInfoRequest;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGetInfoRequest;
import csi.v1.NodeGrpc;
import csi.v1.ProbeRequest;
import dev.fairlead.adapter.grpc.socket.CsiProbe;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.adapter.grpc.socket.GrpcSettings.DriverEndpoints;
import dev.fairlead.adapter.grpc.socket.GrpcSettings.Endpoint;
import dev.fairlead.adapter.grpc.socket.GrpcSettings.Tcp;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class GrpcServerTest {
    private static final EventLoopGroup CLIENT_LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @TempDir
    Path folder;

    private final UseCaseFakes useCases = new UseCaseFakes();

    private GrpcServer server(DriverEndpoints... drivers) {
        return server(task -> Thread.ofVirtual().start(task), drivers);
    }

    private GrpcServer server(Executor threads, DriverEndpoints... drivers) {
        return new GrpcServer(
                GrpcSettings.of(List.of(drivers)),
                Optional.of(useCases.controller()),
                Optional.empty(),
                (id, what, wait, cancelled) -> new RecordedWork(id, what, wait.orElseThrow(), cancelled),
                threads,
                GrpcServer.RpcListener.NONE);
    }

    private static DriverEndpoints driver(String name, Endpoint... endpoints) {
        return new DriverEndpoints(UseCaseFakes.profile(name), List.of(endpoints));
    }

    private Endpoint socket(String name) {
        return Endpoint.ofSocket(folder.resolve(name).toString(), "0600");
    }

    private static String nameAt(ManagedChannel channel) {
        try {
            return IdentityGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(30, TimeUnit.SECONDS)
                    .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                    .getName();
        } finally {
            channel.shutdownNow();
        }
    }

    private ManagedChannel connect(String name) {
        return builder(name).overrideAuthority("localhost").build();
    }

    private NettyChannelBuilder builder(String name) {
        return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(folder.resolve(name)))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(CLIENT_LOOP)
                .usePlaintext();
    }

    @Test
    void each_name_has_its_own_socket_over_the_same_use_cases() throws Exception {
        GrpcServer server = server(
                driver("one.example.org", socket("one.sock")),
                driver("two.example.org", socket("two.sock"), new Tcp("127.0.0.1", 0)));
        server.start();

        InetSocketAddress tcp = (InetSocketAddress) server.addresses().getLast();
        assertThat(nameAt(connect("one.sock"))).isEqualTo("one.example.org");
        assertThat(nameAt(connect("two.sock"))).isEqualTo("two.example.org");
        assertThat(nameAt(NettyChannelBuilder.forAddress(tcp).usePlaintext().build()))
                .isEqualTo("two.example.org");

        assertThat(server.drain(Duration.ofSeconds(30))).isTrue();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void a_mode_without_a_node_serves_no_node() throws Exception {
        GrpcServer server = server(driver("one.example.org", socket("s")));
        server.start();
        ManagedChannel channel = connect("s");

        Status status = Wire.refused(
                () -> NodeGrpc.newBlockingStub(channel).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));

        assertThat(status.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        channel.shutdownNow();
        assertThat(server.drain(Duration.ofSeconds(30))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0600", "0660", "666", "0777", "0400"})
    void a_socket_has_the_mode_that_was_asked_for(String mode) throws Exception {
        Path path = folder.resolve("csi.sock");
        GrpcServer server = server(driver("one.example.org", Endpoint.ofSocket("unix://" + path, mode)));

        server.start();

        int bits = (Integer) Files.getAttribute(path, "unix:mode") & 07777;
        assertThat(bits).isEqualTo(Integer.parseInt(mode, 8));
        assertThat(server.drain(Duration.ofSeconds(30))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "/csi/csi.sock", "csi.sock", "%2Fcsi%2Fcsi.sock", "x:1:2", "[::"})
    void any_authority_will_do(String authority) throws Exception {
        GrpcServer server = server(driver("one.example.org", socket("s")));
        server.start();
        NettyChannelBuilder builder = builder("s");
        InternalNettyChannelBuilder.disableCheckAuthority(builder);

        assertThat(nameAt(builder.overrideAuthority(authority).build())).isEqualTo("one.example.org");

        assertThat(server.drain(Duration.ofSeconds(30))).isTrue();
    }

    private void lastUntil(CountDownLatch release, CountDownLatch begun) {
        useCases.script(_ -> {
            begun.countDown();
            hold(release);
            return "plain";
        });
    }

    private static DeleteVolumeResponse delete(ManagedChannel channel) {
        return ControllerGrpc.newBlockingStub(channel)
                .deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId("v:t/x").build());
    }

    @Test
    void a_call_that_runs_is_let_end_and_a_new_one_finds_no_socket() throws Exception {
        GrpcServer server = server(driver("one.example.org", socket("s")));
        server.start();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        lastUntil(release, begun);
        ManagedChannel channel = connect("s");
        CompletableFuture<Object> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> answer.complete(delete(channel)));
        hold(begun);

        CompletableFuture<Boolean> drained = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> drained.complete(drain(server, Duration.ofSeconds(30))));
        while (Files.exists(folder.resolve("s"))) {
            Thread.onSpinWait();
        }
        Status late = Wire.refused(() -> nameAt(connect("s")));
        release.countDown();

        assertThat(late.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
        server.awaitEnd();
        channel.shutdownNow();
    }

    @Test
    void a_call_that_does_not_end_is_cut_off() throws Exception {
        GrpcServer server = server(driver("one.example.org", socket("s")));
        server.start();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        lastUntil(release, begun);
        ManagedChannel channel = connect("s");
        CompletableFuture<Status> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> answer.complete(Wire.refused(() -> delete(channel))));
        hold(begun);

        boolean all = server.drain(Duration.ofMillis(50));

        assertThat(all).isFalse();
        assertThat(answer.get(30, TimeUnit.SECONDS).getCode()).isIn(Status.Code.UNAVAILABLE, Status.Code.CANCELLED);
        release.countDown();
        channel.shutdownNow();
    }

    private static boolean drain(GrpcServer server, Duration atMost) {
        try {
            return server.drain(atMost);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void hold(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void when_one_endpoint_cannot_be_opened_none_stays_open() throws IOException {
        Files.createDirectory(folder.resolve("taken"));
        GrpcServer server = server(driver("one.example.org", socket("free"), socket("taken")));

        assertThatThrownBy(server::start).isInstanceOf(StorageException.class).hasMessageContaining("a directory");

        assertThat(folder.resolve("free")).doesNotExist();
        assertThat(folder.resolve("taken")).isEmptyDirectory();
    }

    @Test
    void a_busy_port_is_a_clear_error() throws Exception {
        GrpcServer first = server(driver("one.example.org", new Tcp("127.0.0.1", 0)));
        first.start();
        int port = ((InetSocketAddress) first.addresses().getFirst()).getPort();
        GrpcServer second = server(driver("two.example.org", new Tcp("127.0.0.1", port)));

        assertThatThrownBy(second::start)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("FL-NODE-005 listening on 127.0.0.1:" + port)
                .hasMessageContaining("Address already in use");

        assertThat(first.drain(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void probe_is_answered_while_no_call_gets_a_thread() throws Exception {
        Deque<Runnable> waiting = new ConcurrentLinkedDeque<>();
        GrpcServer server = server(waiting::add, driver("one.example.org", socket("s")));
        server.start();
        ManagedChannel channel = connect("s");
        var _ = ControllerGrpc.newFutureStub(channel)
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("v").build());

        Optional<String> obstacle = CsiProbe.obstacle(folder.resolve("s"), Duration.ofSeconds(30));

        assertThat(obstacle).isEmpty();
        assertThat(IdentityGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(30, TimeUnit.SECONDS)
                        .probe(ProbeRequest.getDefaultInstance())
                        .getReady()
                        .getValue())
                .isTrue();
        assertThat(waiting).isNotEmpty();
        channel.shutdownNow();
        boolean _ = server.drain(Duration.ZERO);
    }

    /** Each call but a health check writes a line to the log, and may have to wait for whoever reads that. */
    @Test
    void what_is_logged_does_not_run_on_the_thread_of_all_connections() throws Exception {
        BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();
        GrpcServer server = server(waiting::add, driver("one.example.org", socket("s")));
        server.start();
        ManagedChannel channel = connect("s");

        var info = IdentityGrpc.newFutureStub(channel).getPluginInfo(GetPluginInfoRequest.getDefaultInstance());

        Runnable first = waiting.poll(30, TimeUnit.SECONDS);
        assertThat(first).as("work for a thread of its own").isNotNull();
        assertThat(info.isDone()).isFalse();
        channel.shutdownNow();
        boolean _ = server.drain(Duration.ZERO);
    }

    @Test
    void a_server_can_follow_another_on_the_same_path() throws Exception {
        for (int i = 0; i < 3; i++) {
            GrpcServer server = server(driver("one.example.org", socket("s")));
            server.start();
            assertThat(nameAt(connect("s"))).isEqualTo("one.example.org");
            assertThat(server.drain(Duration.ofSeconds(30))).isTrue();
        }
        assertThat(folder).isEmptyDirectory();
    }
}
