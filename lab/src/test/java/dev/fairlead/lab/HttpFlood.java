package dev.fairlead.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Strangers who open connections to a port and never send the whole of a request. */
final class HttpFlood implements AutoCloseable {
    private static final byte[] BEGIN = "GET /livez HTTP/1.1\r\nHost: x\r\nX-A: ".getBytes(StandardCharsets.US_ASCII);

    /** What shows is what the port stands, and not who of the two is faster on this machine's processors. */
    private static final long BETWEEN = Duration.ofMillis(1).toNanos();

    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicInteger opened = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private final int port;

    HttpFlood(int port) {
        this.port = port;
    }

    /**
     * Opens so many connections, one after the other, each in the place of the oldest, for as long as it lasts; all of
     * them go on sending what the other side takes.
     *
     * @param header how much of a header's value is sent at most
     * @param atOnce how much of it is sent at a time
     */
    HttpFlood from(String address, int connections, int header, int atOnce) {
        threads.add(Thread.ofPlatform().daemon().name("stranger " + address).start(() -> {
            Deque<Half> halves = new ArrayDeque<>();
            while (!stop.get()) {
                if (halves.size() >= connections) {
                    halves.removeFirst().close();
                }
                open(address, header).ifPresent(halves::addLast);
                LockSupport.parkNanos(BETWEEN);
                halves.stream().skip(Math.max(0, halves.size() - 20)).forEach(half -> half.send(atOnce));
            }
            halves.forEach(Half::close);
        }));
        return this;
    }

    private Optional<Half> open(String address, int header) {
        try {
            var channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.bind(new InetSocketAddress(address, 0));
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.configureBlocking(false);
            opened.incrementAndGet();
            return Optional.of(new Half(channel, header));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    int opened() {
        return opened.get();
    }

    private static final class Half {
        private final SocketChannel channel;
        private int left;

        Half(SocketChannel channel, int left) {
            this.channel = channel;
            this.left = left;
            write(ByteBuffer.wrap(BEGIN));
        }

        void send(int atOnce) {
            int length = Math.min(atOnce, left);
            if (length > 0) {
                byte[] more = new byte[length];
                Arrays.fill(more, (byte) 'a');
                left -= write(ByteBuffer.wrap(more));
            }
        }

        private int write(ByteBuffer bytes) {
            try {
                return channel.write(bytes);
            } catch (IOException _) {
                return left; // it was closed: there is nothing to send any more
            }
        }

        void close() {
            try {
                channel.close();
            } catch (IOException _) {
                // it is gone
            }
        }
    }

    @Override
    public void close() {
        stop.set(true);
        Threads.join(threads);
    }
}
