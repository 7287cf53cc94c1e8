package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Attached;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.LinuxException;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens directories name by name without following links, so that nobody can lead the way elsewhere. */
public final class DirectoryWalk {
    private DirectoryWalk() {}

    /** Opens a directory below a folder that is trusted. */
    public static PathHandle open(Path root, Path below) throws LinuxException {
        PathHandle at = PathHandle.ofDirectory(root);
        for (Path name : below) {
            if (!name.toString().isEmpty()) {
                try (PathHandle above = at) {
                    at = above.child(name.toString());
                }
            }
        }
        return at;
    }

    /**
     * Opens a directory that was attached.
     *
     * @throws StorageException {@code BackendUnavailable} if it must be on one file system, and is on another now
     */
    public static PathHandle open(Attached.Directory directory) throws IOException {
        PathHandle opened = open(directory.root(), directory.below());
        try {
            if (directory.filesystem().isPresent() && directory.filesystem().getAsLong() != filesystem(opened)) {
                throw new StorageException(new Failure.BackendUnavailable(
                        "of " + directory.path(),
                        "another disk has just been mounted on this node, on it or above it, or the one that was"
                                + " there was unmounted"));
            }
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** Returns the number of the file system that a directory is on, which each that is mounted has for itself. */
    public static long filesystem(PathHandle directory) throws IOException {
        return (Long) Files.getAttribute(directory.self(), "unix:dev");
    }
}
