package dev.fairlead.adapter.linstor.source;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.policy.AccessPolicy;
import dev.fairlead.adapter.linstor.policy.PolicyChoice;
import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.adapter.linstor.replica.Replica;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

/** Tells from LINSTOR's replicas and policies where its volumes can be used. */
public final class LinstorPlacementSource implements PlacementSource {
    /** The name of LINSTOR's CSI driver. */
    public static final String DRIVER = "linstor.csi.linbit.com";

    private static final String SKIP_ANNOTATION = "piraeus.io/skip-affinity-controller";

    private static final int BYTES_OF_REVISION = 12;

    /**
     * The resources that are remembered though no volume is of them: a volume that is replaced is away for a moment.
     */
    private static final int SPARE = 100;

    /** The number of times that a few resources are read anew, if younger looks at all end before. */
    private static final int MOST_ANEW = 3;

    private final Controllers controllers;
    private final ClusterReading cluster;
    private final boolean anywhereIsAllNodes;
    private final FormerReadings former = new FormerReadings();
    private final ReadingSequence sequence = new ReadingSequence();
    private final LinstorEvents hints;

    /**
     * @param namespace the namespace of the node properties that are labels; found out if it is empty
     * @param anywhereIsAllNodes whether a volume that can be used anywhere gets the nodes that have LINSTOR's label
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

    /** Returns the number of resources of which something is remembered. */
    public int remembered() {
        return former.size();
    }

    @Override
    public void living(int count, Stream<PlacedVolume> volumes) {
        if (remembered() <= count + SPARE) return;
        Set<String> resources = volumes.flatMap(volume -> LinstorHandle.parse(volume.handle()).stream())
                .map(LinstorHandle::resource)
                .collect(toSet());
        former.keep(resources);
        hints.know(List.of(), Optional.of(resources));
    }

    @Override
    public Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
        Map<String, PlacementReading> readings = new HashMap<>();
        Map<PlacedVolume, LinstorHandle> handles = new HashMap<>();
        for (PlacedVolume volume : volumes) {
            LinstorHandle.parse(volume.handle())
                    .ifPresentOrElse(
                            handle -> handles.put(volume, handle),
                            () -> readings.put(
                                    volume.name(),
                                    PlacementReading.unknown(
                                            AffinityFinding.UNREADABLE,
                                            "its handle is not LINSTOR's (expected: resource or resource/number)")));
        }
        Set<String> outdated = handles.isEmpty() ? Set.of() : read(handles, readings);
        // Of what a hint named, nothing would be told until the next look at all otherwise.
        for (int anew = 0; anew < MOST_ANEW && !outdated.isEmpty() && isFew(handles); anew++) {
            Set<String> again = outdated;
            handles.values().removeIf(handle -> !again.contains(handle.resource()));
            outdated = read(handles, readings);
        }
        return readings;
    }

    private static boolean isFew(Map<PlacedVolume, LinstorHandle> handles) {
        return handles.values().stream().map(LinstorHandle::resource).distinct().count() <= ClusterReading.FEW;
    }

    /** Adds the readings of these, and returns the resources of which something newer was noted meanwhile. */
    private Set<String> read(Map<PlacedVolume, LinstorHandle> handles, Map<String, PlacementReading> readings) {
        NavigableSet<String> resources = new TreeSet<>();
        handles.values().forEach(handle -> resources.add(handle.resource()));
        long number = sequence.begin(!isFew(handles));
        try {
            return read(number, handles, resources, readings);
        } finally {
            sequence.end(number);
        }
    }

    private Set<String> read(
            long number,
            Map<PlacedVolume, LinstorHandle> handles,
            NavigableSet<String> resources,
            Map<String, PlacementReading> readings) {
        boolean all = resources.size() > ClusterReading.FEW;
        ClusterReading.Seen seen = cluster.read(resources);
        hints.know(handles.values(), Optional.of(seen.definitions().keySet()).filter(_ -> all));
        if (former.areSurprising(seen.nodes()) && !cluster.isConfirmed(seen.nodes())) {
            handles.keySet()
                    .forEach(volume -> readings.put(
                            volume.name(),
                            PlacementReading.unknown("two answers of LINSTOR name different nodes or properties")));
            return Set.of();
        }
        if (sequence.tellsNodes(number)) former.note(seen.nodes());
        Map<String, PlacementReading> doubtful = doubtful(number, resources, seen);
        Set<String> outdated = new TreeSet<>();
        // From the first note on: an older reading that came between two notes would seem to be the newer one.
        if (all) sequence.notedAll(number);
        Map<String, ClusterReading.Seen> newer = new HashMap<>();
        for (String resource : resources) {
            // Nothing newer may be noted between the question and the note.
            synchronized (sequence) {
                Optional<ClusterReading.Seen> later = sequence.newer(number, resource);
                if (later.isPresent()) {
                    // Another volume of the resource was hinted at: what was seen then is told of this one, too.
                    newer.put(resource, later.get());
                    doubtful.remove(resource);
                } else if (sequence.isOutdated(number, resource)) {
                    outdated.add(resource);
                    doubtful.put(resource, PlacementReading.unknown("it was read anew meanwhile"));
                } else if (!doubtful.containsKey(resource)) {
                    former.note(resource, seen);
                    if (!all) sequence.noted(number, resource, seen);
                }
            }
        }
        if (all) former.keep(seen.definitions().keySet(), seen.nodes().keySet());
        handles.forEach((volume, handle) -> readings.put(
                volume.name(),
                Optional.ofNullable(doubtful.get(handle.resource()))
                        .orElseGet(() -> reading(volume, handle, newer.getOrDefault(handle.resource(), seen)))));
        return outdated;
    }

    /**
     * Returns what to say of resources of which what was shown is not believed. Those that are new to us, or of which
     * anything has changed, are looked at twice: half a list, or an old one, looks as good as a right one.
     */
    private Map<String, PlacementReading> doubtful(
            long number, NavigableSet<String> resources, ClusterReading.Seen seen) {
        Map<String, PlacementReading> doubtful = new HashMap<>();
        NavigableSet<String> surprising = new TreeSet<>();
        for (String resource : resources) {
            if (sequence.isOutdated(number, resource)) continue;
            if (former.isFromThePast(resource, seen.of(resource))) {
                doubtful.put(
                        resource,
                        contradicting("LINSTOR's answer is an old one: it names a replica that was gone before"));
            } else if (former.isSurprised(resource, seen)) {
                surprising.add(resource);
            }
        }
        if (surprising.isEmpty()) return doubtful;
        cluster.contradicted(surprising, seen)
                .forEach(resource ->
                        doubtful.put(resource, contradicting("two answers of LINSTOR name different replicas")));
        return doubtful;
    }

    private static PlacementReading contradicting(String why) {
        return PlacementReading.unknown(AffinityFinding.CONTRADICTION, why);
    }

    private PlacementReading reading(PlacedVolume volume, LinstorHandle handle, ClusterReading.Seen seen) {
        Optional<PlacementReading> silent = silence(volume, handle, seen);
        if (silent.isPresent()) return silent.get();
        List<LinstorNode> places = new ArrayList<>();
        Map<String, String> counted = new TreeMap<>();
        for (Replica replica : seen.of(handle.resource())) {
            LinstorNode node = seen.nodes().get(replica.node());
            if (node == null) {
                return PlacementReading.unknown(
                        AffinityFinding.CONTRADICTION,
                        "a replica is on node " + replica.node() + ", which is not among LINSTOR's nodes");
            }
            Optional<Boolean> has = former.hasData(replica, handle.volume());
            if (has.isEmpty()) {
                return PlacementReading.unknown("node " + node.name()
                        + " does not say whether its replica has data; it is offline, or LINSTOR has just started");
            }
            if (has.get()) {
                places.add(node);
                counted.put(node.name(), replica.uuid());
            }
        }
        if (places.isEmpty()) {
            return PlacementReading.unknown(AffinityFinding.NO_DATA, "no replica has the volume's data");
        }
        PolicyChoice choice = PolicyChoice.of(volume);
        if (choice.policy().isEmpty()) return PlacementReading.unknown(choice.finding(), choice.origin());
        AccessPolicy policy = choice.policy().get();
        String reason = "replicas on " + counted.keySet().stream().collect(joining(", ")) + "; " + policy + " by "
                + choice.origin();
        // Thousands of volumes are on the same few nodes, by the same policy.
        Common common = seen.common()
                .computeIfAbsent(Map.entry(reason, policy), _ -> new Common(reason, placement(policy, places)));
        PlacementReading reading =
                PlacementReading.of(common.placement(), revision(counted + " " + policy), common.reason());
        return former.explanation(handle.resource(), seen.of(handle.resource()), seen.nodes())
                .map(lost -> reading.explainedBy(lost.node(), lost.labels()))
                .orElse(reading);
    }

    /** Returns a short text for a long one, since it is kept for each of thousands of volumes. */
    private static String revision(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, BYTES_OF_REVISION));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // each JDK has it
        }
    }

    /** Holds what the readings of many volumes have in common. */
    record Common(String reason, VolumePlacement placement) {}

    /** Returns why nothing is said of a volume; empty if something can be. */
    private static Optional<PlacementReading> silence(
            PlacedVolume volume, LinstorHandle handle, ClusterReading.Seen seen) {
        ClusterReading.Definition definition = seen.definitions().get(handle.resource());
        if (definition == null) {
            return contradiction("LINSTOR has no resource definition " + handle.resource());
        }
        if (!definition.volumes().contains(handle.volume())) {
            return contradiction("LINSTOR's resource " + handle.resource() + " has no volume " + handle.volume());
        }
        if (definition.skipped()) {
            return Optional.of(
                    PlacementReading.leftAlone("the resource definition has the property " + ClusterReading.SKIP));
        }
        return volume.annotations().getOrDefault(SKIP_ANNOTATION, "").isEmpty()
                ? Optional.empty()
                : Optional.of(PlacementReading.leftAlone("the PersistentVolume has the annotation " + SKIP_ANNOTATION));
    }

    private static Optional<PlacementReading> contradiction(String why) {
        return Optional.of(PlacementReading.unknown(AffinityFinding.CONTRADICTION, why));
    }

    private VolumePlacement placement(AccessPolicy policy, List<LinstorNode> places) {
        return policy.isAnywhere() && anywhereIsAllNodes
                ? new VolumePlacement.Labelled(AccessPolicy.HOSTNAME)
                : policy.from(places);
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
