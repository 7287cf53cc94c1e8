package dev.fairlead.lab.abuse;

import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import dev.fairlead.lab.abuse.machine.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the driver under abuse: its folder, its process, and two connections of local-hostpath.
 *
 * <p>The base folder of the connection {@code abused} is a mount, so that it can go away and come back.
 */
final class Installation implements AutoCloseable {
    static final Map<String, String> QUIET = Map.of("connection", "quiet");
    static final Map<String, String> ABUSED = Map.of("connection", "abused");

    private final Path folder;
    private final List<String> command;
    private final int httpPort;
    private final Outages outages = new Outages();
    private volatile DriverProcess driver;
    private volatile CsiClient client;

    /** @param command the words that the launcher would run, without arguments */
    Installation(Path folder, List<String> command) throws IOException, InterruptedException {
        this.folder = folder;
        this.httpPort = freePort();
        Files.createDirectories(folder.resolve("pods"));
        Files.createDirectories(quietBase());
        Files.createDirectories(abusedBase());
        Files.createDirectories(abusedDisk().resolve("v"));
        mountAbused();
        Path connections = Files.createDirectories(folder.resolve("connections"));
        connect(connections, "quiet", quietBase(), "existing");
        // A driver that starts while the mount is away has no other way to tell the bare mount point from a new base.
        connect(connections, "abused", abusedBase(), "prepared");
        Path main = Files.writeString(folder.resolve("driver.yaml"), """
                driver: proxy
                proxy:
                  configFolder: %s
                  nodeTopology:
                    type: node
                """.formatted(connections));
        this.command = new ArrayList<>(command);
        this.command.addAll(List.of(
                "--csi-version=1.9.0",
                "--csi-name=abuse.fairlead.dev",
                "--driver-config-file=" + main,
                "--csi-mode=controller",
                "--csi-mode=node",
                "--http-endpoint=127.0.0.1:" + httpPort,
                "--server-socket=" + socket()));
        driver = launch();
        client = new CsiClient(socket());
    }

    private static void connect(Path connections, String name, Path base, String policy) throws IOException {
        Files.writeString(connections.resolve(name + ".yaml"), """
                driver: local-hostpath
                local-hostpath:
                  shareBasePath: %s
                  controllerBasePath: %s
                fairlead:
                  baseFolder: %s
                """.formatted(base, base, policy));
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    private DriverProcess launch() throws IOException, InterruptedException {
        return DriverProcess.start(command, Map.of("CSI_NODE_ID", "node-1"), socket(), folder.resolve("driver.log"));
    }

    Path folder() {
        return folder;
    }

    Path quietBase() {
        return folder.resolve("quiet");
    }

    Path abusedBase() {
        return folder.resolve("abused");
    }

    /** Returns the folder that holds the content of the abused connection, also while its base is not mounted. */
    Path abusedDisk() {
        return folder.resolve("abused-disk");
    }

    Path socket() {
        return folder.resolve("csi.sock");
    }

    int httpPort() {
        return httpPort;
    }

    Outages outages() {
        return outages;
    }

    CsiClient client() {
        return client;
    }

    DriverProcess driver() {
        return driver;
    }

    void mountAbused() throws IOException, InterruptedException {
        var _ = Shell.run(
                "mount", "--bind", abusedDisk().toString(), abusedBase().toString());
    }

    /** Unmounts the base at once, even if files of it are open. */
    void unmountAbused() throws IOException, InterruptedException {
        var _ = Shell.run("umount", "--lazy", abusedBase().toString());
    }

    /** Kills the driver with SIGKILL and starts it again. */
    synchronized void killAndStart() throws IOException, InterruptedException {
        outages.begin();
        driver.kill();
        replace();
    }

    /**
     * Starts the driver again if it has ended by itself, and returns the last line that it had written; empty if it
     * still runs.
     */
    synchronized Optional<String> startIfDead() throws IOException, InterruptedException {
        if (driver.isAlive()) {
            return Optional.empty();
        }
        String last = driver.output().lines().reduce("nothing", (_, line) -> line);
        outages.begin();
        replace();
        return Optional.of(last);
    }

    private void replace() throws IOException, InterruptedException {
        CsiClient old = client;
        driver = launch();
        client = new CsiClient(socket());
        old.close();
        outages.end();
    }

    @Override
    public void close() {
        client.close();
        driver.close();
    }
}
