package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A folder with a driver's configuration, socket, log and pods, and the command that runs the driver on it. */
final class DriverFixture {
    private static final Path REPOSITORY =
            java.util.Objects.requireNonNull(Path.of("").toAbsolutePath().getParent(), "run from the module");

    private final Path folder;
    private final Path mainFile;
    private final List<String> command;

    private DriverFixture(Path folder, Path mainFile, String javaOptions) throws IOException, InterruptedException {
        this.folder = folder;
        this.mainFile = mainFile;
        this.command = launcherCommand(javaOptions);
    }

    /** What the launcher would run: the process itself is ours then, to be traced and killed. */
    static List<String> launcherCommand(String javaOptions) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(REPOSITORY.resolve("fairlead").toString());
        builder.environment().put("FAIRLEAD_PRINT_COMMAND", "1");
        builder.environment().put("FAIRLEAD_BUILD", "never");
        builder.environment().merge("FAIRLEAD_JAVA_OPTS", javaOptions, (given, more) -> given + " " + more);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        String words = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (!process.waitFor(120, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("the launcher did not say how to run Fairlead");
        }
        return Arrays.asList(words.strip().split("\n", -1));
    }

    /**
     * One local-hostpath connection whose file is the main file, for many short lives of a driver: one thread does the
     * work, so that they are alike, and none lasts long enough for the optimizing compiler to pay.
     */
    static DriverFixture hostpath(Path folder) throws IOException, InterruptedException {
        Path base = Files.createDirectories(folder.resolve("base"));
        return alone(folder, CrashKind.HOSTPATH.yaml(base));
    }

    /** A proxy over the connections that its folder {@code connections} holds. */
    static DriverFixture proxy(Path folder) throws IOException, InterruptedException {
        return proxy(folder, "");
    }

    /** The same, with one more line in the main file's {@code proxy} block. */
    static DriverFixture proxy(Path folder, String line) throws IOException, InterruptedException {
        return proxy(folder, "node", line);
    }

    /** A proxy whose connections every node reaches. */
    static DriverFixture central(Path folder) throws IOException, InterruptedException {
        return proxy(folder, "cluster", "");
    }

    private static DriverFixture proxy(Path folder, String topology, String line)
            throws IOException, InterruptedException {
        Path connections = Files.createDirectories(folder.resolve("connections"));
        Path file = Files.writeString(folder.resolve("proxy.yaml"), """
                driver: proxy
                proxy:
                  configFolder: %s
                  nodeTopology:
                    type: %s
                  %s
                """.formatted(connections, topology, line));
        return new DriverFixture(folder, file, "");
    }

    /** A connection whose file is the main file, for many short lives of a driver. */
    static DriverFixture alone(Path folder, String yaml) throws IOException, InterruptedException {
        return new DriverFixture(
                folder,
                Files.writeString(folder.resolve("driver.yaml"), yaml),
                "-XX:TieredStopAtLevel=1 -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1");
    }

    /** Writes or replaces a connection file of local-hostpath. */
    void connect(String name, Path base) throws IOException {
        write(name, """
                driver: local-hostpath
                local-hostpath:
                  shareBasePath: %s
                  controllerBasePath: %s
                """.formatted(base, base));
    }

    void write(String name, String yaml) throws IOException {
        Path file = folder.resolve("connections").resolve(name + ".yaml");
        Path fresh = Files.writeString(folder.resolve(name + ".fresh"), yaml);
        Files.move(fresh, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    Path folder() {
        return folder;
    }

    Path base() {
        return folder.resolve("base");
    }

    Path socket() {
        return folder.resolve("csi.sock");
    }

    DriverProcess start(String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(ignoresInterrupts() ? List.of("env", "--default-signal=INT") : List.of());
        words.addAll(command);
        words.addAll(List.of(
                "--csi-version=1.9.0",
                "--csi-name=lab.fairlead.dev",
                "--driver-config-file=" + mainFile,
                "--csi-mode=controller",
                "--csi-mode=node",
                "--server-socket=" + socket()));
        words.addAll(List.of(more));
        Map<String, String> environment = new TreeMap<>(Map.of("CSI_NODE_ID", "node-1"));
        KillingPrograms.path(folder).ifPresent(path -> environment.put("PATH", path));
        return DriverProcess.start(words, environment, socket(), folder.resolve("driver.log"));
    }

    /** A shell lets what it starts in the background ignore SIGINT, and children inherit it (signal(7)). */
    private static boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(
                                        line.substring("SigIgn:".length()).strip(), 16)
                                & 2)
                        != 0);
    }
}
