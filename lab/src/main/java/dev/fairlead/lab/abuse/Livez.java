package dev.fairlead.lab.abuse;

import dev.fairlead.lab.abuse.machine.Pulse;
import dev.fairlead.lab.abuse.machine.ThreadPriority;
import dev.fairlead.lab.abuse.machine.ThreadTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Asks {@code /livez} as kubelet does, on a thread of its own that is no nicer than the driver.
 *
 * <p>As with {@link ProbeWatch}, what the machine stalls and what the thread that asks waits for a processor is not
 * counted.
 */
final class Livez implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;
    /** The time that kubelet waits for a probe by default. */
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(1000);

    private static final Path SELF = Path.of("/proc/thread-self/schedstat");

    private final int port;
    private final Pulse pulse;
    private final ExecutorService asker = Executors.newSingleThreadExecutor();

    Livez(int port, Pulse pulse) throws InterruptedException, ExecutionException {
        this.port = port;
        this.pulse = pulse;
        var _ = asker.submit(ThreadPriority::asTheDriver).get();
    }

    /** Returns whether it answers that the driver lives, as soon as kubelet expects it. */
    boolean isAlive() throws InterruptedException, ExecutionException {
        return asker.submit(this::answersInTime).get();
    }

    private boolean answersInTime() {
        ThreadTime before = ThreadTime.read(SELF);
        long begin = System.nanoTime();
        boolean answered = answers();
        long end = System.nanoTime();
        long waited = ThreadTime.read(SELF).since(before).waited();
        return answered && end - begin - Math.max(pulse.stalled(begin, end), waited) <= PROBE_NANOS;
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port), PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write("GET /livez HTTP/1.1\r\nHost: node\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(12);
            return new String(answer, StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() {
        asker.close();
    }
}
