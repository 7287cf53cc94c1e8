package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Starts the process of {@code fairlead affinity}, and kills it. */
final class Supervisor implements AutoCloseable {
    private static final int SECONDS_TO_END = 40;

    private final Path folder;
    private final Path kubeconfig;
    private final AtomicInteger kills = new AtomicInteger();
    private volatile @Nullable Process running;

    Supervisor(Path folder, Path kubeconfig) {
        this.folder = folder;
        this.kubeconfig = kubeconfig;
    }

    /** Starts it with the classes of this build. */
    Process start(String... options) throws IOException {
        List<String> words = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fairlead.bootstrap.Main");
        return start(words, Map.of(), options);
    }

    /** @param command what runs Fairlead, without the words that say what it is to do */
    Process start(List<String> command, Map<String, String> environment, String... options) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("affinity", "--namespace=default", "--limit-percent=100"));
        words.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().putAll(environment);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("affinity.log").toFile()))
                .start();
        running = process;
        return process;
    }

    /** Returns the options of a process that follows the connections of the folder, quickly. */
    String[] quick() {
        return new String[] {
            "--csi-name=" + AffinityWorld.PREFIX,
            "--driver-config-file=" + folder.resolve("main.yaml"),
            "--settle=0",
            "--reconcile-rate=1"
        };
    }

    /** Kills it by SIGKILL, and waits until it is gone. */
    void kill() {
        Process process = running;
        if (process != null && process.isAlive()) {
            kills.incrementAndGet();
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    boolean isAlive() {
        Process process = running;
        return process != null && process.isAlive();
    }

    int kills() {
        return kills.get();
    }

    /** Ends it by SIGTERM, and proves that it ends well. */
    void end() throws IOException, InterruptedException {
        Process process = java.util.Objects.requireNonNull(running);
        process.destroy();
        assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(tail()).isZero();
    }

    /** Returns the last of what it has logged. */
    String tail() {
        try {
            String text = Files.readString(folder.resolve("affinity.log"));
            return text.substring(Math.max(0, text.length() - 3000));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        Process process = running;
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
