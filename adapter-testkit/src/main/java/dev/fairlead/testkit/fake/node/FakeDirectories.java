package dev.fairlead.testkit.fake.node;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The directories of a node in memory; files and symbolic links are known by their path only. */
final class FakeDirectories {
    private final Set<Path> directories = new TreeSet<>();
    private final Set<Path> others = new HashSet<>();
    private final Set<Path> placeholders = new HashSet<>();

    FakeDirectories() {
        directories.add(Path.of("/"));
    }

    synchronized void existing(Path directory) {
        for (Path path = directory; path != null; path = path.getParent()) {
            directories.add(path);
        }
    }

    synchronized void existingOther(Path path) {
        existing(Optional.ofNullable(path.getParent()).orElse(path));
        others.add(path);
    }

    /** Adds a file that a device is bound at, which is removed as a directory is. */
    synchronized void placeholder(Path target) {
        existingOther(target);
        placeholders.add(target);
    }

    synchronized boolean isDirectory(Path path) {
        return directories.contains(path);
    }

    synchronized boolean isOther(Path path) {
        return others.contains(path);
    }

    /** Returns what there is, one line each. */
    synchronized String dump() {
        StringBuilder text = new StringBuilder();
        others.stream()
                .sorted()
                .forEach(path -> text.append("file ").append(path).append('\n'));
        directories.forEach(path -> text.append("directory ").append(path).append('\n'));
        return text.toString();
    }

    void make(Path path, Work work) {
        refuseBelowOthers(path);
        if (!isDirectory(path)) {
            work.effect(new Effect("mkdir", path.toString()), () -> existing(path));
            require(isDirectory(path), "make directory " + path, "it was made, and is not there");
        }
    }

    private synchronized void refuseBelowOthers(Path path) {
        for (Path above = path; above != null; above = above.getParent()) {
            require(!others.contains(above), "make directory " + path, above + " is no directory");
        }
    }

    /** @param mounted whether something is mounted there; asked before, since the mounts have a lock of their own */
    void remove(Path path, boolean mounted, Work work) {
        if (isRemovable(path, mounted)) {
            work.effect(new Effect("rmdir", path.toString()), () -> removeEmpty(path));
            boolean left = isDirectory(path) || isOther(path);
            require(!left, "remove directory " + path, "it was removed, and is still there");
        }
    }

    private synchronized boolean isRemovable(Path path, boolean mounted) {
        boolean placeholder = others.contains(path) && placeholders.contains(path);
        require(!others.contains(path) || placeholder, "remove directory " + path, "it is no directory");
        if (!directories.contains(path) && !placeholder) {
            return false;
        }
        require(!mounted, "remove directory " + path, "something is mounted there");
        boolean empty =
                Stream.concat(directories.stream(), others.stream()).noneMatch(other -> path.equals(other.getParent()));
        require(empty, "remove directory " + path, "it is not empty");
        return true;
    }

    private synchronized void removeEmpty(Path path) {
        directories.remove(path);
        others.remove(path);
        placeholders.remove(path);
    }

    private static void require(boolean condition, String what, String otherwise) {
        if (!condition) {
            throw new StorageException(new Failure.NodeFault(what, otherwise));
        }
    }
}
