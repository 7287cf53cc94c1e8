package dev.fairlead.application.port.out.cluster;

import java.time.Duration;
import java.util.Optional;

/**
 * Where the orchestrator has what a driver that sees one node's storage does not find there.
 *
 * <p>Each question ends within the patience that is given.
 */
public interface Whereabouts {
    /** Nobody to ask: what is not here is nowhere. */
    Whereabouts NONE = new Whereabouts() {
        @Override
        public Place ofVolume(String handle, Duration patience) {
            return Place.NOWHERE_ELSE;
        }

        @Override
        public Place ofSnapshot(String handle, Duration patience) {
            return Place.NOWHERE_ELSE;
        }

        @Override
        public boolean turn(Claim claim, String node, Duration patience) {
            return false;
        }
    };

    /**
     * @param handle as the orchestrator keeps it
     * @throws dev.fairlead.domain.failure.StorageException {@code ClusterUnavailable} where it did not answer,
     *     {@code ClusterRefused} where it does not tell
     */
    Place ofVolume(String handle, Duration patience);

    /** The same for a snapshot. */
    Place ofSnapshot(String handle, Duration patience);

    /**
     * Turns a claim that this node was chosen for to the node where its content is.
     *
     * @return false where the claim stays as it is: it is another's by now, the node serves nobody, or the orchestrator
     *     does not have it
     */
    boolean turn(Claim claim, String node, Duration patience);

    /** A claim for a volume, by its names. */
    record Claim(String namespace, String name) {}

    /** Where something is. */
    sealed interface Place {
        Place NOWHERE_ELSE = new NowhereElse();

        /** No object tells of it, or those that do say that it is here. */
        record NowhereElse() implements Place {}

        /**
         * Not here.
         *
         * @param node where it is; empty where nobody says which one
         * @param witness the object that says so, and what it says, in words
         */
        record Elsewhere(Optional<String> node, String witness) implements Place {}
    }
}
