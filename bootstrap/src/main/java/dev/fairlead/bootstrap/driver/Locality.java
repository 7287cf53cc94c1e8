package dev.fairlead.bootstrap.driver;

import dev.fairlead.domain.topology.TopologyPrefix;
import java.util.Optional;

/**
 * Holds the topology settings of this installation on which a connection's own placement depends.
 *
 * @param perNode whether every node reports itself ({@code proxy.nodeTopology.type: node}, and any driver that is
 *     alone), so that storage of one node can be told from that of another
 * @param nodeName this node's name; empty if it is unknown, as for a controller that runs for all nodes
 */
public record Locality(TopologyPrefix prefix, boolean perNode, Optional<String> nodeName) {}
