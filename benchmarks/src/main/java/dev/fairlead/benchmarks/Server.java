package dev.fairlead.benchmarks;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A CSI server as a process of its own, and how long it took until it answered its first Probe. */
final class Server implements AutoCloseable {
    private final Process process;
    private final Path socket;
    private final double startMillis;

    private Server(Process process, Path socket, double startMillis) {
        this.process = process;
        this.socket = socket;
        this.startMillis = startMillis;
    }

    /** Starts it and waits for the first answered Probe on a fresh connection. */
    static Server start(List<String> command, Map<String, String> environment, Path socket, Path log)
            throws IOException, InterruptedException {
        Files.deleteIfExists(socket);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        long begin = System.nanoTime();
        Process process = builder.start();
        long giveUp = begin + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < giveUp && process.isAlive()) {
            if (Files.exists(socket) && answers(socket)) {
                return new Server(process, socket, (System.nanoTime() - begin) / 1e6);
            }
            Thread.sleep(2);
        }
        process.destroyForcibly();
        throw new IOException("the server did not answer, see " + log + ": " + Files.readString(log));
    }

    private static boolean answers(Path socket) {
        try (Client client = new Client(socket)) {
            client.probe();
            return true;
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    Path socket() {
        return socket;
    }

    double startMillis() {
        return startMillis;
    }

    Memory memory() throws IOException {
        return Memory.of(process.pid());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.onExit().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException("the server did not end within 20 s of SIGTERM", e);
        }
    }
}
