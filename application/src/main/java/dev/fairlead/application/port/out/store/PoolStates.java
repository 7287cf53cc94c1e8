package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.List;
import java.util.Locale;

/** Tells how the pools of this node are. */
@FunctionalInterface
public interface PoolStates {
    /** Looks at the pools of all connections that were opened; one that does not answer is waited for some seconds. */
    List<PoolReport> look();

    /** Lists what can be said of a pool; a metric label. */
    enum PoolState {
        /** Nothing was ever made in it. */
        UNUSED,
        /** Its disk is not mounted, or another one is. */
        AWAY,
        /** Its file system is mounted for reading. */
        READ_ONLY,
        /** Next to nothing can be written to its file system. */
        FULL,
        /** No file can be made on its file system. */
        INODES_EXHAUSTED,
        /** Its file system has counted errors of its devices, or in itself. */
        DEVICE_ERRORS,
        /** The sizes of its volumes are quotas that are not enforced. */
        SIZES_NOT_HELD,
        /** It could not be looked at, or not at all of it. */
        UNKNOWN;

        /** Returns the name as metrics write it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Says what is known of a pool.
     *
     * @param detail what was seen, for people
     */
    record PoolFinding(PoolState state, String detail) {}

    /** @param findings what is not as it should be; none if it is well */
    record PoolReport(ConnectionName connection, String pool, List<PoolFinding> findings) {
        public PoolReport {
            findings = List.copyOf(findings);
        }
    }
}
