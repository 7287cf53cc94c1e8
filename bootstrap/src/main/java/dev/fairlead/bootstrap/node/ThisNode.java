package dev.fairlead.bootstrap.node;

import dev.fairlead.application.port.in.DescribeNode;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.NodeTopologyRules.Outcome;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers NodeGetInfo.
 *
 * <p>A rule of the topology that gives no label on this node is skipped with a line in the log: the node registers with
 * the labels that it has, since one that does not register at all serves nobody.
 */
public final class ThisNode implements DescribeNode {
    private static final Logger log = LoggerFactory.getLogger(ThisNode.class);

    private final LinuxNodeFacts facts;
    private final Optional<NodeIdForm> form;
    private final Optional<NodeTopologyRules> topology;

    /**
     * @param form of the node id; where there is none, it is the node's bare name, else its hostname
     * @param topology where there is none, the node is everywhere
     */
    public ThisNode(LinuxNodeFacts facts, Optional<NodeIdForm> form, Optional<NodeTopologyRules> topology) {
        this.facts = facts;
        this.form = form;
        this.topology = topology;
    }

    @Override
    public Description describe() {
        return new Description(nodeId(), 0, topology.map(this::segment));
    }

    private String nodeId() {
        if (form.isPresent()) {
            return form.get().of(facts);
        }
        return facts.nodeName()
                .or(facts::hostname)
                .orElseThrow(() -> new StorageException(new Failure.NodeFault(
                        "making this node's id", "the node's name is not known; set CSI_NODE_ID to it")));
    }

    private TopologySegment segment(NodeTopologyRules rules) {
        Outcome outcome = rules.evaluate(facts);
        outcome.skipped()
                .forEach(skipped -> log.atInfo()
                        .addKeyValue("key", skipped.rule().topologyKey())
                        .addKeyValue("reason", skipped.reason())
                        .log("a rule of proxy.nodeTopology gives no label on this node"));
        return outcome.segment();
    }
}
