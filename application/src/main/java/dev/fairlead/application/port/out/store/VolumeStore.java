package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.out.AccessReview;
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
 * A call may be interrupted at any effect and repeated. Every failure is a {@code StorageException}. An id that does
 * not have the form of this store's ids is not found, and deleting it does nothing.
 */
public interface VolumeStore extends AutoCloseable {
    /** Returns the kinds of medium that this store makes. */
    Set<VolumeMedium.Kind> media();

    /**
     * Decides, without any effect, what {@link #create} will make: id, size, place, and every template rendered. It
     * refuses everything that can be refused, since a final error code after the first effect would leak a volume.
     *
     * @param suggested the id that the connection's id policy gives to this name; short enough to leave room for the
     *     handle's prefix and a snapshot's part. A store takes it unless its storage gives ids of its own.
     */
    Birth plan(CreateRequest request, NativeId suggested);

    /**
     * Returns the volume that an earlier call made of this birth or of one of the same name, if any. This
     * implementation is enough for a store that takes the suggested ids, since they follow from the names.
     */
    default Optional<StoredVolume> existing(Birth birth, Work work) {
        return find(birth.id(), work);
    }

    /**
     * Makes the volume of this birth, and answers what it reads back. The volume appears only when it is complete, with
     * its notes and all its content. If {@link #existing} finds one, that one is returned unchanged, whatever its
     * properties are.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code SnapshotNotFound} or {@code VolumeNotFound} for a
     *     missing source, after which nothing new exists; {@code OutOfSpace}, after which {@link #delete} removes what
     *     may be left
     */
    Creation create(Birth birth, Work work);

    /** Returns the volume of this id, if it exists and is this store's. */
    Optional<StoredVolume> find(NativeId id, Work work);

    /** Returns the same as {@link #find} to one who would make it; empty if there is no place for volumes yet. */
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
     * Grows a volume to a size within the range; one that is large enough is returned unchanged. Never shrinks.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code CapacityOutOfRange} if the storage makes no such
     *     size, {@code OutOfSpace}; after either of them the volume is as it was
     */
    StoredVolume expand(NativeId id, CapacityRange range, Work work);

    /**
     * Returns the volume and the obstacles to deleting it under this policy; called before anything is unexported. This
     * implementation is enough for a store in which nothing depends on a volume.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NotOurs} if somebody else made what has this id
     */
    default DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return new DeletionCheck(find(id, work), List.of());
    }

    /** Deletes the volume, and returns once it is proved absent. Does nothing if there is none. */
    void delete(NativeId id, OnDependents policy, Work work);

    /** Adds notes to a volume, replacing those of the same keys. */
    void note(NativeId id, Map<String, String> notes, Work work);

    /**
     * Adds notes as {@link #note} does, and returns the volume as it reads back afterwards; empty if it is gone. A
     * store that reads back what it has noted anyway need not look again.
     */
    default Optional<StoredVolume> noted(NativeId id, Map<String, String> notes, Work work) {
        note(id, notes, work);
        return find(id, work);
    }

    /**
     * Changes one note if it still has the expected value, and answers whether it had: so no process undoes the change
     * of another one. This implementation is enough for a store whose volumes only one process changes.
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

    /** Returns a page of this store's volumes in the order of their ids, beginning after the id {@code after}. */
    Page<StoredVolume> list(PageRequest page, Work work);

    /** Returns how much room there is for a volume of these parameters. */
    Room room(Map<String, String> parameters, Work work);

    /** Returns whether the storage is the node's own, of which a node has none while it is out of reach. */
    default boolean isNodesOwn() {
        return false;
    }

    /** Returns whether a volume of this request is within reach of one node alone, which its pod then has to be on. */
    default boolean isForOneNode(CreateRequest request) {
        return false;
    }

    /** Returns whether a volume's size is only recorded and not enforced; the volume's context says so. */
    default boolean advisorySize(NativeId id) {
        return false;
    }

    /** Returns the role that takes snapshots; empty if the store cannot. */
    default Optional<SnapshotStore> snapshots() {
        return Optional.empty();
    }

    /** Returns the role that changes properties of volumes in use; empty if the store cannot. */
    default Optional<VolumeModification> modification() {
        return Optional.empty();
    }

    /** Returns the role that transfers content to and from other connections; empty if the store cannot. */
    default Optional<ContentTransfer> transfer() {
        return Optional.empty();
    }

    /** Returns the role that tells whether a block volume holds anything; empty if the storage does not know. */
    default Optional<ContentProbe> contentProbe() {
        return Optional.empty();
    }

    /** Returns the role that tells which rights the store lacks on its storage; empty if there are no such rights. */
    default Optional<AccessReview> accessReview() {
        return Optional.empty();
    }

    /** Answers how a script on the storage host sees what is noted with a volume. */
    default NoteLook noteLook() {
        return NoteLook.NONE;
    }

    /** Returns the same store, closed with this one, for a call that only shuts nodes out and waits for little. */
    default VolumeStore fencing() {
        return this;
    }

    /** Returns, without waiting, whether the store works in the background with no call; it is kept open then. */
    default boolean busy() {
        return false;
    }

    /**
     * Returns whether the storage itself is marked for this connection, and not for another one whose file names the
     * same place; asks the storage, also after the store was closed.
     */
    default boolean isMarkedAsOwn() {
        return false;
    }

    /** Closes clients and ends background work, if the store has any; called once, after the last call. */
    @Override
    default void close() {}

    /**
     * Describes a volume that is to be made.
     *
     * @param medium where it will be; a filesystem without a path if that is known only once it exists
     * @param notes kept with the volume from its creation
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

        /** Returns the volume as it is once it has been made as planned. */
        public StoredVolume made() {
            return new StoredVolume(
                    id, Optional.of(request.name()), Optional.of(capacity), medium, request.content(), notes);
        }

        /**
         * Returns the same birth without the notes of the volume context, except those of the provisioner; the
         * attachment is noted once it is known.
         */
        public Birth withoutContext() {
            var rest = new java.util.HashMap<>(notes);
            rest.keySet()
                    .removeIf(key -> key.startsWith(Notes.CONTEXT_PREFIX) && !key.startsWith(Notes.PROVISIONER_PREFIX));
            return new Birth(id, request, capacity, medium, rest, bornWith);
        }

        /** Returns the same birth with further notes. */
        public Birth noting(Map<String, String> more) {
            return exported(more, bornWith);
        }

        /** Returns the same birth with further notes, and with settings that export the volume. */
        public Birth exported(Map<String, String> more, Map<String, String> settings) {
            var all = new java.util.HashMap<>(notes);
            all.putAll(more);
            return new Birth(id, request, capacity, medium, all, settings);
        }
    }

    /**
     * @param fresh false if the volume existed before this call
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

    /** @param largest the largest single volume, if that is less than all the room */
    record Room(Capacity available, Optional<Capacity> largest) {}

    /** @param from empty if the volume does not have the note */
    record NoteChange(String key, String from, String to) {}

    /**
     * Describes what deleting a volume would meet.
     *
     * @param volume empty if it does not exist or is incomplete; leftovers may exist all the same
     */
    record DeletionCheck(Optional<StoredVolume> volume, List<Dependent> obstacles) {
        private static final int MOST_NAMED = 3;

        public DeletionCheck {
            obstacles = List.copyOf(obstacles);
        }

        /** Throws {@code InUse} if there are obstacles; the message names the first three of them. */
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
     * Describes something that depends on a volume, in words for people.
     *
     * @param otherwise what can be done about it besides removing it
     */
    record Dependent(String what, Optional<String> otherwise) {
        public Dependent(String what) {
            this(what, Optional.empty());
        }
    }

    /** Lists what deleting a volume may do about the things that depend on it. */
    enum OnDependents {
        REFUSE,
        PROMOTE,
        DEFER
    }
}
