package dev.fairlead.bootstrap.serving;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What an administrator sees and does on the node that the tests run on. */
final class NodeShell {
    private static final Path SESSIONS = Path.of("/sys/class/iscsi_session");

    private NodeShell() {}

    /** Runs a program and returns how it ended. */
    static int run(String... argv) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(argv).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new IOException(String.join(" ", argv) + " does not end: " + said);
        }
        return process.exitValue();
    }

    static void must(String... argv) throws IOException, InterruptedException {
        int code = run(argv);
        if (code != 0) {
            throw new IOException(String.join(" ", argv) + " ended with " + code);
        }
    }

    /** Leaves a test out where this process may not mount. */
    static void assumeItMounts(Path folder) throws IOException, InterruptedException {
        String probe = Files.createDirectory(folder.resolve("probe")).toString();
        assumeTrue(run("mount", "--bind", probe, probe) == 0, "left out: needs the right to mount");
        must("umount", probe);
    }

    /**
     * Returns a script that mounts a file, and once more if it comes about for reading alone: two that ask for a free
     * loop device at once may get the same one.
     */
    static String mountLoop(String options, Path file, Path at) {
        return "for i in 1 2 3 4 5; do mount -o %1$s %2$s %3$s || exit 1; [ -w %3$s ] && exit 0; umount %3$s; sleep 1; done; exit 1"
                .formatted(options, file, at);
    }

    /** Unmounts all that is mounted below a folder. */
    static void unmountAll(Path below) throws IOException, InterruptedException {
        // What a process that was just ended had open is busy for a moment.
        for (int tries = 0; tries < 50 && !mounts(below).isEmpty(); tries++) {
            for (String line : mounts(below).reversed()) {
                var _ = run("umount", line.split(" ", -1)[4]);
            }
            if (!mounts(below).isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    /** Returns the mounts below a folder. */
    static List<String> mounts(Path below) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(line -> line.split(" ", -1)[4].startsWith(below + "/"))
                .toList();
    }

    /** Returns the node's iSCSI sessions with a target. */
    static List<String> sessions(String iqn) throws IOException {
        return holding(SESSIONS, "targetname", iqn);
    }

    /** Returns the node's NVMe connections to a subsystem. */
    static List<String> controllers(String nqn) throws IOException {
        return holding(Path.of("/sys/class/nvme"), "subsysnqn", nqn);
    }

    private static List<String> holding(Path all, String attribute, String value) throws IOException {
        if (!Files.exists(all)) {
            return List.of();
        }
        try (Stream<Path> each = Files.list(all)) {
            return each.filter(it -> text(it.resolve(attribute)).equals(value))
                    .map(Path::toString)
                    .toList();
        }
    }

    /** Returns the device node of a target's only disk, as soon as there is one. */
    static Path disk(String iqn) throws IOException, InterruptedException {
        for (int tries = 0; tries < 100; tries++) {
            try (Stream<Path> below =
                    Files.walk(Path.of(sessions(iqn).getFirst(), "device").toRealPath(), 4)) {
                List<Path> disks = below.filter(
                                it -> Objects.toString(it.getParent()).endsWith("/block"))
                        .map(it -> Path.of("/dev", it.getFileName().toString()))
                        .toList();
                if (!disks.isEmpty()) {
                    return disks.getFirst();
                }
            }
            Thread.sleep(100);
        }
        throw new IOException(iqn + " shows no disk");
    }

    /** Returns the files below a folder. */
    static List<String> files(Path folder) {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(Path::toString).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException _) {
            return ""; // the session has just gone
        }
    }
}
