package dev.fairlead.adapter.grpc.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.grpc.Wire;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class CsiProbeTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void a_driver_that_serves_is_ready_however_often_it_is_asked() throws IOException {
        try (Wire wire = new Wire()) {
            for (int i = 0; i < 20; i++) {
                assertThat(CsiProbe.obstacle(wire.socket, LONG)).isEmpty();
            }

            assertThat(wire.ended).contains(new Wire.Ended("Probe", "OK"));
        }
    }

    @Test
    void nobody_there_is_said_plainly() throws IOException {
        Path stale = folder.resolve("stale");
        try (ServerSocketChannel gone = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            gone.bind(UnixDomainSocketAddress.of(stale));
        }

        assertThat(CsiProbe.obstacle(stale, LONG)).contains("Connection refused");
        assertThat(CsiProbe.obstacle(folder.resolve("missing"), LONG)).contains("No such file or directory");
        assertThat(CsiProbe.obstacle(folder.resolve("x".repeat(200)), LONG))
                .get()
                .asString()
                .contains("too long");
    }

    @Test
    void one_that_takes_the_call_and_says_nothing_is_not_waited_for_for_ever() throws IOException {
        Path path = folder.resolve("deaf");
        try (ServerSocketChannel deaf = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            deaf.bind(UnixDomainSocketAddress.of(path));

            assertThat(CsiProbe.obstacle(path, Duration.ofMillis(20))).contains("it does not answer in time");
        }
    }

    /** Frames in hex: length, type, flags, stream, payload. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ready                 | 000000 04 00 00000000 000009 00 00 00000001 00000000040a020801 000000 01 05 00000001 |
            padded                | 00000c 00 09 00000001 02 00000000040a020801 0000 |
            readiness not said    | 000005 00 01 00000001 0000000000 |
            not ready             | 000009 00 01 00000001 00000000040a020800 | it answered that it is not ready
            ready false, implicit | 000007 00 01 00000001 00000000020a00 | it answered that it is not ready
            an error              | 000000 01 05 00000001 | it answered Probe with an error
            going                 | 000008 07 00 00000000 0000000000000000 | it is about to end
            a refused stream      | 000004 03 00 00000001 00000007 | it refused the call
            too much              | 000200 00 01 00000001 + | its answer is too long for one to Probe
            half an answer        | 000009 00 00 00000001 0000 | it closed the connection without an answer
            another protocol      | 485454502f312e31203430302042616420526571756573740d0a | it does not speak gRPC
            nothing               | '' | it closed the connection without an answer
            """)
    void answers_are_told_apart(String what, String frames, String obstacle) throws Exception {
        Path path = folder.resolve("csi.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            Thread answering = Thread.ofVirtual().start(() -> answer(server, bytes(frames)));

            assertThat(CsiProbe.obstacle(path, LONG)).as(what).isEqualTo(Optional.ofNullable(obstacle));

            answering.join();
        }
    }

    private static byte[] bytes(String frames) {
        String filled = frames.replace("+", "00".repeat(0x200));
        return HexFormat.of().parseHex(filled.replace(" ", ""));
    }

    private static void answer(ServerSocketChannel server, byte[] bytes) {
        try (SocketChannel client = server.accept()) {
            byte[] request = new byte[1024];
            ByteBuffer into = ByteBuffer.wrap(request);
            while (!new String(request, StandardCharsets.US_ASCII).contains("/csi.v1.Identity/Probe")) {
                client.read(into);
            }
            client.write(ByteBuffer.wrap(bytes));
            client.shutdownOutput();
            while (client.read(into.clear()) >= 0) {
                // Until it has gone.
            }
        } catch (IOException _) {
            // A client that has heard enough goes at once.
        }
    }

    @Test
    void a_file_that_is_no_socket_is_none() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");

        assertThat(CsiProbe.obstacle(file, LONG)).isPresent();
    }
}
