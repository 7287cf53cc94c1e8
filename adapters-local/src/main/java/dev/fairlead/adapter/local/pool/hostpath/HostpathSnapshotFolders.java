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
final class HostpathSnapshotFolders {
    private static final String DATA = "data";
    private static final String REMOVED = ".fairlead-removed-";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,199}");

    private final Path folder;
    private final DirectoryFailures failures;

    HostpathSnapshotFolders(Path folder, DirectoryFailures failures) {
        this.folder = folder;
        this.failures = failures;
    }

    /** Lists what a folder can be. */
    private enum Form {
        ABSENT,
        /** It holds all that the program makes for a snapshot. */
        WHOLE,
        /** The program ended before it had made all of it. */
        CUT,
        OTHER
    }

    /** @param source the volume's name; empty if it is not known */
    private record Look(Form form, String source) {}

    /** Throws if the folder of the snapshots is not there, since what is in it cannot be told then. */
    private void visit() throws IOException {
        if (RecordedFolders.stat(folder).isEmpty()) {
            throw failures.unavailable(folder + ", the pool's snapshotPath, does not exist: what is to be mounted there"
                    + " is away, or no snapshot was ever taken; mount it, make the folder, or take snapshotPath out of"
                    + " the pool's list");
        }
    }

    Optional<StoredSnapshot> find(NativeId id) throws IOException {
        visit();
        return look(id.value()).source().isEmpty() ? Optional.empty() : Optional.of(stored(id.value()));
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
        visit();
        List<StoredSnapshot> found = new ArrayList<>();
        for (String id : names(folder).stream().sorted().toList()) {
            Optional<StoredSnapshot> one = ID.matcher(id).matches() ? find(new NativeId(id)) : Optional.empty();
            one.filter(snapshot -> source.test(snapshot.source())).ifPresent(found::add);
        }
        return found;
    }

    /** Returns the folder with the content of a snapshot; empty if there is none of this id. */
    Optional<Path> place(String id) throws IOException {
        visit();
        return look(id).form() == Form.WHOLE ? Optional.of(folder.resolve(id).resolve(DATA)) : Optional.empty();
    }

    /** Returns whether there is anything of this id, also if only its removal was begun. */
    boolean holds(String id) throws IOException {
        visit();
        return ID.matcher(id).matches()
                && (look(id).form() != Form.ABSENT
                        || RecordedFolders.stat(folder.resolve(REMOVED + id)).isPresent());
    }

    /** Removes a snapshot; it is renamed first, so that no half of one is ever a snapshot. */
    void delete(String id, Work work) throws IOException {
        visit();
        if (!ID.matcher(id).matches()) {
            return;
        }
        Path removed = folder.resolve(REMOVED + id);
        switch (look(id).form()) {
            case OTHER ->
                throw new StorageException(new Failure.NotOurs(
                        "snapshot " + id,
                        "the folder " + folder.resolve(id) + ", which has not the form of a snapshot's"));
            case WHOLE, CUT -> {
                delete(removed, work); // of an earlier snapshot of the same id
                work.effect(
                        new Effect("rename", removed.toString()),
                        () -> Files.move(folder.resolve(id), removed, StandardCopyOption.ATOMIC_MOVE));
            }
            case ABSENT -> {}
        }
        FolderSync.sync(work, folder);
        delete(removed, work);
        if (holds(id)) {
            throw failures.unavailable(folder.resolve(id) + " was removed and is still there");
        }
    }

    private static void delete(Path removed, Work work) throws IOException {
        if (RecordedFolders.stat(removed).isPresent()) {
            work.effect(new Effect("delete", removed.toString()), () -> TreeDelete.delete(removed));
        }
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
            if (RecordedFolders.stat(its.resolve(name))
                    .filter(BasicFileAttributes::isDirectory)
                    .isEmpty()) {
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
