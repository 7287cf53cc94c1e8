package dev.fairlead.adapter.k8s;

import java.util.Set;

/**
 * Which taint of which node is taken away, and when.
 *
 * @param key such as {@code csi.example.org/agent-not-ready}
 * @param drivers those that the node's CSINode has to list first
 */
public record TaintSettings(String node, String key, Set<String> drivers) {
    public TaintSettings {
        drivers = Set.copyOf(drivers);
    }
}
