package dev.fairlead.adapter.local.pool.kind;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Knows what each volume and snapshot of a pool occupies, as it is looked at once. Not for use by several threads. */
public interface Occupancy extends AutoCloseable {
    /** Knows nothing of plain folders. */
    Occupancy UNKNOWN = new Occupancy() {
        @Override
        public Optional<SpaceUse> of(Path folder) {
            return Optional.empty();
        }

        @Override
        public Optional<InUse> inUse() {
            return Optional.of(InUse.UNTOLD);
        }
    };

    /**
     * Takes over what an earlier look at the same pool has read, if that saves reading it again; called before anything
     * else. What was in use may have been written to since, and few volumes were made or deleted.
     *
     * @param before a look that has ended
     */
    default void follow(Occupancy before) {}

    /** Throws if sizes do not hold on the file system of a folder of the pool, or of the one it will be in. */
    default void check(Path place) throws IOException {}

    /** Returns what is in a folder of a volume or snapshot; empty if that is not known of this kind. */
    Optional<SpaceUse> of(Path folder) throws IOException;

    /**
     * Returns what is in a folder of which an earlier look found something, and whose name nobody has removed or
     * replaced since.
     */
    default Optional<SpaceUse> again(Path folder, SpaceUse before) throws IOException {
        return of(folder);
    }

    /**
     * Returns which of them may be written to now, before any is looked at; empty if that is not known, so that each is
     * looked at each time.
     */
    default Optional<InUse> inUse() {
        return Optional.empty();
    }

    /** Enforces a size again that is enforced no longer; does nothing if the folder is gone. */
    default void restore(Path folder, long size) throws IOException {}

    @Override
    default void close() {}

    /**
     * Tells which volumes and snapshots may be written to, at any time by pods.
     *
     * @param since equal for two times if none but those of the first or the second was in use in between
     */
    record InUse(Object since, Set<String> ids) {
        /** Stands for those of which nothing but their records says what they occupy. */
        static final InUse UNTOLD = new InUse("", Set.of());
    }

    /**
     * Holds what one volume or snapshot occupies.
     *
     * @param length how much it can be written at most, whatever its record says; 0 if nothing but its record says it
     * @param bytes what it occupies, as if it shared nothing with others
     * @param limited whether the length is a limit, which somebody may have taken away
     * @param number the number by which the file system counts it, so that its folder need not be asked again; 0 if
     *     none
     */
    record SpaceUse(long length, long bytes, boolean limited, long number) {
        /** Stands for what is being deleted. */
        public static final SpaceUse NOTHING = new SpaceUse(0, 0, false, 0);

        /** Returns whether its limit is not what its record says. */
        public boolean lacks(long recorded) {
            return limited && length < recorded;
        }
    }
}
