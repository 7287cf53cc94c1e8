package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Gives one test the storage host of {@code lab/storage}. */
final class StorageHost {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration LONGEST_BOOT = Duration.ofMinutes(8);

    /** What a test may have left beside datasets, each a line. */
    private static final String LEFT = "ls -d /sys/kernel/config/target/iscsi/iqn.* /sys/kernel/config/target/core/*_*"
            + " /sys/kernel/config/nvmet/subsystems/* /sys/kernel/config/nvmet/ports/*"
            + " /var/lib/samba/usershares/* 2>/dev/null; exportfs";

    private final LabCommand lab;
    private final String parent;
    private final Path state;

    private StorageHost(LabCommand lab, String parent, Path state) {
        this.lab = lab;
        this.parent = parent;
        this.state = state;
    }

    /**
     * @param lab the script for a host that is up
     * @param parent a dataset that is made for the test
     */
    static StorageHost withParent(LabCommand lab, String parent) throws IOException {
        StorageHost host = new StorageHost(lab, parent, state(lab));
        host.root("zfs", "create", parent);
        return host;
    }

    /** The script for one more host of the kind of the one that is up, beside which it runs. */
    static LabCommand beside(LabCommand lab) throws IOException {
        Path state = state(lab);
        return new LabCommand(
                lab.script(),
                Map.of(
                        "FAIRLEAD_STORAGE_STATE",
                        state + "-second",
                        "FAIRLEAD_STORAGE_KIND",
                        Files.readString(state.resolve("kind")).strip()));
    }

    private static Path state(LabCommand lab) throws IOException {
        return Path.of(lab.run(LIMIT, "", List.of("env"))
                .lines()
                .filter(line -> line.startsWith("export FAIRLEAD_STORAGE="))
                .map(line -> line.substring(line.indexOf('=') + 1))
                .collect(Collectors.joining()));
    }

    /** The dataset below which this test makes what it makes. */
    String parent() {
        return parent;
    }

    /** The folder of its state, by which others find it. */
    Path state() {
        return state;
    }

    /** The port of 127.0.0.1 that leads to a service: ssh, nfs, iscsi, nvme or smb. */
    int port(String service) throws IOException {
        Map<String, String> ports = Files.readAllLines(state.resolve("ports")).stream()
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return Integer.parseInt(ports.getOrDefault(service, "0"));
    }

    /** The text of a private key that the host lets in: plain, locked or pem. */
    String key(String name) throws IOException {
        return Files.readString(state.resolve("keys").resolve(name));
    }

    /** The passphrase of the key {@code locked}. */
    String passphrase() throws IOException {
        return Files.readString(state.resolve("keys/passphrase"));
    }

    String password(String user) throws IOException {
        return Files.readAllLines(state.resolve("passwords")).stream()
                .filter(line -> line.startsWith(user + ":"))
                .map(line -> line.substring(user.length() + 1))
                .collect(Collectors.joining());
    }

    /** The host's own keys as {@code known_hosts} has them. */
    String knownHosts() throws IOException {
        return Files.readString(state.resolve("known_hosts"));
    }

    /** Runs a command as root, past everything that is tested, and returns its standard output. */
    String root(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of("ssh"));
        line.addAll(List.of(words));
        return lab.run(LIMIT, "", line);
    }

    /** Runs a line of shell as root. */
    String shell(String line) throws IOException {
        return root("sh", "-c", line);
    }

    /** It swallows packets from now on, or takes them again. */
    void freeze(boolean on) throws IOException {
        lab.run(LIMIT, "", List.of(on ? "freeze" : "thaw"));
    }

    /** Its reset button is pressed, and it serves again from the disks that it had. */
    void reboot() throws IOException {
        lab.run(LONGEST_BOOT, "", List.of("reboot"));
    }

    /** Takes away what the test has made; targets and shares that it left would be the next one's. */
    void tidy() throws IOException {
        freeze(false);
        String left = shell("zfs destroy -Rf " + parent + "; " + LEFT);
        if (!left.isBlank()) {
            lab.run(LIMIT, "", List.of("reset"));
        }
    }
}
