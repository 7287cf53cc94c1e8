package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.base.FolderSync;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.directory.tree.TreeCopy;
import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.adapter.local.directory.tree.TreeSize;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Brings one folder into its place in a base, completely or not at all.
 *
 * <p>The order ensures that, even if the power fails at any point:
 *
 * <ol>
 *   <li>the folder is made below {@code partial}, filled, and given its mode and owner; a copy is synced;
 *   <li>its record is written beside it and synced, which on a file system with a journal also makes everything before
 *       it durable; then it is renamed to its place, where it has no meaning without the folder;
 *   <li>the folder is renamed to its place: from here on it exists;
 *   <li>the folder of records and the parent folder are synced, in this order, so that both names are durable;
 *   <li>all of it is read back.
 * </ol>
 *
 * <p>If a step fails, what was made is removed before the failure is reported.
 */
public final class FolderCreation {
    private static final TreeSize NOT_COPIED = new TreeSize(-1, -1);

    private final BaseFolderContext context;
    private final NewFolder newFolder;
    private final FolderForm form;
    private final Path partial;
    private final Path beside;
    private final Path place;
    private final Work work;

    /** The key of the folder that was made, which identifies it wherever it is now. */
    private final AtomicReference<String> made = new AtomicReference<>("");

    /** The key of the folder that is copied. */
    private String copied = "";

    FolderCreation(BaseFolderContext context, NewFolder newFolder, Work work) {
        this.context = context;
        this.newFolder = newFolder;
        this.form = newFolder.form();
        this.work = work;
        this.partial = context.partial(newFolder.folders(), newFolder.id());
        this.beside = context.beside(newFolder.folders(), newFolder.id());
        this.place = newFolder.folders().place(newFolder.id());
    }

    /**
     * Brings a parcel into its place and returns it.
     *
     * @param ours the result of {@link BaseFolderContext#visit}
     */
    public static NewFolder deliver(BaseFolderContext context, NewFolder newFolder, boolean ours, Work work)
            throws IOException {
        context.prepare(ours, work);
        FolderCreation creation = new FolderCreation(context, newFolder, work);
        if (!context.creations().begin(creation.partial)) {
            throw context.failures()
                    .unavailable(newFolder.folders().kind() + " " + newFolder.id() + " is being made already");
        }
        try {
            context.claims().take(newFolder.folders(), newFolder.id(), context.trash(), work);
            try {
                creation.deliver();
                return newFolder;
            } finally {
                context.claims().release(newFolder.folders(), newFolder.id(), work.finishing());
            }
        } finally {
            context.creations().end(creation.partial);
        }
    }

    private void deliver() throws IOException {
        try {
            run();
        } catch (IOException e) {
            takeBack(e);
            throw e;
        } catch (StorageException e) {
            if (!(e.failure() instanceof Failure.Cancelled)) { // a repeated call continues or begins again
                takeBack(e);
            }
            throw e;
        }
    }

    private void run() throws IOException {
        clear();
        if (newFolder.source().isPresent()) {
            copy(newFolder.source().get());
        } else {
            makeEmpty();
        }
    }

    private void makeEmpty() throws IOException {
        form.make(partial, work);
        made();
        form.complete(partial, newFolder.size(), work);
        RootAttributes attributes = newFolder.attributes().complete();
        attributes.apply(partial, work);
        putInPlace(work);
        settle(attributes, work);
    }

    private void copy(Path source) throws IOException {
        boolean atOneInstant = form.copy(source, partial, work);
        if (!atOneInstant) {
            form.make(partial, work);
        }
        made();
        if (!atOneInstant) {
            fill(source);
        }
        Work finishing = work.finishing();
        placeCopy(finishing);
        settleCopy(finishing);
    }

    /** Removes what an earlier call left, and notes which folder is to be copied. */
    void clear() throws IOException {
        context.trash().discard(partial, work);
        copied = newFolder.source().isPresent() ? key(newFolder.source().get()) : "";
    }

    /** Notes which folder was made. */
    void made() throws IOException {
        made.set(key(partial));
    }

    /** Brings a copy that has all its content into its place. */
    void placeCopy(Work finishing) throws IOException {
        refuseReplaced(newFolder.source().orElseThrow(), copied);
        form.complete(partial, newFolder.size(), finishing);
        newFolder.attributes().apply(partial, finishing);
        FolderSync.syncAll(finishing, partial);
        putInPlace(finishing);
    }

    /** Notes of a copy that it is in its place, and reads it back. */
    void settleCopy(Work finishing) throws IOException {
        settle(newFolder.attributes(), finishing);
    }

    private void settle(RootAttributes attributes, Work now) throws IOException {
        boolean _ = form.settle(place, now);
        readBack(attributes);
    }

    /** Returns whether it is in its place. */
    boolean isPlaced() throws IOException {
        return isMade(place);
    }

    NewFolder newFolder() {
        return newFolder;
    }

    Path partial() {
        return partial;
    }

    private void putInPlace(Work now) throws IOException {
        Records.prepare(beside, record(partial), now);
        refuseTaken();
        context.claims().check(newFolder.folders(), newFolder.id());
        Records.put(beside, newFolder.folders().record(newFolder.id()), now);
        if (!isMade(partial)) {
            throw context.failures().unavailable("another process took " + partial + " away");
        }
        context.claims().check(newFolder.folders(), newFolder.id());
        now.effect(
                new Effect("rename", place.toString()),
                () -> Files.move(partial, place, StandardCopyOption.ATOMIC_MOVE));
        context.syncs().sync(newFolder.folders(), now);
    }

    /** Returns the record with what the form adds of the folder, wherever that is now. */
    private SortedMap<String, String> record(Path folder) throws IOException {
        SortedMap<String, String> all = new TreeMap<>(newFolder.record());
        all.putAll(form.fields(folder));
        return all;
    }

    /**
     * Throws if another process has made the folder meanwhile: its record would say then what this one holds, and an
     * empty folder would be replaced.
     */
    private void refuseTaken() throws IOException {
        if (newFolder.folders().holds(newFolder.id())) {
            throw context.failures().unavailable("another process has made " + place + " meanwhile");
        }
    }

    private void fill(Path source) throws IOException {
        Path scratch = context.layout().partial();
        String version = form.version(source);
        CopyLimit limit = newFolder.limit().isPresent()
                ? newFolder.limit().get()
                : CopyLimit.advisory(
                        newFolder.size(),
                        CopyLimit.Disk.of(source),
                        what -> new Failure.InUse(source.toString(), "a copy of " + what));
        TreeMeasure.Amount found = TreeMeasure.amount(source, scratch, limit.measuring(work::checkEnding));
        limit.begin(found);
        AtomicReference<TreeSize> copied = new AtomicReference<>(NOT_COPIED);
        CopyProgress progress = new CopyProgress(work, found.content(), limit);
        work.effect(
                new Effect("copy", partial.toString()),
                () -> copied.set(TreeCopy.copy(source, partial, scratch, progress)));
        TreeSize size = TreeMeasure.of(partial, scratch, work::checkEnding);
        if (!size.equals(copied.get())) {
            throw context.failures()
                    .unavailable("the copy of " + source + " has " + size + ", but " + copied + " were written");
        }
        if (!progress.isAtOnce()) {
            form.checkCopied(source, version);
        }
    }

    /** Throws if a source is gone or another one, since what vanishes from a folder in use is left out of its copy. */
    private void refuseReplaced(Path source, String found) throws IOException {
        if (!key(source).equals(found)) {
            throw context.failures().unavailable(source + " was deleted or replaced while it was copied");
        }
    }

    private void readBack(RootAttributes attributes) throws IOException {
        String missing;
        if (!isMade(place)) {
            missing = "the folder";
        } else if (!Records.read(newFolder.folders().record(newFolder.id())).equals(Optional.of(record(place)))) {
            missing = "its record";
        } else {
            missing = attributes.missing(place);
            missing = missing.isEmpty() ? form.unsettled(place, newFolder.size()) : missing;
        }
        if (!missing.isEmpty()) {
            throw context.failures().unavailable(place + " was made, but reading it back shows no trace of " + missing);
        }
    }

    /** Removes what was made; if that fails, throws a failure that the caller will retry. */
    void takeBack(Exception failure) {
        try {
            Work finishing = work.finishing();
            RecordedFolders folders = newFolder.folders();
            if (isMade(place)) {
                context.trash().discard(place, finishing);
                context.syncs().sync(folders, finishing);
            }
            context.trash().discard(partial, finishing);
            Records.remove(beside, finishing);
            if (!folders.holds(newFolder.id()) && context.claims().holds(folders, newFolder.id())) {
                Records.remove(folders.record(newFolder.id()), finishing);
            }
        } catch (IOException | StorageException e) {
            StorageException retried = context.failures()
                    .unavailable("making " + place + " failed (" + failure.getMessage()
                            + "), and what was made could not be taken back: " + e.getMessage());
            retried.addSuppressed(failure);
            throw retried;
        }
    }

    /** Returns whether this is the folder that was made. */
    private boolean isMade(Path path) throws IOException {
        return !made.get().isEmpty() && key(path).equals(made.get());
    }

    private static String key(Path path) throws IOException {
        return RecordedFolders.stat(path)
                .map(BasicFileAttributes::fileKey)
                .map(Object::toString)
                .orElse("");
    }
}
