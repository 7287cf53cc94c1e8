package dev.fairlead.bootstrap.driver;

import dev.fairlead.domain.topology.TopologyPrefix;
import java.util.Optional;

/**
 * How this installation says where a node is, as far as a connection's own place depends on it.
 *
 * @param perNode whether every node reports itself ({@code proxy.nodeTopology.type: node}, and any driver that is
 *     alone), so that storage of one node can be told from that of another
 * @param nodeName this node's name; unknown where a controller runs for all nodes
 */
public record Locality(TopologyPrefix prefix, boolean perNode, Optional<String> nodeName) {}
