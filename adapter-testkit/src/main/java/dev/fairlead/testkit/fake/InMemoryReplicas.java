package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.topology.TopologySegment;
import dev.fairlead.domain.volume.NativeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Stands for a cluster of nodes that keep replicas of each volume, and for the nodes that it has made a volume
 * available on; it outlives its stores and exporters.
 */
public final class InMemoryReplicas {
    /** The topology key whose value is a node's name. */
    public static final String NODE = "org.democratic-csi.topology/node";

    final InMemoryStorage storage;
    final int count;
    private final List<String> nodes;
    private final SortedMap<NativeId, Grants> published = new TreeMap<>();

    private InMemoryReplicas(InMemoryStorage storage, int count, List<String> nodes) {
        this.storage = storage;
        this.count = count;
        this.nodes = List.copyOf(nodes);
    }

    /** Makes a cluster of these nodes, which keeps this many replicas of each volume. */
    public static InMemoryReplicas of(InMemoryStorage storage, int count, String... nodes) {
        return new InMemoryReplicas(storage, count, Arrays.asList(nodes));
    }

    public VolumeStore store() {
        return new ReplicatedVolumeStore(this);
    }

    public ReplicaExporter exporter() {
        return new ReplicaExporter(this);
    }

    public static TopologySegment segment(String node) {
        return TopologySegment.of(Map.of(NODE, node));
    }

    static Placement on(List<String> nodes) {
        return new Placement.Within(nodes.stream()
                .map(node -> new Placement.Place(segment(node), TopologySegment.EVERYWHERE))
                .toList());
    }

    /** Moves a volume's replicas to these nodes, as an administrator does. */
    public void move(NativeId id, String... to) {
        storage.replace(ReplicatedVolumeStore.placed(storage.volume(id).volume(), on(Arrays.asList(to))));
    }

    /** Makes the cluster unable to say where a volume is. */
    public void lose(NativeId id) {
        storage.replace(ReplicatedVolumeStore.placed(storage.volume(id).volume(), Placement.UNKNOWN));
    }

    List<String> nodes() {
        return nodes;
    }

    /** Returns the nodes on which a volume is available, and how. */
    public synchronized Grants published(NativeId id) {
        return published.getOrDefault(id, Grants.NONE);
    }

    /** Returns the initiators that reach a closed volume. */
    public Set<String> storageAdmits(NativeId id) {
        return storage.admitted(id).orElse(Grants.NONE).initiators().keySet();
    }

    synchronized void publish(NativeId id, Grant grant) {
        published.put(id, published(id).with(grant));
    }

    synchronized void unpublish(NativeId id, String node) {
        published.put(id, published(id).without(node));
    }

    synchronized void unpublish(NativeId id) {
        published.remove(id);
    }

    /** Returns everything that there is: equal states give equal texts. */
    public synchronized String dump() {
        var text = new StringBuilder(storage.dump());
        storage.volumes()
                .forEach((id, kept) -> text.append(
                        "volume %s is %s%n".formatted(id, kept.volume().ownPlacement())));
        published.forEach(
                (id, grants) -> text.append(grants.isEmpty() ? "" : "published %s to %s%n".formatted(id, grants)));
        return text.toString();
    }
}
