package dev.fairlead.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.bootstrap.options.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class LivenessProbeTest {
    private static final byte[] READY =
            HexFormat.of().parseHex("0000090000000000010000000004" + "0a020801" + "000000010500000001");

    @TempDir
    Path folder;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(Map<String, String> environment, String... options) {
        return LivenessProbe.run(List.of(options), environment, new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private void serving(Path path, Runnable test) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            Thread answering = Thread.ofVirtual().start(() -> answer(server));
            test.run();
            answering.join();
        }
    }

    private static void answer(ServerSocketChannel server) {
        try (SocketChannel client = server.accept()) {
            client.write(ByteBuffer.wrap(READY));
            ByteBuffer rest = ByteBuffer.allocate(1024);
            while (client.read(rest.clear()) >= 0) {
                // Until it has gone.
            }
        } catch (IOException _) {
            // It had heard enough.
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--csi-version=1.5.0 --csi-address=@",
                "--csi-address unix://@",
                "--csi-address=unix:@ --future=1",
                "--csi-version 1.9.0 --csi-address @ --timeout=3"
            })
    void the_arguments_of_democratic_csi_s_probe_are_understood(String options) throws Exception {
        Path socket = folder.resolve("csi.sock");

        serving(
                socket,
                () -> assertThat(run(
                                Map.of(),
                                options.replace("@", socket.toString()).split(" ")))
                        .isZero());

        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void without_an_address_the_driver_s_own_variable_names_it() throws Exception {
        Path socket = folder.resolve("csi.sock");

        serving(
                socket,
                () -> assertThat(run(Map.of("DEMOCRATIC_CSI_SERVER_SOCKET", "unix://" + socket)))
                        .isZero());
    }

    @Test
    void democratic_csi_s_variables_take_the_place_of_options() throws Exception {
        Path socket = folder.resolve("csi.sock");

        serving(
                socket,
                () -> assertThat(run(Map.of("DEMOCRATIC_CSI_LIVENESS_PROBE_CSI_ADDRESS", socket.toString())))
                        .isZero());
        assertThat(run(
                        Map.of("DEMOCRATIC_CSI_LIVENESS_PROBE_CSI_ADDRESS", socket.toString()),
                        "--csi-address=" + folder.resolve("other.sock")))
                .isOne();
    }

    @Test
    void an_option_comes_before_its_variable() throws Exception {
        Path socket = folder.resolve("csi.sock");
        String other = folder.resolve("other.sock").toString();

        serving(
                socket,
                () -> assertThat(run(
                                Map.of("DEMOCRATIC_CSI_LIVENESS_PROBE_CSI_ADDRESS", other), "--csi-address=" + socket))
                        .isZero());
    }

    @Test
    void a_driver_that_says_nothing_is_given_up_in_the_time_that_is_given() throws Exception {
        Path socket = folder.resolve("csi.sock");
        try (ServerSocketChannel mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            mute.bind(UnixDomainSocketAddress.of(socket));
            long began = System.nanoTime();

            assertThat(run(Map.of(), "--csi-address=" + socket, "--timeout=1")).isOne();

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
        }
    }

    @Test
    void a_port_that_is_none_is_refused() {
        assertThatThrownBy(() -> run(Map.of(), "--csi-address=localhost:65536"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void a_driver_that_serves_by_tcp_is_asked_there(String host) throws Exception {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread answering = Thread.ofVirtual().start(() -> answer(server));

            assertThat(run(
                            Map.of(),
                            "--csi-address=" + host + ":" + server.socket().getLocalPort()))
                    .isZero();

            answering.join();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "nowhere.invalid:50051"})
    void nobody_at_a_host_and_port_is_said(String address) {
        assertThat(run(Map.of(), "--csi-address=" + address, "--timeout=5")).isOne();

        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("fairlead: " + address + ": ");
    }

    @Test
    void a_driver_that_does_not_answer_is_said_in_one_line() {
        Path missing = folder.resolve("csi.sock");

        assertThat(run(Map.of(), "--csi-address=" + missing)).isOne();

        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("fairlead: " + missing + ": No such file or directory\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "soon", "3601", ""})
    void a_timeout_that_is_none_is_refused(String seconds) {
        assertThatThrownBy(() -> run(Map.of(), "--timeout=" + seconds))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("expected: a number of seconds");
    }
}
