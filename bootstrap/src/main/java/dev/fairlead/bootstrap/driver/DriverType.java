package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Node;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import java.util.Optional;
import java.util.Set;

/**
 * Describes one driver type, which the {@code driver:} key of a connection names.
 *
 * @param store the key of its store; empty if it has none
 * @param exporter the key of its exporter
 * @param attachment the type of attachment that a node gets for its volumes; empty if it has none, or is not built
 * @param nodeLocal whether its volumes are reachable from one node only
 * @param capabilities the volume capabilities that it supports, unless its file limits them
 * @param parameters the StorageClass and VolumeSnapshotClass keys that it understands
 * @param remark the remark in the documentation; for a refused type, what to do instead
 */
public record DriverType(
        String name,
        State state,
        String store,
        String exporter,
        Optional<Class<? extends Attachment>> attachment,
        boolean nodeLocal,
        CapabilityRules capabilities,
        Set<Controller> controller,
        Set<Node> node,
        Set<String> parameters,
        String remark) {
    private static final Set<String> GROUPING_STORES = Set.of("zfs-filesystem", "zfs-volume");

    public DriverType {
        controller = Set.copyOf(controller);
        node = Set.copyOf(node);
        parameters = Set.copyOf(parameters);
    }

    /** Lists how far a driver type is built. */
    public enum State {
        /** Built, and tested against the contracts. */
        AVAILABLE("available"),
        /**
         * Its controller side is built, and tested against the contracts; nodes of this version cannot attach its
         * volumes.
         */
        CONTROLLER("controller side"),
        /** Known, not built yet. */
        PLANNED("planned"),
        /** A type that cannot be a connection, by its nature. */
        REFUSED("not a connection");

        private final String words;

        State(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** Returns whether its store takes snapshots of several volumes at one instant. */
    public boolean groups() {
        return GROUPING_STORES.contains(store);
    }

    /** Returns whether pods can use its volumes on nodes of this version. */
    public boolean isAttachable() {
        return state == State.AVAILABLE;
    }

    public boolean isAvailable() {
        return state == State.AVAILABLE || state == State.CONTROLLER;
    }
}
