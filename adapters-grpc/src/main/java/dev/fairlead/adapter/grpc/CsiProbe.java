package dev.fairlead.adapter.grpc;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks a CSI socket whether it serves.
 *
 * <p>It speaks the few bytes of HTTP/2 that one Probe takes by itself: it is for processes that ask once and end, each
 * few seconds on every node, and loading a gRPC library would be most of what they do.
 */
public final class CsiProbe implements AutoCloseable {
    private final SocketChannel channel;
    private final Selector selector;
    private final long end;

    private CsiProbe(Path socket, Duration atMost) throws IOException {
        end = System.nanoTime() + atMost.toNanos();
        selector = Selector.open();
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Sends one Probe.
     *
     * @return empty where it answers that it is ready; otherwise why it is not, in a few words
     */
    public static Optional<String> obstacle(Path socket, Duration atMost) {
        try (CsiProbe probe = new CsiProbe(socket, atMost)) {
            return probe.ask();
        } catch (IOException e) {
            String reason = e.getMessage();
            return Optional.of(reason == null ? e.getClass().getSimpleName() : reason);
        }
    }

    private Optional<String> ask() throws IOException {
        write(ProbeFrames.request());
        var answer = new ProbeFrames.Answer();
        while (!answer.isWhole()) {
            var frame = ProbeFrames.Frame.of(read(ProbeFrames.HEADER_BYTES));
            if (answer.take(frame, read(frame.length()))) {
                write(ProbeFrames.settingsSeen());
            }
        }
        return answer.obstacle();
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE);
            }
        }
    }

    private ByteBuffer read(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            int count = channel.read(bytes);
            if (count < 0) {
                throw new EOFException("it closed the connection without an answer");
            }
            if (count == 0) {
                await(SelectionKey.OP_READ);
            }
        }
        return bytes.flip();
    }

    private void await(int operation) throws IOException {
        long left = (end - System.nanoTime()) / 1_000_000;
        channel.keyFor(selector).interestOps(operation);
        if (left <= 0 || selector.select(left) == 0) {
            throw new IOException("it does not answer in time");
        }
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }
}
