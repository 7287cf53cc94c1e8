package dev.fairlead.adapter.k8s.volume;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Holds what a node has to know of itself to tell what is elsewhere.
 *
 * @param drivers the CSI names that this process serves
 * @param node the name of its Node object
 * @param labels the labels that its CSI driver reports as its topology, read when they are needed
 */
public record WhereaboutsSettings(Set<String> drivers, String node, Supplier<Map<String, String>> labels) {
    /** The names of kubevirt's driver. */
    private static final Set<String> HOSTPATH = Set.of("kubevirt.io.hostpath-provisioner", "hostpath.csi.kubevirt.io");

    public WhereaboutsSettings {
        drivers = Set.copyOf(drivers);
    }

    /** Returns whether claims may name the node of their volume, as those for kubevirt's hostpath-provisioner do. */
    boolean followsClaims() {
        return followsClaims(drivers);
    }

    /** Returns the same of a process that serves drivers of these names. */
    public static boolean followsClaims(Set<String> drivers) {
        return drivers.stream().anyMatch(HOSTPATH::contains);
    }
}
