package dev.fairlead.bootstrap.affinity;

import java.util.Optional;

/**
 * Holds how LINSTOR's volumes are read; how its controllers are reached is in the variables {@code LS_*}.
 *
 * @param propertyNamespace the namespace of the node properties that are labels; found out if it is empty
 * @param anywhereIsAllNodes whether a volume that can be used anywhere gets all of LINSTOR's nodes for its places
 */
public record LinstorOptions(Optional<String> propertyNamespace, boolean anywhereIsAllNodes) {}
