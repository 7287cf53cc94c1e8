package dev.fairlead.adapter.node.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NvmeTcpProbeTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    /** An ICResp as a target sends it: 128 bytes, with a MAXH2CDATA of 128 KiB. */
    private static final byte[] RESPONSE = pdu("0100800080000000" + "0000000000000200");

    private static byte[] pdu(String start) {
        return HexFormat.of().parseHex(start + "00".repeat(128 - start.length() / 2));
    }

    /** What a target does with a connection that it has taken. */
    private interface Target {
        void serve(Socket connection) throws IOException;
    }

    private static void ask(Target target, Duration answer) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, HERE)) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (Socket connection = listening.accept()) {
                    target.serve(connection);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            try {
                new NvmeTcpProbe(answer).ask(HERE, listening.getLocalPort());
            } finally {
                served.join();
            }
        }
    }

    @Test
    void a_target_that_answers_is_asked_for_a_connection_and_no_more() throws IOException {
        ask(
                target -> {
                    assertThat(target.getInputStream().readNBytes(128)).isEqualTo(pdu("0000800080000000"));
                    target.getOutputStream().write(RESPONSE);
                    assertThat(target.getInputStream().read()).as("its end").isNegative();
                },
                Duration.ofSeconds(20));
    }

    @Test
    void a_target_that_takes_connections_and_is_silent_is_given_up_in_time() {
        Target silent = target -> assertThat(target.getInputStream().readAllBytes())
                .as("all until its end")
                .hasSize(128);

        assertThatThrownBy(() -> ask(silent, Duration.ofSeconds(1))).hasMessage("no answer within 1 s");
    }

    @Test
    void one_that_sends_its_answer_byte_by_byte_is_given_up_in_time() {
        Target dripping = target -> {
            try {
                assertThat(target.getInputStream().readNBytes(128)).hasSize(128);
                for (int at = 0; at < 8; at++) {
                    target.getOutputStream().write(RESPONSE[at]);
                    LockSupport.parkNanos(Duration.ofMillis(800).toNanos());
                }
            } catch (SocketException _) {
                // it was given up
            }
        };

        assertThatThrownBy(() -> ask(dripping, Duration.ofSeconds(1))).hasMessage("no answer within 1 s");
    }

    @Test
    void what_ends_connections_or_speaks_otherwise_is_told() {
        Target ending =
                target -> assertThat(target.getInputStream().readNBytes(128)).hasSize(128);
        Target other = target -> target.getOutputStream().write(pdu("48545450"));

        assertThatThrownBy(() -> ask(ending, Duration.ofSeconds(20)))
                .hasMessage("what listens there ends connections without an answer");
        assertThatThrownBy(() -> ask(other, Duration.ofSeconds(20)))
                .hasMessage("what listens there does not speak NVMe over TCP");
    }
}
