package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.linux.PathHandle;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Guards a base folder: what Fairlead keeps there is in real folders of its own and belongs to this connection, and a
 * base whose storage is away counts as out of reach, never as empty.
 *
 * <p>The base itself may be a symbolic link that the administrator made; below it no link is followed.
 */
public record BaseFolderGuard(
        BaseFolderLayout layout, OwnerMark ownerMark, BaseFolder policy, SeenBases seen, DirectoryFailures failures) {
    private static final Set<PosixFilePermission> OPEN = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    /** Tells what a base folder is to this connection. */
    enum State {
        /** Nothing shows that it was ever used; it may be missing if Fairlead may make it. */
        NEW,
        /** It holds volumes or snapshots, and Fairlead's own folders are still to be made. */
        FOUND,
        /** It is complete, and changes may begin. */
        READY
    }

    /** Checks the base before anything is read there; throws if it is out of reach. */
    State visit() throws IOException {
        if (!isThere()) {
            return State.NEW;
        }
        BaseFolderSigns signs = look(layout);
        if (signs.mark().isPresent() && signs.missing().isEmpty()) {
            return State.READY;
        }
        if (!signs.areNone()) {
            return State.FOUND;
        }
        if (policy == BaseFolder.PREPARED) {
            throw failures.unavailable(isBare());
        }
        return State.NEW;
    }

    /** Returns whether something shows that the base was ever used; throws if it is out of reach. */
    public boolean isUsed() throws IOException {
        return visit() != State.NEW;
    }

    /**
     * Throws if an absence that was found proves nothing, because the base is an empty folder that may be an unmounted
     * mount point.
     */
    void proveAbsence(String what) throws IOException {
        if (visit() == State.NEW && policy == BaseFolder.EXISTING) {
            throw failures.unavailable("whether " + what + " is gone cannot be told: " + isBare());
        }
    }

    private boolean isThere() throws IOException {
        Path base = layout.base();
        // Asked before the look: a base that another call makes in between was not away.
        boolean known = seen.hasSeen(place());
        try {
            if (Files.readAttributes(base, BasicFileAttributes.class).isDirectory()) {
                return true;
            }
        } catch (NoSuchFileException e) {
            if (policy == BaseFolder.CREATE && !known) {
                return false;
            }
            throw failures.unavailable(base + " does not exist: what is to be mounted there is away, "
                    + (known
                            ? "since it was there before; if it was removed for good, make the folder, "
                                    + seen.remedy(place())
                            : "or it is new; mount it, make the folder, or let fairlead.baseFolder be create"));
        }
        throw failures.unavailable(base + " is no folder");
    }

    /** Returns the signs of the base by this path to it; throws if it has lost something. */
    private BaseFolderSigns look(BaseFolderLayout there) throws IOException {
        BaseFolderSigns signs = signs(there);
        if (seen.lost(place(), signs).isPresent()) {
            signs = signs(there); // others may have made it meanwhile
            refuseIfLost(signs);
        }
        return signs;
    }

    /**
     * Looks at what is below the base now; throws if something in a folder's place is not a folder. The mark is made
     * after the folders and so looked at before them: if it exists, they do.
     */
    private BaseFolderSigns signs(BaseFolderLayout there) throws IOException {
        Optional<OwnerRecord> mark = ownerMark.check(there);
        Set<String> folders = new TreeSet<>();
        List<Path> missing = new ArrayList<>();
        for (Path folder : there.folders()) {
            if (!isFolder(folder)) {
                missing.add(folder);
            } else if (there.base().equals(folder.getParent()) && !folder.equals(there.state())) {
                folders.add(String.valueOf(folder.getFileName()));
            }
        }
        return new BaseFolderSigns(folders, missing, mark, mark.isEmpty() && there.hasOthers());
    }

    /** Returns whether a folder exists; throws if anything else has its place. */
    private static boolean isFolder(Path folder) throws IOException {
        Optional<BasicFileAttributes> found = RecordedFolders.stat(folder);
        if (found.isPresent() && !found.get().isDirectory()) {
            throw new StorageException(new Failure.NotOurs(
                    "the folder " + folder, found.get().isSymbolicLink() ? "a symbolic link" : "a file"));
        }
        return found.isPresent();
    }

    private void refuseIfLost(BaseFolderSigns signs) throws IOException {
        Optional<String> lost = seen.lost(place(), signs);
        if (lost.isPresent()) {
            throw failures.unavailable(layout.base() + " " + lost.get()
                    + ": its storage is away, or another one is mounted there; it is used again once it is back. "
                    + "If it was emptied or replaced for good, " + seen.remedy(place()));
        }
    }

    private SeenBases.Place place() {
        return new SeenBases.Place(failures.connection(), layout.base());
    }

    private String isBare() {
        return layout.base()
                + " holds neither v nor .fairlead/owner: it is new, or what is to be mounted there is away; "
                + "mount it, or make the folder " + layout.volumes().folder() + " if it is new";
    }

    /** Makes what is missing in the base, after a visit that found it so and before anything is changed there. */
    void prepare(CreationsInProgress creations, Work work) throws IOException {
        if (!isThere()) {
            makeBase(work);
        }
        boolean empty;
        // A mount may disappear at any moment; what is made by this handle is made in it or not at all.
        try (PathHandle held = PathHandle.ofDirectory(layout.base().toRealPath())) {
            BaseFolderLayout inside = layout.at(held.self());
            BaseFolderSigns signs = look(inside);
            empty = signs.areNone() || areOfBegunLayout(signs, inside);
            for (Path missing : signs.missing()) {
                make(missing, layout.base().resolve(inside.base().relativize(missing)), work);
            }
            if (!signs(inside).missing().isEmpty()) {
                throw unmade();
            }
        }
        FolderSync.sync(work, layout.base());
        if (ownerMark.check().isEmpty()) {
            ownerMark.make(
                    empty, creations, work); // which also syncs the folder of state, with all that was made in it
        }
        if (visit() != State.READY) {
            throw unmade();
        }
        if (empty) {
            seen.wasEmpty(place());
        }
    }

    /**
     * Returns whether nothing was here except what an earlier attempt to lay it out made before it ended without a
     * mark.
     */
    private static boolean areOfBegunLayout(BaseFolderSigns signs, BaseFolderLayout there) throws IOException {
        if (signs.mark().isPresent() || signs.others() || signs.missing().contains(there.state())) {
            return false;
        }
        RecordedFolders volumes = there.volumes();
        RecordedFolders snapshots = there.snapshots();
        for (Path folder : List.of(volumes.folder(), volumes.records(), snapshots.folder(), snapshots.records())) {
            if (!signs.missing().contains(folder) && !isEmpty(folder)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        }
    }

    private StorageException unmade() {
        return failures.unavailable("the folders below " + layout.base() + " were made and are not there");
    }

    private void makeBase(Work work) throws IOException {
        Path base = layout.base();
        work.effect(new Effect("mkdir", base.toString()), () -> {
            Files.createDirectories(base, PosixFilePermissions.asFileAttribute(OPEN));
            Files.setPosixFilePermissions(base, OPEN); // whatever the umask
        });
        Path above = base.getParent();
        if (above != null) {
            FolderSync.sync(work, above);
        }
    }

    private void make(Path folder, Path shown, Work work) throws IOException {
        Set<PosixFilePermission> permissions = shown.startsWith(layout.state()) ? PRIVATE : OPEN;
        work.effect(new Effect("mkdir", shown.toString()), () -> {
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(permissions));
            Files.setPosixFilePermissions(folder, permissions); // whatever the umask
        });
    }

    /** Returns the base, or, if it does not exist, the nearest folder above it that does. */
    public Path nearest() {
        Path path = layout.base();
        while (!Files.isDirectory(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }
}
