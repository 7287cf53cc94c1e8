package dev.fairlead.adapter.k8s;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a node has to know of itself to tell what is elsewhere.
 *
 * @param drivers the CSI names that this process serves
 * @param node the name of its Node object
 * @param labels that its CSI driver reports as its topology, as they are when they are asked for
 */
public record WhereaboutsSettings(Set<String> drivers, String node, Supplier<Map<String, String>> labels) {
    public WhereaboutsSettings {
        drivers = Set.copyOf(drivers);
    }
}
