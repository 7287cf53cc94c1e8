package dev.fairlead.bootstrap.node;

import dev.fairlead.application.port.in.node.DescribeNode;
import dev.fairlead.application.port.out.cluster.NodeLabels;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.NodeTopologyRules.Outcome;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Answers NodeGetInfo.
 *
 * <p>A rule of the topology that gives no label on this node is skipped and logged: the node registers with the labels
 * that it has, since a node that does not register serves nobody.
 */
public final class ThisNode implements DescribeNode {
    private static final Logger log = LoggerFactory.getLogger(ThisNode.class);

    private volatile LinuxNodeFacts facts;
    private final Optional<NodeIdForm> form;
    private final Optional<NodeTopologyRules> topology;
    private final NodeLabels labels;
    private final PoolLabels pools;
    private final int maxVolumes;

    /**
     * @param form the form of the node id; if empty, it is the node's bare name, else its hostname
     * @param topology if empty, the node reports no topology
     * @param labels asked only if the topology has rules about them
     * @param pools gives labels of its own to a node whose pools are where their disks are
     * @param maxVolumes the most volumes that this node takes at once; 0: no limit
     */
    public ThisNode(
            LinuxNodeFacts facts,
            Optional<NodeIdForm> form,
            Optional<NodeTopologyRules> topology,
            NodeLabels labels,
            PoolLabels pools,
            int maxVolumes) {
        this.facts = facts;
        this.form = form;
        this.topology = topology;
        this.labels = labels;
        this.pools = pools;
        this.maxVolumes = maxVolumes;
    }

    /**
     * Reads the node's labels once, if the topology needs them, before kubelet asks this node: kubelet never changes
     * the topology of a node later, so the first answer has to be complete.
     *
     * @throws StorageException if the orchestrator cannot be asked
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

    /** Compares the labels that pools give this node with those that it has, once the connections are loaded. */
    public void compare() {
        pools.compare();
    }

    @Override
    public Description describe() {
        pools.compareIfStale();
        return new Description(nodeId(), maxVolumes, place());
    }

    /** Returns the labels that kubelet was told. */
    public Optional<TopologySegment> place() {
        return withPools(topology.map(this::segment));
    }

    private Optional<TopologySegment> withPools(Optional<TopologySegment> place) {
        if (pools.now().isEmpty()) {
            return place;
        }
        Map<String, String> all = new TreeMap<>(pools.now());
        place.ifPresent(it -> all.putAll(it.labels()));
        return Optional.of(TopologySegment.of(all));
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
