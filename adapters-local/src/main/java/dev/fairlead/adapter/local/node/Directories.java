package dev.fairlead.adapter.local.node;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Staging and target paths: directories that the driver makes and removes.
 *
 * <p>The last component is never a symbolic link; above it links are followed, since {@code /var/lib/kubelet} is one on
 * some nodes.
 */
final class Directories {
    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

    private final KernelThreads threads;

    Directories(KernelThreads threads) {
        this.threads = threads;
    }

    void make(Path path, Work work) {
        Optional<BasicFileAttributes> found = look(path, work);
        if (found.isEmpty()) {
            work.effect(
                    new Effect("mkdir", path.toString()),
                    () -> onThread("making directory " + path, path, work, () -> {
                        Path parent = path.getParent();
                        if (parent != null) {
                            Files.createDirectories(parent, MODE);
                        }
                        makeOne(path);
                        return true;
                    }));
            found = look(path, work);
        }
        BasicFileAttributes now = found.orElseThrow(
                () -> KernelThreads.fault("making directory " + path, "it was made, and is not there"));
        if (!now.isDirectory()) {
            throw LinuxMounter.conflict(path, "it is " + kind(now) + " (expected: a directory, or nothing)");
        }
    }

    private static void makeOne(Path path) throws IOException {
        try {
            Files.createDirectory(path, MODE);
        } catch (FileAlreadyExistsException _) {
            // made by somebody else just now; what it is gets looked at next
        }
    }

    /** Removes an empty directory, or the empty file over which a block device was bound. */
    void remove(Path path, Work work) {
        Optional<BasicFileAttributes> found = look(path, work);
        if (found.isEmpty()) {
            return;
        }
        if (!found.get().isDirectory() && !isPlaceholder(found.get())) {
            throw LinuxMounter.conflict(path, "it is " + kind(found.get()) + ", which Fairlead did not make");
        }
        work.effect(
                new Effect("rmdir", path.toString()),
                () -> onThread("removing directory " + path, path, work, () -> {
                    removeOne(path);
                    return true;
                }));
        if (look(path, work).isPresent()) {
            throw KernelThreads.fault("removing directory " + path, "it was removed, and is still there");
        }
    }

    private static void removeOne(Path path) throws IOException {
        try {
            Files.deleteIfExists(path); // rmdir(2) for a directory: never what is in it
        } catch (DirectoryNotEmptyException e) {
            throw new StorageException(
                    new Failure.NodeFault(
                            "removing directory " + path,
                            "there are files in it, which are left alone: they may be a volume's data"),
                    e);
        }
    }

    private static boolean isPlaceholder(BasicFileAttributes file) {
        return file.isRegularFile() && file.size() == 0;
    }

    private static String kind(BasicFileAttributes file) {
        if (file.isSymbolicLink()) {
            return "a symbolic link";
        }
        return file.isRegularFile() ? "a file" : "neither file nor directory";
    }

    private Optional<BasicFileAttributes> look(Path path, Work work) {
        return onThread("looking at " + path, path, work, () -> {
            try {
                return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
            } catch (NoSuchFileException _) {
                return Optional.empty();
            }
        });
    }

    private <T> T onThread(String what, Path path, Work work, Callable<T> action) {
        try {
            return threads.run(what, List.of(path), work, action);
        } catch (IOException e) {
            throw LinuxMounter.fault(what, e);
        }
    }
}
