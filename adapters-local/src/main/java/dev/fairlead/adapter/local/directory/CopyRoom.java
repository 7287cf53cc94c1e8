package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.base.BaseFolderContext;
import dev.fairlead.adapter.local.directory.folder.CopyLimit;
import dev.fairlead.adapter.local.directory.folder.CopyLimit.Disk;
import dev.fairlead.adapter.local.directory.folder.CopyRests;
import dev.fairlead.adapter.local.directory.folder.FolderCreation;
import dev.fairlead.adapter.local.directory.folder.NewFolder;
import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.tree.TreeMeasure;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Copies folders in the room that is promised for them, and ends a copy that takes more. */
final class CopyRoom {
    private final BaseFolderContext context;
    private final FolderForm form;
    private final Promises promises;
    private final InstantSource clock;
    private final CopyRests rests = new CopyRests();

    CopyRoom(BaseFolderContext context, FolderForm form, Promises promises, InstantSource clock) {
        this.context = context;
        this.form = form;
        this.promises = promises;
        this.clock = clock;
    }

    /**
     * Holds what is to be copied.
     *
     * @param size of the new volume, or of the one that a snapshot is of; zero if it is not known
     */
    private record Copy(NewFolder folder, Capacity size, boolean ours, Work work) {
        Path source() {
            return folder.source().orElseThrow();
        }
    }

    /**
     * Makes a snapshot. It is promised what its volume may hold, since a pod may fill that meanwhile; where the pool
     * has no room for that, what the volume holds now and half of what is left then.
     *
     * @param known the size of the volume, if that is known
     * @param held what the volume holds, if its size is not known; the blocks of that count, since whoever writes to a
     *     volume gives files any length
     */
    NewFolder snapshot(
            NewFolder snapshot, Optional<Capacity> known, Optional<TreeMeasure.Amount> held, boolean ours, Work work)
            throws IOException {
        Copy copy = new Copy(snapshot, known.orElse(Capacity.ZERO), ours, work);
        Path source = copy.source();
        Capacity its =
                known.or(() -> held.map(it -> Capacity.ofBytes(it.allocated()))).orElse(Capacity.ZERO);
        Capacity now = form.copySize(source, its);
        Capacity most = form.mostCopied(source, its, now);
        String key = Promises.ofSnapshot(snapshot.id());
        if (!now.isLessThan(most)) {
            return admit(key, copy, Room.of(now), filled(source));
        }
        Optional<NewFolder> made = admitIfRoom(key, copy, Room.of(most), filled(source));
        if (made.isPresent()) {
            return made.get();
        }
        Capacity left = promises.room(work).available();
        Capacity more = beyond(now, most, left);
        // below the size, so that the source no longer rests once the pool has room for all of it
        Capacity rest = Capacity.ofBytes(Math.min(left.bytes(), CopyRests.below(most.bytes())));
        made = now.isLessThan(more) ? admitIfRoom(key, copy, new Room(more, rest), outgrown(source)) : made;
        return made.isPresent() ? made.get() : admit(key, copy, new Room(now, rest), outgrown(source));
    }

    /** Returns what is held now and half of what the pool has left then, so that it has some for others. */
    private static Capacity beyond(Capacity now, Capacity most, Capacity left) {
        return Capacity.ofBytes(Math.min(most.bytes(), now.bytes() + Math.max(0, (left.bytes() - now.bytes()) / 2)));
    }

    /**
     * Holds the room of a copy.
     *
     * @param left what the pool has for it, by which its source rests: no pod makes that larger by what it writes
     */
    private record Room(Capacity promised, Capacity left) {
        static Room of(Capacity promised) {
            return new Room(promised, promised);
        }
    }

    private NewFolder admit(String key, Copy copy, Room room, Function<String, Failure> failure) throws IOException {
        refuseResting(copy.source(), key(room, copy.size()), failure);
        return promises.admit(key, room.promised(), copy.work(), () -> make(copy, room, failure));
    }

    /** Makes a copy; empty if the pool has no room for it. */
    private Optional<NewFolder> admitIfRoom(String key, Copy copy, Room room, Function<String, Failure> failure)
            throws IOException {
        refuseResting(copy.source(), key(room, copy.size()), failure);
        AtomicBoolean begun = new AtomicBoolean();
        try {
            return Optional.of(promises.admit(key, room.promised(), copy.work(), () -> {
                begun.set(true);
                return make(copy, room, failure);
            }));
        } catch (StorageException e) {
            if (begun.get() || !(e.failure() instanceof Failure.OutOfSpace)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** Returns what there is for a copy: its source rests until there is more. */
    private Capacity key(Room room, Capacity size) {
        return form.enforcesSize() ? room.left() : size;
    }

    /** Measures a volume whose size is not known; ends if it gets entries without end. */
    TreeMeasure.Amount measure(Path source, Path scratch, Work work) throws IOException {
        refuseResting(source, Capacity.ZERO, filled(source));
        CopyLimit limit = CopyLimit.advisory(Capacity.ZERO, Disk.of(source), filled(source));
        Instant begun = clock.instant();
        try {
            return TreeMeasure.amount(source, scratch, limit.measuring(work::checkEnding));
        } finally {
            rest(limit, source, Capacity.ZERO, begun);
        }
    }

    private static Function<String, Failure> filled(Path source) {
        return what -> inUse(source, what, "expand it");
    }

    private static Function<String, Failure> outgrown(Path source) {
        return what -> inUse(source, what, "make room in its pool, which has less than its size");
    }

    /**
     * Makes a volume of another one or of a snapshot, in the room that is promised for its size. What can be refused at
     * once is refused before that: if nothing comes of a promise, all of the base is looked at again.
     *
     * @param origin the volume that the content is, or is a snapshot of
     */
    NewFolder volume(NewFolder volume, Content content, String origin, boolean ours, Work work) throws IOException {
        if (content instanceof Content.OfVolume) {
            form.checkCopy(volume.source().orElseThrow());
        }
        return context.copies().taking(origin, "volume " + volume.id(), () -> copied(volume, content, ours, work));
    }

    private NewFolder copied(NewFolder volume, Content content, boolean ours, Work work) throws IOException {
        Copy copy = new Copy(volume, volume.size(), ours, work);
        Path source = copy.source();
        Function<String, Failure> failure = what -> content instanceof Content.OfVolume
                ? inUse(source, what, "ask for a larger volume")
                : tooSmall(source, what);
        return admit(volume.id(), copy, Room.of(volume.size()), failure);
    }

    private NewFolder make(Copy copy, Room room, Function<String, Failure> failure) throws IOException {
        CopyLimit limit = form.enforcesSize()
                ? CopyLimit.firm(room.promised(), form.mostFiles(copy.source(), copy.size()), failure)
                : CopyLimit.advisory(copy.size(), Disk.of(copy.source()), failure);
        Instant begun = clock.instant();
        try {
            return FolderCreation.deliver(context, copy.folder().within(limit), copy.ours(), copy.work());
        } finally {
            rest(limit, copy.source(), key(room, copy.size()), begun);
        }
    }

    private void rest(CopyLimit limit, Path source, Capacity size, Instant begun) {
        if (limit.isPassed()) {
            rests.begin(source, size.bytes(), begun, clock.instant());
        }
    }

    private void refuseResting(Path source, Capacity size, Function<String, Failure> failure) {
        rests.until(source, size.bytes(), clock.instant()).ifPresent(until -> {
            throw new StorageException(failure.apply("too much, as of late, so the next copy begins after " + until));
        });
    }

    /** @param larger what to do if the source is not to rest */
    private static Failure inUse(Path source, String what, String larger) {
        return new Failure.InUse(
                source.toString(),
                "programs that fill it while it is copied, or it holds more than its size: the copy took " + what,
                "what was copied is removed; end its pods, or " + larger + ", and ask again");
    }

    private static Failure tooSmall(Path source, String what) {
        return new Failure.CapacityOutOfRange("the content of " + source + " does not fit into a volume of this size:"
                + " the copy took " + what + "; what was copied is removed; ask for a larger volume");
    }
}
