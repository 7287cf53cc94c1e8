package dev.fairlead.application.port.in;

import java.util.Set;

/**
 * Holds a driver's name, version and capabilities; they are fixed at start, since sidecars ask once. Names are those of
 * the CSI spec.
 */
public record DriverProfile(
        String name,
        String vendorVersion,
        Set<Service> services,
        Set<Expansion> expansion,
        Set<Controller> controller,
        Set<Node> node) {
    public DriverProfile {
        services = Set.copyOf(services);
        expansion = Set.copyOf(expansion);
        controller = Set.copyOf(controller);
        node = Set.copyOf(node);
    }

    /** Lists the values of {@code PluginCapability.Service.Type}. */
    public enum Service {
        CONTROLLER_SERVICE,
        VOLUME_ACCESSIBILITY_CONSTRAINTS,
        GROUP_CONTROLLER_SERVICE
    }

    /** Lists the values of {@code PluginCapability.VolumeExpansion.Type}. */
    public enum Expansion {
        ONLINE,
        OFFLINE
    }

    /** Lists the values of {@code ControllerServiceCapability.RPC.Type} that Fairlead knows. */
    public enum Controller {
        CREATE_DELETE_VOLUME,
        PUBLISH_UNPUBLISH_VOLUME,
        LIST_VOLUMES,
        GET_CAPACITY,
        CREATE_DELETE_SNAPSHOT,
        LIST_SNAPSHOTS,
        CLONE_VOLUME,
        PUBLISH_READONLY,
        EXPAND_VOLUME,
        GET_VOLUME,
        SINGLE_NODE_MULTI_WRITER,
        MODIFY_VOLUME,
        GET_SNAPSHOT
    }

    /**
     * Lists the values of {@code NodeServiceCapability.RPC.Type} that Fairlead knows. {@code VOLUME_CONDITION} is one
     * that CSI 1.13 has taken away, for a kubelet of an earlier version that is told to ask for it.
     */
    public enum Node {
        STAGE_UNSTAGE_VOLUME,
        GET_VOLUME_STATS,
        EXPAND_VOLUME,
        SINGLE_NODE_MULTI_WRITER,
        VOLUME_MOUNT_GROUP,
        GET_VOLUME_HEALTH,
        GET_STORAGE_HEALTH,
        VOLUME_CONDITION
    }
}
