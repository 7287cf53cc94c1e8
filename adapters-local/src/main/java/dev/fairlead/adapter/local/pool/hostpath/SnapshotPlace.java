package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.base.SeenBases;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.Errno;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileStat;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Knows the folder in which kubevirt's hostpath-provisioner keeps its snapshots, and whether the storage that is to be
 * mounted there is there: an empty mount point looks like a folder without snapshots.
 *
 * <p>The storage is there if a snapshot is, or the mark that Fairlead makes before it deletes the first one; or if the
 * folder is on the disk of its pool, and that is there. A folder that was filled before is remembered, and empty
 * without a mark it is away, wherever it is.
 *
 * @param folders the volumes of the pool
 * @param system tells whether a folder is on the disk of the operating system, as every empty mount point there is
 */
public record SnapshotPlace(
        Path folder, HostpathFolders folders, SeenBases seen, Predicate<Path> system, DirectoryFailures failures) {
    /** The name of the mark, a file: that program takes each folder for a snapshot. */
    static final String MARK = ".fairlead-snapshots";

    /** Tells whether an entry of the folder is a snapshot. */
    @FunctionalInterface
    interface Filled {
        boolean isFilled() throws IOException;
    }

    /**
     * Checks the folder before its content is believed; throws if it is out of reach. Returns false if there is none
     * although its disk is there, so that no snapshot was ever taken.
     */
    boolean visit(Filled filled) throws IOException {
        boolean there = RecordedFolders.stat(folder).isPresent();
        boolean marked = there && isMarked();
        boolean known = marked || (there && filled.isFilled());
        if (seen.hasLost(failures.connection(), folder, marked, known)) {
            throw away("has lost what was seen there");
        }
        if (!known && !isOnDiskOfPool(there)) {
            throw away(there ? "holds no snapshot" : "does not exist");
        }
        return there;
    }

    private StorageException away(String what) {
        return failures.unavailable(folder + ", the pool's snapshotPath, " + what + ": what is to be mounted there is"
                + " away, or no snapshot is left; mount it, or, if none is to be there, make the file "
                + folder.resolve(MARK) + " or take snapshotPath out of the pool's list");
    }

    /**
     * Returns whether the folder can only be on the disk of its pool, which is there: no other one is to be mounted
     * below the pool, or beside it on a disk that is not the operating system's.
     */
    private boolean isOnDiskOfPool(boolean there) throws IOException {
        Path pool = folders.own().base();
        if (!folders.areThere()) {
            return false;
        }
        if (!there) {
            return folder.startsWith(pool);
        }
        return isInOneMount(folder, pool) && (folder.toRealPath().startsWith(pool.toRealPath()) || !system.test(pool));
    }

    /** Returns whether nothing is mounted between them; each subvolume of btrfs has a device of its own. */
    private static boolean isInOneMount(Path folder, Path pool) throws IOException {
        try (FileCalls calls = new FileCalls()) {
            FileStat its = calls.stat(folder.toRealPath());
            FileStat ours = calls.stat(pool.toRealPath());
            return its.filesystem() == ours.filesystem() || its.sameMount(ours);
        }
    }

    private boolean isMarked() throws IOException {
        return RecordedFolders.stat(folder.resolve(MARK)).isPresent();
    }

    /**
     * Makes the mark if the file system has room for it, and returns whether it is there. On a full one, what is
     * deleted next makes that room.
     */
    boolean isMarkedIfRoom(Work work) throws IOException {
        try {
            mark(work);
            return true;
        } catch (IOException e) {
            return switch (DirectoryFailures.errno(e)) {
                case Errno.ENOSPC, Errno.EDQUOT -> false;
                default -> throw e;
            };
        }
    }

    /** Makes the mark, so that the folder can be told from an empty mount point once nothing is left in it. */
    void mark(Work work) throws IOException {
        if (isMarked()) {
            return;
        }
        Path mark = folder.resolve(MARK);
        work.effect(new Effect("write", mark.toString()), () -> {
            try {
                Files.createFile(mark);
            } catch (FileAlreadyExistsException _) {
                // another process was quicker
            }
        });
        FolderSync.sync(work, folder);
        if (!isMarked()) {
            throw failures.unavailable(mark + " was made and is not there");
        }
    }
}
