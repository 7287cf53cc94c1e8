package dev.fairlead.application.port.in.node;

import dev.fairlead.domain.topology.TopologySegment;
import java.util.Optional;

/** Describes this node to the cluster (CSI NodeGetInfo). */
public interface DescribeNode {
    Description describe();

    /**
     * @param nodeId at most 256 bytes
     * @param maxVolumes 0: no limit
     */
    record Description(String nodeId, long maxVolumes, Optional<TopologySegment> topology) {}
}
