package dev.fairlead.application.port.out.cluster;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the node of a volume or snapshot that a driver for one node's storage does not find on its own node.
 *
 * <p>Each call ends within the patience that is given.
 */
public interface Whereabouts {
    /** An implementation without an orchestrator: content that is not on this node is nowhere. */
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
        public Optional<Place> ofClaim(Claim claim, Duration patience) {
            return Optional.empty();
        }

        @Override
        public Optional<String> boundAtOnce(Claim claim, Duration patience) {
            return Optional.empty();
        }

        @Override
        public boolean turn(Claim claim, String node, Duration patience) {
            return false;
        }
    };

    /**
     * @param handle as the orchestrator keeps it
     * @throws dev.fairlead.domain.failure.StorageException {@code ClusterUnavailable} if the orchestrator did not
     *     answer, {@code ClusterRefused} if it denies the answer
     */
    Place ofVolume(String handle, Duration patience);

    /** Returns the place of a snapshot, as {@link #ofVolume} does for a volume. */
    Place ofSnapshot(String handle, Duration patience);

    /**
     * Returns the node that a claim names for its volume; empty if it names none, or the orchestrator does not have it.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest} if what it names can be no node, and
     *     as {@link #ofVolume} does
     */
    Optional<Place> ofClaim(Claim claim, Duration patience);

    /**
     * Returns the class of a claim whose volume is wanted before a node is chosen for its pod; empty if it is not, and
     * if nobody can say in time, since a claim that is as it should be must not wait for that.
     */
    Optional<String> boundAtOnce(Claim claim, Duration patience);

    /**
     * Moves a claim that the scheduler placed on this node to the node that has its content, or that it names.
     *
     * @return false if the claim stays as it is: because it is no longer this node's, the other node does not serve
     *     this driver, or the orchestrator does not have the claim
     */
    boolean turn(Claim claim, String node, Duration patience);

    /** Names a PersistentVolumeClaim. */
    record Claim(String namespace, String name) {
        /** The parameter that a provisioner adds to those of a class if it is told to. */
        private static final String NAME = "csi.storage.k8s.io/pvc/name";

        private static final String NAMESPACE = "csi.storage.k8s.io/pvc/namespace";

        /** Returns the claim that the parameters of a request name, if any. */
        public static Optional<Claim> of(Map<String, String> parameters) {
            String name = parameters.getOrDefault(NAME, "");
            String namespace = parameters.getOrDefault(NAMESPACE, "");
            return name.isEmpty() || namespace.isEmpty() ? Optional.empty() : Optional.of(new Claim(namespace, name));
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }

    /** Describes the place of a volume or snapshot. */
    sealed interface Place {
        Place NOWHERE_ELSE = new NowhereElse();

        /** No object of the orchestrator names it, or those that do say that it is on this node. */
        record NowhereElse() implements Place {}

        /**
         * It is not on this node.
         *
         * @param node the node that has it; empty if no object names one
         * @param witness the object that says so, and what it says, in words
         */
        record Elsewhere(Optional<String> node, String witness) implements Place {}
    }
}
