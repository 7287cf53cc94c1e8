package dev.fairlead.adapter.k8s.event;

import java.util.Set;

/**
 * Says whose volumes events on claims are about.
 *
 * @param drivers the CSI names that this process serves
 * @param node the name of this node
 */
public record ClaimEventSettings(Set<String> drivers, String node) {
    public ClaimEventSettings {
        drivers = Set.copyOf(drivers);
    }
}
