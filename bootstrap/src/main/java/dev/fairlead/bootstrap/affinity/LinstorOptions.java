package dev.fairlead.bootstrap.affinity;

import dev.fairlead.adapter.k8s.takeover.OtherControllerSettings.LeaseName;
import java.util.List;
import java.util.Optional;

/**
 * Holds how LINSTOR's volumes are read; how its controllers are reached is in the variables {@code LS_*}.
 *
 * @param propertyNamespace the namespace of the node properties that are labels; found out if it is empty
 * @param anywhereIsAllNodes whether a volume that can be used anywhere gets the nodes that have LINSTOR's label
 * @param oldLeases the Leases of LINSTOR's own affinity controller, while whose holder lives nothing is changed
 */
public record LinstorOptions(
        Optional<String> propertyNamespace, boolean anywhereIsAllNodes, List<LeaseName> oldLeases) {
    public LinstorOptions {
        oldLeases = List.copyOf(oldLeases);
    }

    public LinstorOptions(Optional<String> propertyNamespace, boolean anywhereIsAllNodes) {
        this(propertyNamespace, anywhereIsAllNodes, List.of(LeaseName.USUAL));
    }
}
