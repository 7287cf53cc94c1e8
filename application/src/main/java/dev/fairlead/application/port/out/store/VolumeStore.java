package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps volumes. Implement this to add a storage backend.
 *
 * <p>Every method is idempotent and blocking, and is called from many threads, and at the same time by other processes.
 * A call may be cut at any effect and repeated. Every failure is a {@code StorageException}. An id that has not the
 * form of this store's ids was never its own: it is not found, and deleting it is done.
 */
public interface VolumeStore extends AutoCloseable {
    /** The kinds of medium that this store makes. */
    Set<VolumeMedium.Kind> media();

    /**
     * Decides, without any effect, what {@link #create} will make: id, size, place, and every template rendered.
     *
     * <p>Whatever can be refused is refused here, since after the first effect a final error code would leak.
     *
     * @param suggested the id that the connection's id policy gives to this name; short enough to leave room for the
     *     handle's prefix and a snapshot's part. A store takes it unless its storage gives ids of its own.
     */
    Birth plan(CreateRequest request, NativeId suggested);

    /** The volume that an earlier call made of this birth or of one of the same name, if any. */
    Optional<StoredVolume> existing(Birth birth, Work work);

    /**
     * Makes the volume of this birth, and answers what it reads back. It is born whole, with its notes: what
     * {@link #find} answers has all its content. One that {@link #existing} would answer comes back untouched, whatever
     * it is like.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code SnapshotNotFound} or {@code VolumeNotFound} for a
     *     missing source, after which nothing new exists; {@code OutOfSpace}, after which {@link #delete} clears away
     *     what there is of it
     */
    Creation create(Birth birth, Work work);

    /** The volume of this id, if it exists and is this store's. */
    Optional<StoredVolume> find(NativeId id, Work work);

    /** The same for a caller that would make it: there is none where the place for volumes was never made. */
    default Optional<StoredVolume> findToMake(NativeId id, Work work) {
        return find(id, work);
    }

    /**
     * Answers where a volume of this id was that is gone, so that an export which has outlived it is found; empty for
     * an id that no volume of this store can have, and if the place cannot be told. Of a volume that exists,
     * {@link StoredVolume#medium} tells it.
     */
    Optional<VolumeMedium> placeOf(NativeId id, Work work);

    /**
     * Grows a volume to a size within the range; one that is large enough comes back as it is. Never shrinks.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code CapacityOutOfRange} where the storage makes no such
     *     size, {@code OutOfSpace}; after either of them the volume is as it was
     */
    StoredVolume expand(NativeId id, CapacityRange range, Work work);

    /**
     * The volume, and what stands in the way of deleting it by this policy; asked before anything is unexported.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NotOurs} for what somebody else made in its place
     */
    Departure departure(NativeId id, OnDependents policy, Work work);

    /** Returns once the volume is proved absent. What is absent is done. */
    void delete(NativeId id, OnDependents policy, Work work);

    /** Adds notes to a volume, replacing those of the same keys. */
    void note(NativeId id, Map<String, String> notes, Work work);

    /**
     * Changes one note if it is still what was expected, and answers whether it was: of several processes that read it
     * and change it, none undoes what another has done. A store whose volumes one process alone changes need do no more
     * than this.
     */
    default boolean change(NativeId id, NoteChange change, Work work) {
        boolean asExpected = find(id, work)
                .filter(volume -> change.from().equals(volume.notes().getOrDefault(change.key(), "")))
                .isPresent();
        if (asExpected) {
            note(id, Map.of(change.key(), change.to()), work);
        }
        return asExpected;
    }

    /** This store's volumes in the order of their ids; the page ends before the first one that is {@code after}. */
    Page<StoredVolume> list(PageRequest page, Work work);

    /** How much room there is for a volume of these parameters. */
    Room room(Map<String, String> parameters, Work work);

    /** Whether a volume's size is only recorded, and nothing holds its users to it; its context says so. */
    default boolean advisorySize() {
        return false;
    }

    /** Answers whether this store takes snapshots: a capability is a role that is returned. */
    default Optional<SnapshotStore> snapshots() {
        return Optional.empty();
    }

    /** Answers whether properties of its volumes can be changed while they live. */
    default Optional<VolumeModification> modification() {
        return Optional.empty();
    }

    /** Answers whether content can be carried over to another connection, and had from there. */
    default Optional<ContentTransfer> transfer() {
        return Optional.empty();
    }

    /** Answers how a script on the storage host sees what is noted with a volume. */
    default NoteLook noteLook() {
        return NoteLook.NONE;
    }

    /**
     * Answers the same store for a call that does nothing but shut nodes out of a volume that is there, and waits for
     * as little as may be. It is closed with this one.
     */
    default VolumeStore fencing() {
        return this;
    }

    /** Whether it is at work in the background, for which no call waits; answers at once. Such a store is kept open. */
    default boolean busy() {
        return false;
    }

    /**
     * Whether the storage itself says that it is this connection's, and not that of another one whose file names the
     * same place; asks the storage, also after the store was closed.
     */
    default boolean isMarkedAsOwn() {
        return false;
    }

    /** Lets go of clients and background work; called once, after the last call. */
    @Override
    void close();

    /**
     * What will be made.
     *
     * @param medium where it will be; a filesystem without a path if that is known only once it exists
     * @param notes kept with the volume from its first moment
     * @param bornWith settings that export it from its first moment; a store leaves those aside that it does not know
     */
    record Birth(
            NativeId id,
            CreateRequest request,
            Capacity capacity,
            VolumeMedium medium,
            Map<String, String> notes,
            Map<String, String> bornWith) {
        public Birth {
            notes = Map.copyOf(notes);
            bornWith = Map.copyOf(bornWith);
        }

        /** Plans a birth before its exporter has had a say. */
        public Birth(
                NativeId id, CreateRequest request, Capacity capacity, VolumeMedium medium, Map<String, String> notes) {
            this(id, request, capacity, medium, notes, Map.of());
        }

        /** The same birth without a noted attachment, which is to be noted once it is known. */
        public Birth withoutContext() {
            var rest = new java.util.HashMap<>(notes);
            rest.keySet()
                    .removeIf(key -> key.startsWith(Notes.CONTEXT_PREFIX) && !key.startsWith(Notes.PROVISIONER_PREFIX));
            return new Birth(id, request, capacity, medium, rest, bornWith);
        }

        /** The same birth with further notes. */
        public Birth noting(Map<String, String> more) {
            var all = new java.util.HashMap<>(notes);
            all.putAll(more);
            return new Birth(id, request, capacity, medium, all, bornWith);
        }

        /** The same birth with settings that export it. */
        public Birth bornWith(Map<String, String> settings) {
            return new Birth(id, request, capacity, medium, notes, settings);
        }
    }

    /**
     * @param fresh false where the volume existed before this call
     * @param inEffect those settings of {@link Birth#bornWith} that were read back and are in effect
     */
    record Creation(StoredVolume volume, boolean fresh, Map<String, String> inEffect) {
        public Creation {
            inEffect = Map.copyOf(inEffect);
        }

        public Creation(StoredVolume volume, boolean fresh) {
            this(volume, fresh, Map.of());
        }
    }

    /** @param largest the largest single volume, where that is less than all the room */
    record Room(Capacity available, Optional<Capacity> largest) {}

    /** @param from empty where there is none */
    record NoteChange(String key, String from, String to) {}

    /**
     * What deleting a volume would mean.
     *
     * @param volume empty where it does not exist, or is not whole; leftovers may be there all the same
     */
    record Departure(Optional<StoredVolume> volume, List<Dependent> obstacles) {
        private static final int MOST_NAMED = 3;

        public Departure {
            obstacles = List.copyOf(obstacles);
        }

        /** Refuses where something is in the way, which the message names as far as it is not too much. */
        public void refuseIfBarred(String handle) {
            if (obstacles.isEmpty()) {
                return;
            }
            String by =
                    obstacles.stream().limit(MOST_NAMED).map(Dependent::what).collect(Collectors.joining(", "));
            String more = obstacles.size() > MOST_NAMED ? " and " + (obstacles.size() - MOST_NAMED) + " more" : "";
            String otherwise = obstacles.stream()
                    .flatMap(obstacle -> obstacle.otherwise().stream())
                    .distinct()
                    .map(way -> ", or " + way)
                    .collect(Collectors.joining());
            throw new StorageException(new Failure.InUse(handle, by + more, "remove that first" + otherwise));
        }
    }

    /**
     * Something that hangs on a volume, in words for a human.
     *
     * @param otherwise what can be done about it besides removing it
     */
    record Dependent(String what, Optional<String> otherwise) {
        public Dependent(String what) {
            this(what, Optional.empty());
        }
    }

    /** What deleting a volume does about those that depend on it. */
    enum OnDependents {
        REFUSE,
        PROMOTE,
        DEFER
    }
}
