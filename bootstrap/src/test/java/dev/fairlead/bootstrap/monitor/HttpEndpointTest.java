package dev.fairlead.bootstrap.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.grpc.GrpcServer.Registration;
import dev.fairlead.adapter.grpc.GrpcServer.RegistrationState;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpEndpointTest {
    private final List<Registration> registrations = new ArrayList<>();
    private final Health health = new Health(Map.of(), () -> List.copyOf(registrations), Duration.ofSeconds(1));
    private final HttpEndpoint endpoint = open("127.0.0.1", 0, health);

    private static HttpEndpoint open(String address, int port, Health health) {
        return HttpEndpoint.open(
                address,
                port,
                health,
                () -> "fairlead_up 1.0\n",
                task -> Thread.ofVirtual().start(task));
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private String get(String path) {
        return send("GET " + path + " HTTP/1.0");
    }

    private String send(String head) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            socket.getOutputStream().write((head + "\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"STARTING, 200, 503", "STANDBY,  200, 200", "SERVING,  200, 200", "ENDING,   200, 503"})
    void each_phase_has_its_answers(Phase phase, int live, int ready) {
        health.enter(phase);

        assertThat(get("/livez")).contains(" " + live + " ", phase.name().toLowerCase(java.util.Locale.ROOT));
        assertThat(get("/readyz")).contains(" " + ready + " ");
    }

    @Test
    void a_socket_that_does_not_answer_is_neither_alive_nor_ready() {
        var mute = new Health(Map.of("a.b", Path.of("/nowhere/csi.sock")), List::of, Duration.ofSeconds(1));
        mute.enter(Phase.SERVING);

        assertThat(mute.live()).isEqualTo(mute.ready());
        assertThat(mute.live().good()).isFalse();
        assertThat(mute.live().lines()).contains("csi a.b: No such file or directory");
    }

    @Test
    void a_node_is_ready_once_kubelet_knows_every_driver_of_it() {
        health.enter(Phase.SERVING);
        registrations.add(new Registration("a.one", RegistrationState.REGISTERED, "", 0));
        registrations.add(new Registration("a.two", RegistrationState.REFUSED, "no such endpoint", 1));
        String before = get("/readyz");

        registrations.set(1, new Registration("a.two", RegistrationState.REGISTERED, "", 1));

        assertThat(before).contains(" 503 ", "kubelet a.one: registered", "kubelet a.two: refused: no such endpoint");
        assertThat(get("/readyz")).contains(" 200 ", "kubelet a.two: registered");
        assertThat(get("/livez")).contains(" 200 ").doesNotContain("kubelet");
    }

    @Test
    void metrics_are_text_that_prometheus_reads() {
        assertThat(get("/metrics"))
                .contains(" 200 ", "text/plain; version=0.0.4", "no-store")
                .endsWith("fairlead_up 1.0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/metrics/", "/metrics/../livez", "/healthz", "/%2e", "/LIVEZ"})
    void there_is_nothing_else(String path) {
        assertThat(get(path)).contains(" 404 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "BREW"})
    void nothing_is_taken_in(String method) {
        assertThat(send(method + " /metrics HTTP/1.0")).contains(" 405 ").doesNotContain("fairlead_up");
    }

    @Test
    void a_head_has_no_body() {
        assertThat(send("HEAD /metrics HTTP/1.0")).contains(" 200 ").endsWith("\r\n\r\n");
    }

    @Test
    void a_port_that_is_taken_is_a_clear_error() {
        assertThatThrownBy(() -> open("127.0.0.1", endpoint.port(), health))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("FL-NODE-005 listening on 127.0.0.1:" + endpoint.port())
                .hasMessageContaining("Address already in use");
    }

    @Test
    void the_port_outlives_a_thread_that_could_not_be_had() throws IOException {
        AtomicInteger tasks = new AtomicInteger();
        try (HttpEndpoint other = HttpEndpoint.open("127.0.0.1", 0, health, () -> "", task -> {
            if (tasks.incrementAndGet() == 2) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread.ofVirtual().start(task);
        })) {
            assertThat(answers(other)).isFalse();
            assertThat(answers(other)).isTrue();
        }
    }

    @Test
    void callers_for_whom_no_thread_could_be_had_keep_no_place() throws IOException {
        AtomicInteger tasks = new AtomicInteger();
        Executor executor = task -> {
            int count = tasks.incrementAndGet();
            if (count >= 2 && count <= 4) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Thread.ofVirtual().start(task);
        };
        var one = new HttpLimits(1, 8192, Duration.ofSeconds(5), Duration.ofSeconds(15));
        try (HttpEndpoint other = HttpEndpoint.open("127.0.0.1", 0, one, health, () -> "", executor)) {
            for (int i = 0; i < 3; i++) {
                assertThat(answers(other)).isFalse();
            }

            assertThat(answers(other)).isTrue();
        }
    }

    @Test
    void an_error_of_the_program_is_answered() throws IOException {
        try (HttpEndpoint other = HttpEndpoint.open(
                "127.0.0.1",
                0,
                health,
                () -> {
                    throw new StackOverflowError("played");
                },
                task -> Thread.ofVirtual().start(task))) {
            assertThat(answer(other)).contains(" 500 ");
        }
    }

    private static boolean answers(HttpEndpoint endpoint) throws IOException {
        return answer(endpoint).contains(" 200 ");
    }

    /** Returns what is answered; empty if the caller is cut off. */
    private static String answer(HttpEndpoint endpoint) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            socket.setSoTimeout(5000);
            socket.getOutputStream().write("GET /metrics HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException _) {
            return ""; // reset
        }
    }
}
