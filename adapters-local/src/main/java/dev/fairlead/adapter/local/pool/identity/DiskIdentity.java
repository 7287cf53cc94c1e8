package dev.fairlead.adapter.local.pool.identity;

import dev.fairlead.linux.FilesystemUuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the identity of the disk at a path: the same on whichever node it is mounted, and another one for each other
 * disk.
 */
@FunctionalInterface
public interface DiskIdentity {
    /** The UUID that a file system got when it was made. */
    DiskIdentity OF_FILESYSTEM = path -> FilesystemUuid.of(path).map(UUID::toString);

    /** Returns the identity, which can be the value of a label; empty if there is none. */
    Optional<String> of(Path path) throws IOException;
}
