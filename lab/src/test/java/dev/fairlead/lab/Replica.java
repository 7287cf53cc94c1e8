package dev.fairlead.lab;

import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One of several drivers, which serves or not as it may. */
final class Replica implements AutoCloseable {
    private final String name;
    private final Path socket;
    private final Path log;
    private final Process process;

    private Replica(String name, Path socket, Path log, Process process) {
        this.name = name;
        this.socket = socket;
        this.log = log;
        this.process = process;
    }

    static Replica start(String name, List<String> command, Map<String, String> environment, Path folder)
            throws IOException {
        Path socket = folder.resolve(name + ".sock");
        Path log = folder.resolve(name + ".log");
        List<String> words = new ArrayList<>(command);
        words.add("--server-socket=" + socket);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        builder.environment().put("POD_NAME", name);
        return new Replica(name, socket, log, builder.start());
    }

    String name() {
        return name;
    }

    Path socket() {
        return socket;
    }

    /** Whether somebody listens at its socket. */
    boolean listens() {
        try {
            SocketChannel.open(UnixDomainSocketAddress.of(socket)).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it answers a Probe. */
    boolean serves() {
        if (!listens()) {
            return false;
        }
        try (CsiClient client = new CsiClient(socket)) {
            return client.probe();
        } catch (StatusRuntimeException e) {
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean said(String words) {
        try {
            return Files.readString(log).contains(words);
        } catch (IOException e) {
            return false;
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGTERM. */
    void drain() {
        process.destroy();
    }

    /** Its exit code, once it has ended. */
    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException(name + " does not end, see " + log);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
