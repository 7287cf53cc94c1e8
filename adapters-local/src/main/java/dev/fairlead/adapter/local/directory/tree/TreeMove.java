package dev.fairlead.adapter.local.directory.tree;

import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.Errno;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Moves folders within one file system, at one instant. */
public final class TreeMove {
    private TreeMove() {}

    /** Moves a folder, which must be writable for that if it is a subvolume of btrfs. */
    public static void move(Path victim, Path there) throws IOException {
        try {
            Files.move(victim, there, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (DirectoryFailures.errno(e) != Errno.EROFS
                    || BtrfsCalls.subvolume(victim).isEmpty()
                    || !BtrfsCalls.isReadOnly(victim)) {
                throw e;
            }
            BtrfsCalls.setReadOnly(victim, false);
            Files.move(victim, there, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
