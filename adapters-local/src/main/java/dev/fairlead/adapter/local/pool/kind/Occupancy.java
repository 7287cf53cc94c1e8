package dev.fairlead.adapter.local.pool.kind;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Knows what each volume and snapshot of a pool occupies, as it is looked at once. Not for use by several threads. */
public interface Occupancy extends AutoCloseable {
    /** Throws if sizes do not hold on the file system of a folder of the pool, or of the one it will be in. */
    default void check(Path place) throws IOException {}

    /** Returns what is in a folder of a volume or snapshot; empty if that is not known of this kind. */
    Optional<SpaceUse> of(Path folder) throws IOException;

    /** Enforces a size again that is enforced no longer; does nothing if the folder is gone. */
    default void restore(Path folder, long size) throws IOException {}

    @Override
    default void close() {}

    /**
     * Holds what one volume or snapshot occupies.
     *
     * @param length how much it can be written at most, whatever its record says; 0 if nothing but its record says it
     * @param bytes what it occupies, as if it shared nothing with others
     * @param limited whether the length is a limit, which somebody may have taken away
     */
    record SpaceUse(long length, long bytes, boolean limited) {
        /** Stands for what is being deleted. */
        public static final SpaceUse NOTHING = new SpaceUse(0, 0, false);

        /** Returns whether its limit is not what its record says. */
        public boolean lacks(long recorded) {
            return limited && length < recorded;
        }
    }
}
