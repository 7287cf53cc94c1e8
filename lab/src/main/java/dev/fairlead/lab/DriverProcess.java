package dev.fairlead.lab;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a CSI driver as a process of its own, and tells how long it took until it answered its first Probe. */
public final class DriverProcess implements AutoCloseable {
    private final Process process;
    private final Path socket;
    private final Path log;
    private final double startMillis;

    private DriverProcess(Process process, Path socket, Path log, double startMillis) {
        this.process = process;
        this.socket = socket;
        this.log = log;
        this.startMillis = startMillis;
    }

    /** Starts it and waits, for three minutes at most, for the first answered Probe on a fresh connection. */
    public static DriverProcess start(List<String> command, Map<String, String> environment, Path socket, Path log)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        // A socket that a killed process left is not removed here: that is the driver's task.
        long begin = System.nanoTime();
        Process process = builder.start();
        long giveUp = begin + TimeUnit.MINUTES.toNanos(3); // a busy machine takes more than one
        while (System.nanoTime() < giveUp && process.isAlive()) {
            if (Files.exists(socket) && answers(socket)) {
                return new DriverProcess(process, socket, log, (System.nanoTime() - begin) / 1e6);
            }
            Thread.sleep(2);
        }
        process.destroyForcibly();
        throw new IOException("the driver did not answer, see " + log + ": " + Files.readString(log));
    }

    /** Connects without gRPC first, which is cheap: a killed process leaves a socket that nobody answers. */
    private static boolean answers(Path socket) {
        try {
            SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
        } catch (IOException e) {
            return false;
        }
        try (CsiClient client = new CsiClient(socket)) {
            return client.probe();
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    public Path socket() {
        return socket;
    }

    public long pid() {
        return process.pid();
    }

    public double startMillis() {
        return startMillis;
    }

    /** Returns the file that the process writes to. */
    public Path log() {
        return log;
    }

    /** Returns the kernel's id of the one thread whose name begins so; throws if there is none or more than one. */
    public int thread(String prefix) throws IOException {
        List<Integer> found = new ArrayList<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid() + "/task"))) {
            for (Path thread : threads) {
                if (name(thread).startsWith(prefix)) {
                    found.add(Integer.valueOf(String.valueOf(thread.getFileName())));
                }
            }
        }
        if (found.size() != 1) {
            throw new IOException(found.size() + " threads are called " + prefix + "… (expected: one)");
        }
        return found.getFirst();
    }

    /** Returns the kernel's ids of the threads that it has now. */
    public Set<Integer> threads() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return all.map(thread -> Integer.valueOf(String.valueOf(thread.getFileName())))
                    .collect(Collectors.toSet());
        }
    }

    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException _) {
            return ""; // it has ended since it was listed
        }
    }

    /** Returns everything that the process has written so far. */
    public String output() throws IOException {
        return Files.readString(log);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns whether it ends by itself, or is killed by somebody else, within this time. */
    public boolean endsWithin(Duration time) throws InterruptedException {
        return process.waitFor(time);
    }

    /** Waits until it has ended, or been killed by somebody else; throws if it is still alive after 30 seconds. */
    public void awaitDeath() {
        try {
            var _ = process.onExit().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the driver is still alive", e);
        }
    }

    /** Sends it a signal, such as {@code TERM} or {@code INT}, and does not wait for the effect. */
    public void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " of the driver ended with " + code);
        }
    }

    /** Waits until it has ended, and returns its exit code. */
    public int awaitExit() {
        awaitDeath();
        return process.exitValue();
    }

    /** Kills it with SIGKILL, and waits until it has ended. */
    public void kill() {
        process.destroyForcibly();
        awaitDeath();
    }

    /** Sends SIGTERM; throws, after SIGKILL, if the process has not ended within 20 seconds. */
    @Override
    public void close() {
        process.destroy();
        try {
            var _ = process.onExit().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException("the driver did not end within 20 s of SIGTERM", e);
        }
    }
}
