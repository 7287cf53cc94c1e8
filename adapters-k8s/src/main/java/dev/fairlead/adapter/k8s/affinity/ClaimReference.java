package dev.fairlead.adapter.k8s.affinity;

import java.util.List;

/** Names the claim to which a PersistentVolume is bound. */
record ClaimReference(String namespace, String name, String uid) {
    List<String> path() {
        return List.of("api", "v1", "namespaces", namespace, "persistentvolumeclaims", name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
