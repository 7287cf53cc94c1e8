package dev.fairlead.adapter.k8s.node;

import java.util.Set;

/**
 * Says which taint of which node is removed, and when.
 *
 * @param key such as {@code csi.example.org/agent-not-ready}
 * @param drivers those that the node's CSINode has to list first
 */
public record TaintSettings(String node, String key, Set<String> drivers) {
    public TaintSettings {
        drivers = Set.copyOf(drivers);
    }
}
