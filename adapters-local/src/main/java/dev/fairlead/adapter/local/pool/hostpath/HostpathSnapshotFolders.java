package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds and removes the snapshots that kubevirt's hostpath-provisioner took: {@code <snapshotPath>/<id>/data} holds the
 * content, and an empty folder beside it has the volume's name. The id is the snapshot's name. A folder of another form
 * is not its snapshot, and is neither listed nor removed.
 */
public final class HostpathSnapshotFolders {
    private static final String DATA = "data";
    private static final String REMOVED = ".fairlead-removed-";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,199}");

    private final SnapshotPlace place;
    private final Path folder;
    private final DirectoryFailures failures;

    public HostpathSnapshotFolders(SnapshotPlace place) {
        this.place = place;
        this.folder = place.folder();
        this.failures = place.failures();
    }

    /** Lists what a folder can be. */
    private enum Form {
        ABSENT,
        /** It holds all that the program makes for a snapshot. */
        WHOLE,
        /** The program ended before it had made all of it, but for the end of the copy. */
        CUT,
        OTHER
    }

    /** @param source the volume's name; empty if it is not known */
    private record Look(Form form, String source) {}

    /** Throws if what is in the folder of the snapshots cannot be told; returns false if there is none. */
    private boolean visit() throws IOException {
        return place.visit(() -> {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                for (Path entry : entries) {
                    if (ID.matcher(String.valueOf(entry.getFileName())).matches() && isFolder(entry.resolve(DATA))) {
                        return true;
                    }
                }
                return false;
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        });
    }

    /** Returns a snapshot; throws if its copy did not come to the end. */
    Optional<StoredSnapshot> find(NativeId id) throws IOException {
        return lookProven(id.value()).form() == Form.WHOLE ? Optional.of(complete(id.value())) : Optional.empty();
    }

    private StoredSnapshot complete(String id) throws IOException {
        requireEnd(id);
        return stored(id);
    }

    /** Throws if a snapshot's copy shows that it did not come to its end, as the program leaves it if it is stopped. */
    private void requireEnd(String id) throws IOException {
        Path data = folder.resolve(id).resolve(DATA);
        if (CopyEnd.isMissing(data)) {
            throw failures.unavailable(data
                    + " is a copy by kubevirt's hostpath-provisioner that did not come to its end: the folder has not"
                    + " got the time of the volume's. Look whether anybody needs what it holds, remove "
                    + folder.resolve(id) + ", and the next CreateSnapshot takes the snapshot anew; if it is known to"
                    + " hold all, give the folder an older time: touch -d @0 " + data);
        }
    }

    private StoredSnapshot stored(String id) throws IOException {
        Look look = look(id);
        BasicFileAttributes made = Files.readAttributes(folder.resolve(id), BasicFileAttributes.class);
        return new StoredSnapshot(
                new NativeId(id),
                CsiName.read(id),
                new NativeId(look.source()),
                Capacity.ZERO,
                made.lastModifiedTime().toInstant());
    }

    /** Returns all whole snapshots of volumes that pass the filter, in the order of their ids. */
    List<StoredSnapshot> all(Predicate<NativeId> source) throws IOException {
        List<StoredSnapshot> found = new ArrayList<>();
        for (String id : visit() ? names(folder).stream().sorted().toList() : List.<String>of()) {
            Look look = look(id);
            if (look.form() == Form.WHOLE
                    && source.test(new NativeId(look.source()))
                    && !CopyEnd.isMissing(folder.resolve(id).resolve(DATA))) {
                found.add(stored(id));
            }
        }
        boolean _ = visit(); // if the storage has gone meanwhile, entries would be missing
        return found;
    }

    /** Returns the folder with the content of a snapshot; empty if there is none of this id; throws if it was cut. */
    Optional<Path> place(String id) throws IOException {
        if (lookProven(id).form() != Form.WHOLE) {
            return Optional.empty();
        }
        requireEnd(id);
        return Optional.of(folder.resolve(id).resolve(DATA));
    }

    /** Returns whether there is anything of this id, also if only its removal was begun. */
    boolean holds(String id) throws IOException {
        return lookProven(id).form() != Form.ABSENT
                || (ID.matcher(id).matches()
                        && RecordedFolders.stat(folder.resolve(REMOVED + id)).isPresent());
    }

    /** Removes a snapshot; it is renamed first, so that no half of one is ever a snapshot. */
    void delete(String id, Work work) throws IOException {
        if (!visit() || !ID.matcher(id).matches()) {
            return;
        }
        Path removed = folder.resolve(REMOVED + id);
        boolean marked = true;
        switch (look(id).form()) {
            case OTHER ->
                throw new StorageException(new Failure.NotOurs(
                        "snapshot " + id,
                        "the folder " + folder.resolve(id) + ", which has not the form of a snapshot's"));
            case WHOLE, CUT -> {
                marked = place.isMarkedIfRoom(work); // before the last one may go
                delete(removed, work); // of an earlier snapshot of the same id
                work.effect(
                        new Effect("rename", removed.toString()),
                        () -> Files.move(folder.resolve(id), removed, StandardCopyOption.ATOMIC_MOVE));
            }
            case ABSENT -> {}
        }
        FolderSync.sync(work, folder);
        delete(removed, work);
        if (!marked) {
            place.mark(work);
        }
        if (holds(id)) {
            throw failures.unavailable(folder.resolve(id) + " was removed and is still there");
        }
    }

    private static void delete(Path removed, Work work) throws IOException {
        if (RecordedFolders.stat(removed).isPresent()) {
            work.effect(new Effect("delete", removed.toString()), () -> TreeDelete.delete(removed));
        }
    }

    /** Returns what a folder is while its storage is there; if there is none, the storage was there afterwards, too. */
    private Look lookProven(String id) throws IOException {
        boolean _ = visit();
        Look found = look(id);
        if (found.form() == Form.ABSENT) {
            boolean _ = visit();
        }
        return found;
    }

    private static boolean isFolder(Path path) throws IOException {
        return RecordedFolders.stat(path)
                .filter(BasicFileAttributes::isDirectory)
                .isPresent();
    }

    private Look look(String id) throws IOException {
        Path its = folder.resolve(ID.matcher(id).matches() ? id : ".");
        Optional<BasicFileAttributes> found = RecordedFolders.stat(its);
        if (its.endsWith(".") || found.isEmpty()) {
            return new Look(Form.ABSENT, "");
        }
        if (!found.get().isDirectory()) {
            return new Look(Form.OTHER, "");
        }
        boolean data = false;
        String source = "";
        for (String name : names(its)) {
            if (!isFolder(its.resolve(name))) {
                return new Look(Form.OTHER, "");
            }
            if (name.equals(DATA)) {
                data = true;
            } else if (source.isEmpty()
                    && NativeId.isValid(name)
                    && names(its.resolve(name)).isEmpty()) {
                source = name;
            } else {
                return new Look(Form.OTHER, "");
            }
        }
        return data && !source.isEmpty() ? new Look(Form.WHOLE, source) : new Look(Form.CUT, "");
    }

    private static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }
}
