package dev.fairlead.adapter.k8s.takeover;

import dev.fairlead.adapter.k8s.api.ObjectSearch;
import java.util.List;
import java.util.Optional;

/**
 * Says by what another controller is known.
 *
 * @param leases the Leases that it may hold; none are looked at if there are none
 * @param driver the CSI driver of the volumes that it changes
 */
public record OtherControllerSettings(List<LeaseName> leases, String driver) {
    public OtherControllerSettings {
        leases = List.copyOf(leases);
    }

    /** Names a Lease: {@code namespace/name}. */
    public record LeaseName(String namespace, String name) {
        /**
         * The Lease that LINSTOR's affinity controller has if piraeus-operator has deployed it with its usual names.
         */
        public static final LeaseName USUAL = new LeaseName("piraeus-datastore", "linstor-affinity-controller");

        /** Reads a name; empty if it is none. */
        public static Optional<LeaseName> parse(String text) {
            String[] parts = text.split("/", -1);
            return parts.length == 2 && ObjectSearch.isName(parts[0]) && ObjectSearch.isName(parts[1])
                    ? Optional.of(new LeaseName(parts[0], parts[1]))
                    : Optional.empty();
        }

        /** Returns where it is in the API. */
        public List<String> path() {
            return List.of("apis", "coordination.k8s.io", "v1", "namespaces", namespace, "leases", name);
        }

        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }
}
