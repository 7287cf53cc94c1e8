package dev.fairlead.lab.abuse;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Lists what the driver has on the machine: paths below some folders, to a depth of four, and mounts.
 *
 * @param folders the folders whose paths are listed
 * @param mounts the folder below which mounts are listed
 */
record Footprint(List<Path> folders, Path mounts) {
    static Footprint of(Installation installation) {
        return new Footprint(
                List.of(
                        installation.quietBase(),
                        installation.abusedDisk(),
                        installation.folder().resolve("pods")),
                installation.folder());
    }

    SortedSet<String> now() throws IOException {
        SortedSet<String> found = new TreeSet<>();
        for (Path folder : folders) {
            found.addAll(paths(folder));
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            String point = line.split(" ", -1)[4];
            if (point.startsWith(mounts + "/")) {
                found.add("mount at " + point);
            }
        }
        return found;
    }

    /**
     * Waits until the driver has removed what it deletes in the background, and returns what is there then; throws if
     * it takes longer than this. However slow the machine is, what is only on its way out is not noted as what belongs
     * there.
     */
    SortedSet<String> settled(Duration atMost) throws IOException {
        long giveUp = System.nanoTime() + atMost.toNanos();
        SortedSet<String> found = now();
        while (found.stream().anyMatch(Footprint::isPassing)) {
            if (System.nanoTime() > giveUp) {
                throw new IOException("the driver still deletes after " + atMost.toSeconds() + " s: "
                        + found.stream().filter(Footprint::isPassing).toList());
            }
            Patience.pause();
            found = now();
        }
        return found;
    }

    private static boolean isPassing(String path) {
        return path.contains("/.fairlead/trash/") || path.contains("/.fairlead/partial/");
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
