package dev.fairlead.adapter.grpc.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.grpc.CapturedLogs;
import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import dev.fairlead.adapter.grpc.Kubelet;
import dev.fairlead.adapter.grpc.RecordedWork;
import dev.fairlead.adapter.grpc.UseCaseFakes;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import pluginregistration.v1.PluginInfo;

/** Against a kubelet of our own on the real sockets. */
@Timeout(30)
class RegistrationTest {
    private static final String NAME = "csi.example.org";

    @TempDir
    Path folder;

    private final UseCaseFakes useCases = new UseCaseFakes();
    private final Queue<RuntimeException> defects = new ConcurrentLinkedQueue<>();
    private final Queue<Error> openings = new ConcurrentLinkedQueue<>();
    private final Queue<Error> waits = new ConcurrentLinkedQueue<>();
    private Path registry;
    private Optional<GrpcServer> running = Optional.empty();

    @BeforeEach
    void kubelet_has_made_its_folder() throws IOException {
        registry = Files.createDirectory(folder.resolve("plugins_registry"));
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (running.isPresent()) {
            running.get().drain(Duration.ofSeconds(5));
        }
    }

    private GrpcServer server(String... names) {
        List<GrpcSettings.DriverEndpoints> drivers = List.of(names).stream()
                .map(name -> new GrpcSettings.DriverEndpoints(
                        UseCaseFakes.profile(name),
                        List.of(GrpcSettings.Endpoint.ofSocket(csiSocket(name).toString(), "0600"))))
                .toList();
        var registration =
                new GrpcSettings.Registration(registry, Duration.ofMillis(100), Duration.ofMillis(5), _ -> polling());
        GrpcServer server = new GrpcServer(
                GrpcSettings.of(drivers).registering(registration),
                Optional.empty(),
                Optional.of(useCases.node()),
                (id, what, wait, cancelled) -> new RecordedWork(id, what, wait.orElseThrow(), cancelled),
                task -> Thread.ofVirtual().start(task),
                GrpcServer.RpcListener.NONE);
        running = Optional.of(server);
        return server;
    }

    private Polling polling() {
        Error defect = openings.poll();
        if (defect != null) {
            throw defect;
        }
        return new Polling(defects, waits);
    }

    /**
     * No events at all.
     *
     * @param defects thrown by one look each
     * @param waits thrown by one wait each
     */
    private record Polling(Queue<RuntimeException> defects, Queue<Error> waits) implements GrpcSettings.FolderChanges {
        @Override
        public void watch() {
            RuntimeException defect = defects.poll();
            if (defect != null) {
                throw defect;
            }
        }

        @Override
        public void await(Duration atMost) throws InterruptedException {
            Error defect = waits.poll();
            if (defect != null) {
                throw defect;
            }
            TimeUnit.NANOSECONDS.sleep(atMost.toNanos());
        }

        @Override
        public void close() {}
    }

    private Path csiSocket(String name) {
        return folder.resolve(name + ".sock");
    }

    private Path socket(String name) {
        return kubelet().socket(name);
    }

    private Kubelet kubelet() {
        return new Kubelet(registry);
    }

    private PluginInfo info(String name) {
        return kubelet().info(name);
    }

    private static void waitFor(Path path) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!Files.exists(path)) {
            assertThat(System.nanoTime()).as("the time until %s is there", path).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private GrpcServer.Registration registration() {
        return running.orElseThrow().registrations().getFirst();
    }

    private void waitFor(RegistrationState state) {
        while (registration().state() != state) {
            Thread.onSpinWait();
        }
    }

    @Test
    void an_error_of_the_program_ends_no_registration() throws IOException {
        openings.add(new StackOverflowError("played"));
        defects.add(new IllegalStateException("a defect"));
        waits.add(new StackOverflowError("played"));
        server(NAME).start();
        waitFor(socket(NAME));

        Files.delete(socket(NAME));

        waitFor(socket(NAME));
        assertThat(List.of(openings, defects, waits)).allMatch(Queue::isEmpty);
    }

    @Test
    void each_driver_is_announced_on_a_socket_of_its_own() {
        server("one.example.org", "two.example.org").start();
        waitFor(socket("one.example.org"));
        waitFor(socket("two.example.org"));

        assertThat(info("one.example.org").getEndpoint())
                .isEqualTo(csiSocket("one.example.org").toString());
        assertThat(info("two.example.org"))
                .isEqualTo(PluginInfo.newBuilder()
                        .setType("CSIPlugin")
                        .setName("two.example.org")
                        .setEndpoint(csiSocket("two.example.org").toString())
                        .addSupportedVersions("1.0.0")
                        .build());
    }

    @Test
    void what_kubelet_answers_is_known() {
        server(NAME).start();
        waitFor(socket(NAME));

        assertThat(registration().state()).isEqualTo(RegistrationState.ANNOUNCED);
        try (CapturedLogs logs = new CapturedLogs()) {
            kubelet().tell(NAME, false, "no such\nendpoint");

            assertThat(registration())
                    .isEqualTo(new GrpcServer.Registration(NAME, RegistrationState.REFUSED, "no such?endpoint", 1));
            assertThat(logs.lines()).anySatisfy(line -> {
                assertThat(line.level()).isEqualTo("ERROR");
                assertThat(line.text()).contains("no such?endpoint");
            });
        }
        kubelet().tell(NAME, true, "");
        assertThat(registration()).isEqualTo(new GrpcServer.Registration(NAME, RegistrationState.REGISTERED, "", 1));
    }

    @Test
    void a_driver_that_does_not_answer_is_not_announced() throws Exception {
        Path csi = csiSocket(NAME);
        GrpcServer server = server(NAME);
        server.start();
        waitFor(socket(NAME));
        Files.delete(csi);
        try (ServerSocketChannel deaf = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            deaf.bind(UnixDomainSocketAddress.of(csi));

            Files.delete(socket(NAME));
            waitFor(RegistrationState.WAITING);

            assertThat(registration().detail()).contains(csi.toString(), "does not answer in time");
            assertThat(socket(NAME)).doesNotExist();
        }
    }

    @Test
    void a_socket_that_was_removed_comes_back() throws IOException {
        server(NAME).start();
        waitFor(socket(NAME));
        kubelet().tell(NAME, true, "");

        Files.delete(socket(NAME));
        waitFor(socket(NAME));

        assertThat(registration().state()).isEqualTo(RegistrationState.ANNOUNCED);
        assertThat(info(NAME).getName()).isEqualTo(NAME);
    }

    @Test
    void a_folder_that_comes_late_or_is_made_anew_is_no_trouble() throws IOException {
        Files.delete(registry);
        server(NAME).start();
        waitFor(RegistrationState.WAITING);
        while (!registration().detail().contains("is missing")) {
            Thread.onSpinWait();
        }

        Files.createDirectory(registry);
        waitFor(socket(NAME));
        Files.move(registry, folder.resolve("old"));
        Files.createDirectory(registry);
        waitFor(socket(NAME));

        assertThat(info(NAME).getName()).isEqualTo(NAME);
    }

    @Test
    void the_socket_of_a_process_that_was_killed_is_replaced() throws IOException {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket(NAME)));
        }
        Object stale = Files.getAttribute(socket(NAME), "unix:ino");

        server(NAME).start();
        waitFor(RegistrationState.ANNOUNCED);
        while (Files.getAttribute(socket(NAME), "unix:ino").equals(stale)) {
            Thread.onSpinWait();
        }

        assertThat(info(NAME).getName()).isEqualTo(NAME);
    }

    @Test
    void a_socket_that_another_process_serves_is_left_to_it_until_it_ends() throws IOException {
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket(NAME)));
            server(NAME).start();
            while (!registration().detail().contains("another process serves this socket")) {
                Thread.onSpinWait();
            }
            assertThat(registration().state()).isNotEqualTo(RegistrationState.REGISTERED);
        }

        waitFor(RegistrationState.ANNOUNCED);
        assertThat(running).isPresent();
    }

    @Test
    void a_drain_takes_the_sockets_away_for_good() throws Exception {
        GrpcServer server = server(NAME);
        server.start();
        waitFor(socket(NAME));

        server.drain(Duration.ofSeconds(5));

        assertThat(registry).isEmptyDirectory();
    }

    @Test
    void kubelet_never_sees_a_socket_before_it_is_in_its_place() throws IOException {
        try (var watch = registry.getFileSystem().newWatchService()) {
            var key = registry.register(watch, java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
            server(NAME).start();
            waitFor(socket(NAME));
            while (registration().state() == RegistrationState.WAITING) {
                Thread.onSpinWait();
            }

            List<String> seen = key.pollEvents().stream()
                    .map(event -> String.valueOf(event.context()))
                    .filter(name -> !name.startsWith("."))
                    .toList();
            assertThat(seen).isSubsetOf(NAME + "-reg.sock");
            assertThat(SocketFile.claim(folder.resolve("x"))
                            .hidden()
                            .getFileName()
                            .toString())
                    .startsWith(".");
        }
    }

    @Test
    void a_driver_without_a_socket_cannot_be_registered() {
        var tcp = new GrpcSettings.DriverEndpoints(
                UseCaseFakes.profile(NAME), List.of(new GrpcSettings.Tcp("127.0.0.1", 0)));
        var registration =
                new GrpcSettings.Registration(registry, Duration.ofSeconds(1), Duration.ofSeconds(1), _ -> polling());

        assertThatThrownBy(() -> GrpcSettings.of(List.of(tcp)).registering(registration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: one for each driver");
    }
}
