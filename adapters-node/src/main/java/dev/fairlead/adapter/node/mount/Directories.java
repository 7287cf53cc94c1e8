package dev.fairlead.adapter.node.mount;

import dev.fairlead.adapter.node.kernel.KernelThreads;
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
import java.util.Optional;
import java.util.Set;

/**
 * Makes and removes staging and target paths, which are directories.
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
        String what = "making directory " + path;
        threads.call(what, path, work, wanting -> {
            Optional<BasicFileAttributes> found = look(path);
            if (found.isEmpty()) {
                wanting.effect(new Effect("mkdir", path.toString()), () -> makeOne(path));
                found = look(path);
            }
            BasicFileAttributes now =
                    found.orElseThrow(() -> KernelThreads.fault(what, "it was made, and is not there"));
            if (!now.isDirectory()) {
                throw LinuxMounter.conflict(path, "it is " + kind(now) + " (expected: a directory, or nothing)");
            }
            return true;
        });
    }

    private static void makeOne(Path path) throws IOException {
        try {
            Files.createDirectory(path, MODE);
        } catch (NoSuchFileException _) {
            Files.createDirectories(Optional.ofNullable(path.getParent()).orElse(path), MODE);
            Files.createDirectory(path, MODE);
        } catch (FileAlreadyExistsException _) {
            // somebody else made it just now; the caller checks what it is
        }
    }

    /** Removes an empty directory, or the empty file over which a block device was bind-mounted. */
    void remove(Path path, Work work) {
        String what = "removing directory " + path;
        threads.call(what, path, work, wanting -> {
            Optional<BasicFileAttributes> found = look(path);
            if (found.isEmpty()) {
                return true;
            }
            if (!found.get().isDirectory() && !isPlaceholder(found.get())) {
                throw LinuxMounter.conflict(path, "it is " + kind(found.get()) + ", which Fairlead did not make");
            }
            wanting.effect(new Effect("rmdir", path.toString()), () -> removeOne(path, what));
            if (look(path).isPresent()) {
                throw KernelThreads.fault(what, "it was removed, and is still there");
            }
            return true;
        });
    }

    private static void removeOne(Path path, String what) throws IOException {
        try {
            Files.deleteIfExists(path); // rmdir(2) for a directory, which never deletes its content
        } catch (DirectoryNotEmptyException e) {
            throw new StorageException(
                    new Failure.NodeFault(
                            what, "there are files in it, which are left alone: they may be a volume's data"),
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

    private static Optional<BasicFileAttributes> look(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }
}
