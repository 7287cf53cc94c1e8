package dev.fairlead.adapter.linstor.source;

import static java.util.stream.Collectors.joining;

import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.policy.AccessPolicy;
import dev.fairlead.adapter.linstor.policy.PolicyChoice;
import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.adapter.linstor.replica.Replica;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.topology.TopologySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;

/** Tells from LINSTOR's replicas and policies where its volumes can be used. */
public final class LinstorPlacementSource implements PlacementSource {
    /** The name of LINSTOR's CSI driver. */
    public static final String DRIVER = "linstor.csi.linbit.com";

    private static final String SKIP_ANNOTATION = "piraeus.io/skip-affinity-controller";

    private final Controllers controllers;
    private final ClusterReading cluster;
    private final boolean anywhereIsAllNodes;
    private final FormerReadings former = new FormerReadings();
    private final LinstorEvents hints;

    /**
     * @param namespace the namespace of the node properties that are labels; found out if it is empty
     * @param anywhereIsAllNodes whether a volume that can be used anywhere gets all of LINSTOR's nodes for its places
     */
    public LinstorPlacementSource(
            Controllers controllers, Optional<String> namespace, boolean anywhereIsAllNodes, ThreadFactory threads) {
        this.controllers = controllers;
        this.cluster = new ClusterReading(controllers, namespace);
        this.anywhereIsAllNodes = anywhereIsAllNodes;
        this.hints = new LinstorEvents(controllers, threads);
    }

    @Override
    public String name() {
        return "linstor";
    }

    @Override
    public boolean answersFor(PlacedVolume volume) {
        return volume.driver().equals(DRIVER);
    }

    @Override
    public synchronized Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
        Map<String, PlacementReading> readings = new HashMap<>();
        Map<PlacedVolume, LinstorHandle> handles = new HashMap<>();
        for (PlacedVolume volume : volumes) {
            LinstorHandle.parse(volume.handle())
                    .ifPresentOrElse(
                            handle -> handles.put(volume, handle),
                            () -> readings.put(
                                    volume.name(),
                                    PlacementReading.unknown(
                                            "its handle is not LINSTOR's (expected: resource or resource/number)")));
        }
        if (handles.isEmpty()) return readings;
        Set<String> resources = new TreeSet<>();
        handles.values().forEach(handle -> resources.add(handle.resource()));
        ClusterReading.Seen seen = cluster.read(resources);
        Set<String> doubtful = doubtful(resources, seen);
        for (String resource : resources) {
            if (!doubtful.contains(resource)) former.note(resource, seen.of(resource), seen.nodes());
        }
        if (resources.size() > ClusterReading.FEW)
            former.keep(seen.definitions().keySet(), seen.nodes().keySet());
        hints.know(handles.values());
        handles.forEach((volume, handle) -> readings.put(
                volume.name(),
                doubtful.contains(handle.resource())
                        ? PlacementReading.unknown("two answers of LINSTOR name different replicas")
                        : reading(volume, handle, seen)));
        return readings;
    }

    /**
     * Returns the resources of which a second look shows other replicas than the first: one of the two lists is not
     * whole. Those are looked at twice that are new to us or that have lost a replica.
     */
    private Set<String> doubtful(Set<String> resources, ClusterReading.Seen seen) {
        Set<String> surprising = new TreeSet<>();
        for (String resource : resources) {
            if (former.isSurprised(resource, seen.of(resource))) surprising.add(resource);
        }
        if (surprising.isEmpty()) return Set.of();
        Map<String, List<Replica>> again = cluster.replicas(surprising);
        Set<String> doubtful = new HashSet<>();
        for (String resource : surprising) {
            if (!nodes(seen.of(resource)).equals(nodes(again.getOrDefault(resource, List.of())))) {
                doubtful.add(resource);
            }
        }
        return doubtful;
    }

    private static Set<String> nodes(List<Replica> replicas) {
        return new TreeSet<>(replicas.stream().map(Replica::node).toList());
    }

    private PlacementReading reading(PlacedVolume volume, LinstorHandle handle, ClusterReading.Seen seen) {
        Optional<String> silent = reasonForSilence(volume, handle, seen);
        if (silent.isPresent()) return PlacementReading.unknown(silent.get());
        List<LinstorNode> places = new ArrayList<>();
        Map<String, String> counted = new TreeMap<>();
        for (Replica replica : seen.of(handle.resource())) {
            LinstorNode node = seen.nodes().get(replica.node());
            if (node == null) {
                return PlacementReading.unknown(
                        "a replica is on node " + replica.node() + ", which is not among LINSTOR's nodes");
            }
            Optional<Boolean> has = former.hasData(replica, handle.volume(), node.online());
            if (has.isEmpty()) {
                return PlacementReading.unknown("node " + node.name()
                        + " does not say whether its replica has data; it is offline, or LINSTOR has just started");
            }
            if (has.get()) {
                places.add(node);
                counted.put(node.name(), replica.uuid());
            }
        }
        if (places.isEmpty()) return PlacementReading.unknown("no replica has the volume's data");
        PolicyChoice choice = PolicyChoice.of(volume);
        if (choice.policy().isEmpty()) return PlacementReading.unknown(choice.origin());
        AccessPolicy policy = choice.policy().get();
        PlacementReading reading = PlacementReading.of(
                placement(policy, places, seen),
                counted + " " + policy,
                "replicas on " + counted.keySet().stream().collect(joining(", ")) + "; " + policy + " by "
                        + choice.origin());
        return former.explanation(handle.resource(), seen.of(handle.resource()), seen.nodes())
                .map(lost -> reading.explainedBy(lost.node(), lost.labels()))
                .orElse(reading);
    }

    private Optional<String> reasonForSilence(PlacedVolume volume, LinstorHandle handle, ClusterReading.Seen seen) {
        ClusterReading.Definition definition = seen.definitions().get(handle.resource());
        if (definition == null) return Optional.of("LINSTOR has no resource definition " + handle.resource());
        if (!definition.volumes().contains(handle.volume())) {
            return Optional.of("LINSTOR's resource " + handle.resource() + " has no volume " + handle.volume());
        }
        if (definition.skipped()) {
            return Optional.of("the resource definition has the property " + ClusterReading.SKIP);
        }
        if (!volume.annotations().getOrDefault(SKIP_ANNOTATION, "").isEmpty()) {
            return Optional.of("the PersistentVolume has the annotation " + SKIP_ANNOTATION);
        }
        return Optional.empty();
    }

    private VolumePlacement placement(AccessPolicy policy, List<LinstorNode> places, ClusterReading.Seen seen) {
        if (!policy.isAnywhere() || !anywhereIsAllNodes) return policy.from(places);
        return VolumePlacement.within(seen.nodes().values().stream()
                .filter(LinstorNode::runsPods)
                .map(LinstorNode::name)
                .sorted()
                .map(name -> TopologySegment.of(Map.of(AccessPolicy.HOSTNAME, name)))
                .toList());
    }

    @Override
    public void listen(PlacementHints listener) {
        hints.listen(listener);
    }

    @Override
    public void close() {
        hints.close();
        controllers.close();
    }
}
