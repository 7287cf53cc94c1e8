package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Guards a base folder: what Fairlead keeps there stands in real folders of its own and belongs to this connection.
 *
 * <p>The base itself may be a symbolic link, the administrator's; below it none is followed.
 */
record TopFolder(Layout layout, Claim claim, DirectoryFailures failures) {
    private static final Set<PosixFilePermission> OPEN = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    /** Before anything is read there; answers whether all is in place to change something. */
    boolean visit() throws IOException {
        boolean whole = true;
        for (Path folder : layout.folders()) {
            whole &= isThere(folder);
        }
        return claim.check() && whole;
    }

    /** Before anything is changed there, after a visit that found something missing: makes it. */
    void prepare(Making making, Work work) throws IOException {
        for (Path folder : layout.folders()) {
            if (!isThere(folder)) {
                make(folder, work);
            }
        }
        FolderSync.sync(work, layout.base());
        claim.make(making, work); // and syncs the folder of state, with all that was made in it
        if (!visit()) {
            throw failures.unavailable("the folders below " + layout.base() + " were made and are not there");
        }
    }

    private void make(Path folder, Work work) throws IOException {
        Set<PosixFilePermission> permissions = folder.startsWith(layout.state()) ? PRIVATE : OPEN;
        work.effect(new Effect("mkdir", folder.toString()), () -> {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(permissions));
            Files.setPosixFilePermissions(folder, permissions); // whatever the umask
        });
    }

    private static boolean isThere(Path folder) throws IOException {
        Optional<BasicFileAttributes> found = Shelf.stat(folder);
        if (found.isPresent() && !found.get().isDirectory()) {
            throw new StorageException(new Failure.NotOurs(
                    "the folder " + folder, found.get().isSymbolicLink() ? "a symbolic link" : "a file"));
        }
        return found.isPresent();
    }

    /** The base, or the folder above it that exists while it does not. */
    Path nearest() {
        Path path = layout.base();
        while (!Files.isDirectory(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }
}
