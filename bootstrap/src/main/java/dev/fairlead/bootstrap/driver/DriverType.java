package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.port.in.DriverProfile.Controller;
import dev.fairlead.application.port.in.DriverProfile.Node;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.store.StoreTraits;
import dev.fairlead.application.port.out.store.StoreTraits.Role;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes one driver type, which the {@code driver:} key of a connection names.
 *
 * @param block the name of the block of a connection's file that its store and exporter read
 * @param defaults the blocks of a connection's file for which a proxy's main file may give defaults
 * @param store the key of its store; empty if it has none
 * @param exporter the key of its exporter
 * @param storeTraits what its store can do; nothing, if it is not built
 * @param exporterTraits what its exporter can do; empty if it is not built
 * @param remark the remark in the documentation; for a refused type, what to do instead
 */
public record DriverType(
        String name,
        State state,
        String block,
        Set<String> defaults,
        String store,
        String exporter,
        StoreTraits storeTraits,
        Optional<ExporterTraits> exporterTraits,
        String remark) {
    private static final CapabilityRules NOTHING = new CapabilityRules(Set.of(), false, false, Set.of());

    /**
     * The controller capabilities that depend on the store's roles. Publishing depends on the main file, since it needs
     * a setting of the CSIDriver object and a sidecar.
     */
    private static final Map<Role, Set<Controller>> OF_ROLES = Map.of(
            Role.SNAPSHOTS,
            Set.of(
                    Controller.CREATE_DELETE_SNAPSHOT,
                    Controller.LIST_SNAPSHOTS,
                    Controller.GET_SNAPSHOT,
                    Controller.CLONE_VOLUME),
            Role.MODIFICATION,
            Set.of(Controller.MODIFY_VOLUME));

    private static final Set<Controller> OF_ALL_STORES = Set.of(
            Controller.CREATE_DELETE_VOLUME,
            Controller.LIST_VOLUMES,
            Controller.GET_CAPACITY,
            Controller.EXPAND_VOLUME,
            Controller.GET_VOLUME,
            Controller.SINGLE_NODE_MULTI_WRITER);

    /** Lists how far a driver type is built. */
    public enum State {
        /** Built, and tested against the contracts. */
        AVAILABLE("available"),
        /**
         * Its controller side is built, and tested against the contracts; nodes of this version cannot attach its
         * volumes.
         */
        CONTROLLER("controller side"),
        /** Built, and has no controller side: its volumes are made by hand, and nodes attach them. */
        NODE("node side"),
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
        return storeTraits.has(Role.GROUPS);
    }

    /** Returns the StorageClass and VolumeSnapshotClass keys that it understands. */
    public Set<String> parameters() {
        Set<String> keys = new HashSet<>(storeTraits.parameters());
        exporterTraits.map(ExporterTraits::parameters).ifPresent(keys::addAll);
        return keys;
    }

    /** Returns the type of attachment that a node gets for its volumes; empty if it is not built. */
    public Optional<Class<? extends Attachment>> attachment() {
        return exporterTraits.map(ExporterTraits::attachment);
    }

    /** Returns whether its volumes are reachable from one node only. */
    public boolean nodeLocal() {
        return exporterTraits.filter(ExporterTraits::nodeLocal).isPresent();
    }

    /** Returns the volume capabilities that it supports, unless its file limits them. */
    public CapabilityRules capabilities() {
        return exporterTraits.map(ExporterTraits::capabilities).orElse(NOTHING);
    }

    /** Returns what the controller offers for it; nothing if it is not built. */
    public Set<Controller> controller() {
        Set<Controller> all = EnumSet.noneOf(Controller.class);
        if (isAvailable()) {
            all.addAll(OF_ALL_STORES);
            storeTraits.roles().forEach(role -> all.addAll(OF_ROLES.getOrDefault(role, Set.of())));
        }
        return all;
    }

    /** Returns what nodes offer for it; nothing if it is not built. */
    public Set<Node> node() {
        if (state == State.NODE) {
            return EnumSet.complementOf(EnumSet.of(Node.VOLUME_MOUNT_GROUP, Node.VOLUME_CONDITION));
        }
        Set<Node> all = EnumSet.noneOf(Node.class);
        exporterTraits.ifPresent(exporter -> {
            all.addAll(EnumSet.complementOf(EnumSet.of(Node.VOLUME_CONDITION))); // CSI 1.13 does not know it
            if (exporter.attachment() != Attachment.Smb.class) {
                all.remove(Node.VOLUME_MOUNT_GROUP); // kubelet would leave the group of its volumes to nobody
            }
            if (!exporter.nodeExpands()) {
                all.remove(Node.EXPAND_VOLUME);
            }
        });
        return all;
    }

    /** Returns whether pods can use its volumes on nodes of this version. */
    public boolean isAttachable() {
        return state == State.AVAILABLE;
    }

    public boolean isAvailable() {
        return state == State.AVAILABLE || state == State.CONTROLLER;
    }
}
