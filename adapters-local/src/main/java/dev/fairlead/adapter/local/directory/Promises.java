package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Knows how much room of a base folder is promised to its volumes, and promises no more than there is. */
public interface Promises {
    /** Returns the key of a snapshot, which no volume has. */
    static String ofSnapshot(String id) {
        return "snapshot/" + id;
    }

    /** Returns the id of the snapshot of a key; empty if that is a volume's. */
    static Optional<String> snapshotOf(String key) {
        return key.startsWith("snapshot/") ? Optional.of(key.substring("snapshot/".length())) : Optional.empty();
    }

    /**
     * Makes a volume or a snapshot, or makes a volume larger, if there is room for its size; what others are making at
     * the same time counts as made.
     *
     * @param id of a volume, or the key of a snapshot
     * @param work whose time looking at the base may take, which is done before anything is begun
     * @throws dev.fairlead.domain.failure.StorageException {@code OutOfSpace}, after which nothing was begun
     */
    <T> T admit(String id, Capacity size, Work work, Making<T> making) throws IOException;

    /** Returns how much can be promised now. */
    Room room(Work work) throws IOException;

    /**
     * Says that a volume or snapshot was deleted, or was not there.
     *
     * @param id of a volume, or the key of a snapshot
     */
    void released(String id);

    /** Says that a call has failed that may have removed some volumes or snapshots. */
    void lookAnew();

    /**
     * Deletes a volume or snapshot, which is released then.
     *
     * @param id of a volume, or the key of a snapshot
     */
    default void release(String id, Removal removal) throws IOException {
        var _ = releaseAll(() -> {
            removal.run();
            return List.of(id);
        });
    }

    /** Deletes several of them, which are released then, and returns their ids and keys. */
    default List<String> releaseAll(GroupRemoval removal) throws IOException {
        boolean removed = false;
        try {
            List<String> ids = removal.run();
            removed = true;
            ids.forEach(this::released);
            return ids;
        } finally {
            if (!removed) {
                lookAnew();
            }
        }
    }

    /** Removes what is released. */
    @FunctionalInterface
    interface Removal {
        void run() throws IOException;
    }

    /** Removes several volumes or snapshots, and returns their ids and keys. */
    @FunctionalInterface
    interface GroupRemoval {
        List<String> run() throws IOException;
    }

    /** Makes what was admitted. */
    @FunctionalInterface
    interface Making<T> {
        T run() throws IOException;
    }
}
