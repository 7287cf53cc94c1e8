package dev.fairlead.bootstrap.serving;

import static org.assertj.core.api.Assertions.assertThat;

import csi.v1.NodeGrpc.NodeBlockingStub;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A node plugin that is killed where that is asked for, and started again for the next call; its programs are recorded.
 *
 * <p>Its folder has the files of {@link DriverToKill}, {@code started} with the programs that it has run, {@code mkfs}
 * with each mkfs and whether its device was blank, and {@code driver.log}.
 */
final class KillablePlugin implements AutoCloseable {
    /** Nothing is killed, and what is done is counted. */
    static final int NEVER = Integer.MAX_VALUE;

    /** Kills who runs a program where it should, and lets the program go on. */
    private static final String SHIM = """
            #!/bin/sh
            cd @DIR@
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
            name=${0##*/}
            case $* in '' | -V | --version | version) exec $name "$@" ;; esac
            case $name in
              mkfs.*)
                for device; do :; done
                if [ "$(head -c 4M "$device" | tr -d '\\000' | head -c 1 | wc -c)" = 0 ]; then found=blank; else found=used; fi
                echo "$found $*" >>mkfs
                ;;
            esac
            echo "$name $*" >>started
            if [ -e kill-in ]; then
              left=$(($(cat kill-in) - 1))
              echo $left >kill-in
              [ $left != 0 ] || { rm kill-in; kill -9 $PPID; }
            fi
            exec $name "$@"
            """;

    private static final List<String> PROGRAMS = List.of(
            "iscsiadm", "blockdev", "blkid", "wipefs", "mkfs.ext4", "e2fsck", "mount", "resize2fs", "modprobe", "zfs");

    private final Path folder;
    private Optional<DriverProcess> running = Optional.empty();

    KillablePlugin(Path folder) {
        this.folder = folder;
    }

    /** How a process is killed. */
    enum Kill {
        /** Right after one of its changes. */
        AFTER_CHANGE("kill-after"),
        /** While a program that it has started runs, which goes on. */
        IN_PROGRAM("kill-in");

        private final String file;

        Kill(String file) {
            this.file = file;
        }
    }

    /** Makes what the plugin needs in its folder. */
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("connections"));
        Files.writeString(
                folder.resolve("driver.yaml"),
                "driver: proxy\nproxy:\n  configFolder: " + folder + "/connections\n  nodeTopology: {type: node}\n");
        Path programs = Files.createDirectories(folder.resolve("programs"));
        for (String name : PROGRAMS) {
            Path shim = Files.writeString(programs.resolve(name), SHIM.replace("@DIR@", folder.toString()));
            Files.setPosixFilePermissions(shim, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** Forgets what was done, and has the process killed at the nth moment from now on. */
    void arm(Kill kill, int nth) throws IOException {
        for (String file : List.of("steps", "started", "mkfs", Kill.AFTER_CHANGE.file, Kill.IN_PROGRAM.file)) {
            Files.deleteIfExists(folder.resolve(file));
        }
        Files.writeString(folder.resolve("driver.log"), "");
        if (nth != NEVER) {
            Files.writeString(folder.resolve(kill.file), Integer.toString(nth));
        }
    }

    /** Returns whether no kill is outstanding. */
    boolean wasKilled() {
        return Stream.of(Kill.values()).noneMatch(kill -> Files.exists(folder.resolve(kill.file)));
    }

    /** A call of kubelet's. */
    @FunctionalInterface
    interface Step {
        void by(NodeBlockingStub node);
    }

    /** Makes a call, and repeats it once where the plugin was killed meanwhile. */
    void done(Step step) throws IOException, InterruptedException {
        for (int tries = 0; tries < 2; tries++) {
            DriverProcess driver = process();
            try {
                step.by(driver.node());
                return;
            } catch (StatusRuntimeException e) {
                assertThat(driver.hasEnded()).as(e.getMessage() + "\n" + log()).isTrue();
            }
        }
        throw new AssertionError("killed twice: " + log());
    }

    /** Returns the process, which is started where none runs. */
    private DriverProcess process() throws IOException, InterruptedException {
        if (running.filter(DriverProcess::isAlive).isEmpty()) {
            close();
            running = Optional.of(new DriverProcess(folder));
        }
        return running.orElseThrow();
    }

    List<String> changes() throws IOException {
        return lines("steps");
    }

    List<String> programs() throws IOException {
        return lines("started");
    }

    List<String> formats() throws IOException {
        return lines("mkfs");
    }

    String log() throws IOException {
        return Files.readString(folder.resolve("driver.log"));
    }

    private List<String> lines(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    /** Returns the mounts and the files that it has, without those of its log and of the counts. */
    List<String> remains() throws IOException {
        List<String> ours = List.of("steps", "started", "mkfs", "driver.log");
        return Stream.concat(
                        NodeShell.mounts(folder).stream(),
                        NodeShell.files(folder).stream()
                                .filter(file -> !ours.contains(
                                        Path.of(file).getFileName().toString()))
                                .filter(file -> !file.startsWith(folder + "/programs/")))
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        running.ifPresent(DriverProcess::close);
        running = Optional.empty();
    }
}
