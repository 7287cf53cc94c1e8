package dev.fairlead.lab.abuse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Opens a thousand connections to the HTTP port and sends requests that never end, some with headers of 350 KB.
 *
 * <p>They come from an address of their own, 127.0.0.9, so that the driver can tell them from kubelet's (127.0.0.1
 * here).
 */
final class HalfRequests implements Torment {
    private static final int CONNECTIONS = 1000;
    private static final int LARGE_HEADER = 350_000;

    private final List<SocketChannel> open = new ArrayList<>();

    @Override
    public void run(Scene scene) throws Exception {
        long end = System.nanoTime() + scene.time().toNanos();
        int asked = 0;
        int failed = 0;
        try (Livez livez =
                new Livez(scene.installation().httpPort(), scene.machine().pulse())) {
            while (System.nanoTime() < end) {
                open.removeIf(HalfRequests::isClosed);
                flood(scene);
                long begin = System.nanoTime();
                boolean alive = livez.isAlive();
                if (!scene.installation().outages().touched(begin, System.nanoTime())) {
                    asked++;
                    failed += alive ? 0 : 1;
                }
                TimeUnit.MILLISECONDS.sleep(250);
            }
        } finally {
            for (SocketChannel channel : open) {
                channel.close();
            }
        }
        if (failed > 0) {
            scene.violations().add("/livez did not answer " + failed + " of " + asked + " probes beside half requests");
        }
    }

    private void flood(Scene scene) {
        for (int i = 0; i < 100 && open.size() < CONNECTIONS; i++) {
            try {
                SocketChannel channel = SocketChannel.open();
                channel.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.9"), 0));
                channel.configureBlocking(false);
                boolean _ = channel.connect(new InetSocketAddress(
                        InetAddress.ofLiteral("127.0.0.1"), scene.installation().httpPort()));
                open.add(channel);
            } catch (IOException _) {
                return; // the driver has just been killed, or accepts no more connections
            }
        }
        for (SocketChannel channel : open) {
            send(channel, scene.random().nextInt(4) == 0 ? LARGE_HEADER : 2_000);
        }
    }

    private static void send(SocketChannel channel, int bytes) {
        try {
            if (channel.finishConnect()) {
                String half = "GET /livez HTTP/1.1\r\nHost: node\r\nX-A: " + "a".repeat(bytes);
                int _ = channel.write(ByteBuffer.wrap(half.getBytes(StandardCharsets.US_ASCII)));
            }
        } catch (IOException _) {
            close(channel);
        }
    }

    /** Returns whether the driver has closed the connection; then this end is closed too. */
    private static boolean isClosed(SocketChannel channel) {
        try {
            if (!channel.isOpen()) {
                return true;
            }
            if (channel.isConnected() && channel.read(ByteBuffer.allocate(64)) < 0) {
                channel.close();
                return true;
            }
            return false;
        } catch (IOException _) {
            close(channel);
            return true;
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // it is of no use any more
        }
    }
}
