package dev.fairlead.adapter.grpc.socket;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
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
 * <p>It writes the few bytes of HTTP/2 that one Probe takes itself: it is for processes that ask once and end, every
 * few seconds on every node, and loading a gRPC library would be most of what they do.
 */
public final class CsiProbe implements AutoCloseable {
    private final SocketChannel channel;
    private final Selector selector;
    private final long end;

    private CsiProbe(SocketAddress address, Duration atMost) throws IOException {
        end = System.nanoTime() + atMost.toNanos();
        selector = Selector.open();
        channel = address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        try {
            channel.configureBlocking(false);
            boolean connected = channel.connect(address);
            channel.register(selector, SelectionKey.OP_READ);
            while (!connected) {
                await(SelectionKey.OP_CONNECT);
                connected = channel.finishConnect();
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Sends one Probe.
     *
     * @return empty if it answers that it is ready; otherwise why it is not, in a few words
     */
    public static Optional<String> obstacle(Path socket, Duration atMost) {
        return obstacle(UnixDomainSocketAddress.of(socket), atMost);
    }

    /** Sends one Probe to an address, which may be of TCP; empty if the driver is ready, otherwise why it is not. */
    public static Optional<String> obstacle(SocketAddress address, Duration atMost) {
        if (address instanceof InetSocketAddress tcp && tcp.isUnresolved()) {
            return Optional.of("no host is called " + tcp.getHostString());
        }
        try (CsiProbe probe = new CsiProbe(address, atMost)) {
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
