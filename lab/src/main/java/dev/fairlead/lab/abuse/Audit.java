package dev.fairlead.lab.abuse;

import csi.v1.ListVolumesResponse;
import dev.fairlead.lab.report.Violations;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Compares what is on the machine after the abuse with what was there before it. */
final class Audit {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(6);

    private final Installation installation;
    private final SortedSet<String> before;

    /** Notes what is there now, while there is no volume. */
    Audit(Installation installation) throws IOException {
        this.installation = installation;
        this.before = state();
    }

    /**
     * Reports all that is left, or missing, once the driver had six minutes to clear it away by itself: what it could
     * not delete at once it tries again without a call.
     */
    void report(Violations violations) throws IOException {
        ListVolumesResponse volumes = installation.client().list(0, "");
        if (volumes.getEntriesCount() > 0) {
            violations.add("volumes are left: " + volumes.getEntriesList());
        }
        int snapshots = installation.client().listSnapshots().getEntriesCount();
        if (snapshots > 0) {
            violations.add(snapshots + " snapshots are left");
        }
        long giveUp = System.nanoTime() + LONGEST_NANOS;
        SortedSet<String> after = state();
        while (!after.equals(before) && System.nanoTime() < giveUp) {
            Patience.pause();
            after = state();
        }
        SortedSet<String> left = new TreeSet<>(after);
        left.removeAll(before);
        left.forEach(what -> violations.add("left: " + what));
        SortedSet<String> missing = new TreeSet<>(before);
        missing.removeAll(after);
        missing.forEach(what -> violations.add("missing: " + what));
    }

    /**
     * Returns the paths in both bases and in the pods' folder, to a depth of four, and all mounts below the
     * installation's folder.
     */
    private SortedSet<String> state() throws IOException {
        SortedSet<String> found = new TreeSet<>();
        for (Path folder : List.of(
                installation.quietBase(),
                installation.abusedDisk(),
                installation.folder().resolve("pods"))) {
            found.addAll(paths(folder));
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            String point = line.split(" ", -1)[4];
            if (point.startsWith(installation.folder() + "/")) {
                found.add("mount at " + point);
            }
        }
        return found;
    }

    private static List<String> paths(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        // A path that the driver clears away meanwhile is no failure.
        var _ = Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
                found.add(path.toString());
                // The top of what is left tells enough, and what is below it may be too deep for a path.
                return path.getNameCount() > folder.getNameCount() + 3
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
                found.add(path.toString());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException failure) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, java.io.IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
