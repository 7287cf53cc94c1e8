package dev.fairlead.adapter.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A network between a client and a server that can swallow packets, or hold them up. */
final class Relay implements AutoCloseable {
    private final ServerSocket ear;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));
    private volatile boolean swallowing;

    Relay(int target) throws IOException {
        this.target = target;
        this.ear = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return ear.getLocalPort();
    }

    void swallow(boolean on) {
        swallowing = on;
    }

    /** What the server says from now on reaches the client when it is let go, and not before. */
    void hold() {
        gate.set(new CountDownLatch(1));
    }

    void letGo() {
        gate.get().countDown();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = ear.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.addAll(List.of(client, server));
                Thread.ofVirtual().start(() -> pass(client, server, false));
                Thread.ofVirtual().start(() -> pass(server, client, true));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void pass(Socket from, Socket to, boolean back) {
        byte[] chunk = new byte[32 << 10];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                if (back) {
                    gate.get().await();
                }
                if (!swallowing) {
                    out.write(chunk, 0, n);
                    out.flush();
                }
            }
        } catch (IOException | InterruptedException e) {
            // One side has ended.
        }
    }

    @Override
    public void close() {
        letGo();
        try {
            ear.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
