package dev.fairlead.lab.walk;

import csi.v1.CapacityRange;
import dev.fairlead.lab.CsiClient;
import dev.fairlead.lab.DriverProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Follows one CreateVolume through a driver that runs as a process of its own, class by class. */
public final class CreateVolumeWalk {
    private static final Pattern PORT = Pattern.compile("transport dt_socket at address: (\\d+)");

    private CreateVolumeWalk() {}

    /** Prints a walk; arguments: the folder to work in, {@code folder} or {@code zfs}, the program {@code zfs}. */
    public static void main(String[] args) throws Exception {
        List<String> command =
                Arrays.asList(System.getenv("FAIRLEAD_COMMAND").strip().split("\n", -1));
        Path folder = Path.of(args[0]);
        Route route = args[1].equals("zfs") ? toZfs(folder, command, Path.of(args[2])) : toFolder(folder, command);
        System.out.println(route.text());
    }

    /** The time in which gRPC tells the driver that a call has ended, which comes after its answer. */
    private static final int SETTLING_MILLIS = 500;

    /** Returns the way to a folder of this machine. */
    public static Route toFolder(Path folder, List<String> command) throws IOException, InterruptedException {
        Path base = Files.createDirectories(folder.resolve("base"));
        return follow(folder, command, "adapter.local.directory.folder", """
                driver: local-hostpath
                local-hostpath: {shareBasePath: %s, controllerBasePath: %s}
                """.formatted(base, base));
    }

    /**
     * Returns the way to a dataset that is shared by NFS, over SSH to this machine.
     *
     * @param zfs the program that answers as a pool
     */
    public static Route toZfs(Path folder, List<String> command, Path zfs) throws IOException, InterruptedException {
        Path pool = Files.createDirectories(folder.resolve("pool"));
        try (ShellServer host = new ShellServer(pool)) {
            return follow(folder, command, "adapter.ssh", """
                    driver: zfs-generic-nfs
                    sshConnection:
                      host: 127.0.0.1
                      port: %d
                      username: root
                      password: %s
                      knownHosts: "%s"
                    zfs:
                      datasetParentName: tank/v
                      datasetEnableQuotas: true
                      datasetPermissionsMode: "0777"
                      cli: {paths: {zfs: %s}}
                    nfs:
                      shareHost: nas
                      shareStrategy: setDatasetProperties
                      shareStrategySetDatasetProperties: {properties: {sharenfs: "on"}}
                    """.formatted(
                            host.port(), ShellServer.PASSWORD, host.knownHosts(), zfs));
        }
    }

    private static Route follow(Path folder, List<String> command, String storage, String yaml)
            throws IOException, InterruptedException {
        Path main = Files.writeString(folder.resolve("driver.yaml"), yaml);
        Path socket = folder.resolve("csi.sock");
        List<String> words = new ArrayList<>(command);
        var _ = words.removeIf(word -> word.startsWith("-XX:AOT")); // no JVM takes the start-up cache with an agent
        words.add(1, EnteredClasses.AGENT);
        words.addAll(List.of(
                "--csi-version=1.9.0",
                "--csi-name=walk.fairlead.dev",
                "--driver-config-file=" + main,
                "--csi-mode=controller",
                "--server-socket=" + socket));
        try (DriverProcess driver = DriverProcess.start(words, Map.of(), socket, folder.resolve("driver.log"));
                CsiClient client = new CsiClient(socket)) {
            create(client, "pvc-0"); // the first of a connection opens it, and finds out where the parent is mounted
            create(client, "pvc-1"); // the second is the first that meets a base with volumes, and looks for its trash
            Matcher port = PORT.matcher(driver.output());
            if (!port.find()) {
                throw new IOException("the JVM did not say where to attach: " + driver.output());
            }
            TimeUnit.MILLISECONDS.sleep(SETTLING_MILLIS);
            try (EnteredClasses classes = EnteredClasses.of(Integer.parseInt(port.group(1)))) {
                return Route.of(classes.during(() -> create(client, "pvc-2")), storage);
            }
        }
    }

    private static void create(CsiClient client, String name) {
        var _ = client.create(CsiClient.request(name, Map.of())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 30))
                .build());
    }
}
