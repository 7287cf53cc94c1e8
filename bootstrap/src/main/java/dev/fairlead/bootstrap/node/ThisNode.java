package dev.fairlead.bootstrap.node;

import dev.fairlead.application.port.in.DescribeNode;
import dev.fairlead.application.port.out.cluster.NodeLabels;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.NodeTopologyRules.Outcome;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Answers NodeGetInfo.
 *
 * <p>A rule of the topology that gives no label on this node is skipped with a line in the log: the node registers with
 * the labels that it has, since one that does not register at all serves nobody.
 */
public final class ThisNode implements DescribeNode {
    private static final Logger log = LoggerFactory.getLogger(ThisNode.class);

    private volatile LinuxNodeFacts facts;
    private final Optional<NodeIdForm> form;
    private final Optional<NodeTopologyRules> topology;
    private final NodeLabels labels;

    /**
     * @param form of the node id; where there is none, it is the node's bare name, else its hostname
     * @param topology where there is none, the node is everywhere
     * @param labels asked only where the topology has rules about them
     */
    public ThisNode(
            LinuxNodeFacts facts, Optional<NodeIdForm> form, Optional<NodeTopologyRules> topology, NodeLabels labels) {
        this.facts = facts;
        this.form = form;
        this.topology = topology;
        this.labels = labels;
    }

    /**
     * Finds out once what has to be asked of others, before anybody asks this node: kubelet never takes a label back,
     * so a node that said too little at first could not say more later.
     *
     * @throws StorageException where the orchestrator cannot be asked
     */
    public void look() {
        if (topology.filter(NodeTopologyRules::needLabels).isEmpty()) {
            return;
        }
        String name = facts.nodeName()
                .orElseThrow(() -> new StorageException(new Failure.NodeFault(
                        "reading this node's labels", "the node's name is not known; set CSI_NODE_ID to it")));
        facts = facts.withLabels(labels.of(name));
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
                .forEach(skipped -> log.atLevel(skipped.invalid() ? Level.WARN : Level.INFO)
                        .addKeyValue("key", skipped.rule().topologyKey())
                        .addKeyValue("reason", skipped.reason())
                        .log("a rule of proxy.nodeTopology gives no label on this node"));
        if (outcome.segment().labels().isEmpty()) {
            log.atWarn()
                    .log(
                            "no rule of proxy.nodeTopology gives a label on this node: kubelet registers it without a place,"
                                    + " takes none later, and volumes that need one are not for it");
        }
        return outcome.segment();
    }
}
