package dev.fairlead.adapter.local.directory;

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
import java.util.concurrent.atomic.AtomicReference;

/**
 * Brings one folder into its place on a shelf, completely or not at all.
 *
 * <p>The order ensures that, even if the power fails at any point:
 *
 * <ol>
 *   <li>the folder is made below {@code partial}, filled, and given its mode and owner; a copy is synced;
 *   <li>its record is written beside it and synced, which on a file system with a journal also makes everything before
 *       it durable; then it is renamed to its place, where it has no meaning without the folder;
 *   <li>the folder is renamed to its place: from here on it exists;
 *   <li>the folder of records and the shelf are synced, in this order, so that both names are durable;
 *   <li>all of it is read back.
 * </ol>
 *
 * <p>If a step fails, what was made is removed before the failure is reported.
 */
final class Delivery {
    private static final TreeSize NOT_COPIED = new TreeSize(-1, -1);

    private final Grounds grounds;
    private final Parcel parcel;
    private final Path partial;
    private final Path beside;
    private final Work work;

    /** The key of the folder that was made, which identifies it wherever it is now. */
    private final AtomicReference<String> made = new AtomicReference<>("");

    private Delivery(Grounds grounds, Parcel parcel, Work work) {
        this.grounds = grounds;
        this.parcel = parcel;
        this.work = work;
        this.partial = grounds.partial(parcel.shelf(), parcel.id());
        this.beside = grounds.beside(parcel.shelf(), parcel.id());
    }

    /**
     * Brings a parcel into its place and returns it.
     *
     * @param ours the result of {@link Grounds#visit}
     */
    static Parcel deliver(Grounds grounds, Parcel parcel, boolean ours, Work work) throws IOException {
        grounds.prepare(ours, work);
        Delivery delivery = new Delivery(grounds, parcel, work);
        if (!grounds.making().begin(delivery.partial)) {
            throw grounds.failures().unavailable(parcel.shelf().kind() + " " + parcel.id() + " is being made already");
        }
        try {
            delivery.run();
            return parcel;
        } catch (IOException e) {
            delivery.takeBack(e);
            throw e;
        } catch (StorageException e) {
            if (!(e.failure() instanceof Failure.Cancelled)) { // a repeated call continues or begins again
                delivery.takeBack(e);
            }
            throw e;
        } finally {
            grounds.making().end(delivery.partial);
        }
    }

    private void run() throws IOException {
        grounds.trash().discard(partial, work);
        work.effect(new Effect("mkdir", partial.toString()), () -> Files.createDirectory(partial));
        made.set(key(partial));
        if (parcel.source().isEmpty()) {
            Dress dress = parcel.dress().complete();
            dress.apply(partial, work);
            putInPlace(work);
            readBack(dress);
        } else {
            fill(parcel.source().get());
            Work finishing = work.finishing();
            parcel.dress().apply(partial, finishing);
            FolderSync.syncAll(finishing, partial);
            putInPlace(finishing);
            readBack(parcel.dress());
        }
    }

    private void putInPlace(Work now) throws IOException {
        Records.prepare(beside, parcel.record(), now);
        Records.put(beside, parcel.shelf().record(parcel.id()), now);
        if (!isMade(partial)) {
            throw grounds.failures().unavailable("another process took " + partial + " away");
        }
        now.effect(
                new Effect("rename", parcel.place().toString()),
                () -> Files.move(partial, parcel.place(), StandardCopyOption.ATOMIC_MOVE));
        grounds.syncs().sync(parcel.shelf(), now);
    }

    private void fill(Path source) throws IOException {
        Path scratch = grounds.layout().partial();
        long expected = TreeMeasure.content(source, scratch);
        AtomicReference<TreeSize> copied = new AtomicReference<>(NOT_COPIED);
        work.effect(
                new Effect("copy", partial.toString()),
                () -> copied.set(TreeCopy.copy(source, partial, scratch, bytes -> {
                    work.progress(bytes, Math.max(bytes, expected));
                    work.checkEnding();
                })));
        TreeSize found = TreeMeasure.of(partial, scratch);
        if (!found.equals(copied.get())) {
            throw grounds.failures()
                    .unavailable("the copy of " + source + " has " + found + " where " + copied + " were written");
        }
    }

    private void readBack(Dress dress) throws IOException {
        String missing;
        if (!isMade(parcel.place())) {
            missing = "the folder";
        } else if (!Records.read(parcel.shelf().record(parcel.id())).equals(Optional.of(parcel.record()))) {
            missing = "its record";
        } else {
            missing = dress.missing(parcel.place());
        }
        if (!missing.isEmpty()) {
            throw grounds.failures()
                    .unavailable(parcel.place() + " was made, but reading it back shows no trace of " + missing);
        }
    }

    /** Removes what was made; if that fails, throws a failure that the caller will retry. */
    private void takeBack(Exception failure) {
        try {
            Work finishing = work.finishing();
            Shelf shelf = parcel.shelf();
            if (isMade(parcel.place())) {
                grounds.trash().discard(parcel.place(), finishing);
                grounds.syncs().sync(shelf, finishing);
            }
            grounds.trash().discard(partial, finishing);
            Records.remove(beside, finishing);
            if (!shelf.holds(parcel.id())) {
                Records.remove(shelf.record(parcel.id()), finishing);
            }
        } catch (IOException | StorageException e) {
            StorageException retried = grounds.failures()
                    .unavailable("making " + parcel.place() + " failed (" + failure.getMessage()
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
        return Shelf.stat(path)
                .map(BasicFileAttributes::fileKey)
                .map(Object::toString)
                .orElse("");
    }
}
