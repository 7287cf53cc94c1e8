package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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

        /** Returns what a look that sees this cannot tell, and so neither that it is so nor that it is over. */
        Set<PoolState> hides() {
            return switch (this) {
                case UNKNOWN -> EnumSet.complementOf(EnumSet.of(UNKNOWN, UNUSED));
                case AWAY -> EnumSet.complementOf(EnumSet.of(AWAY, UNUSED));
                case FULL -> EnumSet.of(INODES_EXHAUSTED);
                case UNUSED, READ_ONLY, INODES_EXHAUSTED, DEVICE_ERRORS, SIZES_NOT_HELD -> Set.of();
            };
        }

        /** Returns the name as metrics write it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Says what is known of a pool.
     *
     * @param detail what was seen, for people
     * @param untold what a look that has seen this could not tell
     */
    record PoolFinding(PoolState state, String detail, Set<PoolState> untold) {
        public PoolFinding {
            untold = Set.copyOf(untold);
        }

        public PoolFinding(PoolState state, String detail) {
            this(state, detail, state.hides());
        }
    }

    /** @param findings what is not as it should be; none if it is well */
    record PoolReport(ConnectionName connection, String pool, List<PoolFinding> findings) {
        public PoolReport {
            findings = List.copyOf(findings);
        }

        /** Returns whether the look could tell that the pool is not in a state, if it has not found it in it. */
        public boolean tells(PoolState state) {
            return findings.stream().noneMatch(it -> it.untold().contains(state));
        }
    }
}
