package dev.fairlead.benchmarks.truenas;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A link to a port of this machine on which each byte takes its time, and none waits for another one's answer. */
public final class DelayedLink implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final ServerSocket server;
    private final int upstream;
    private final long nanos;

    private record Chunk(ByteBuffer bytes, long due) {}

    private DelayedLink(ServerSocket server, int upstream, Duration each) {
        this.server = server;
        this.upstream = upstream;
        this.nanos = each.toNanos();
    }

    /** Opens it; each says how long a byte takes each way. */
    public static DelayedLink to(int upstream, Duration each) throws IOException {
        var link = new DelayedLink(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), upstream, each);
        Thread.ofVirtual().start(link::accept);
        return link;
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket from = server.accept();
                var to = new Socket(InetAddress.getLoopbackAddress(), upstream);
                from.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                join(from, to);
                join(to, from);
            } catch (IOException _) {
                // of one connection, or the link is closed
            }
        }
    }

    private void join(Socket from, Socket to) {
        BlockingQueue<Chunk> under = new LinkedBlockingQueue<>();
        Thread.ofVirtual().start(() -> read(from, under));
        Thread.ofVirtual().start(() -> write(under, to));
    }

    private void read(Socket from, BlockingQueue<Chunk> under) {
        var buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                under.add(new Chunk(ByteBuffer.wrap(Arrays.copyOf(buffer, n)), System.nanoTime() + nanos));
            }
        } catch (IOException _) {
            // it was cut, as its other end is below
        }
        under.add(new Chunk(ByteBuffer.allocate(0), System.nanoTime()));
    }

    private static void write(BlockingQueue<Chunk> under, Socket to) {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Chunk next = under.take(); next.bytes().hasRemaining(); next = under.take()) {
                TimeUnit.NANOSECONDS.sleep(next.due() - System.nanoTime());
                out.write(next.bytes().array());
                out.flush();
            }
        } catch (IOException _) {
            // the other end has gone
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
