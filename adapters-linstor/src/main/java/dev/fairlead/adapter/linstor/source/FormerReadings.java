package dev.fairlead.adapter.linstor.source;

import dev.fairlead.adapter.linstor.policy.AccessPolicy;
import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.adapter.linstor.replica.Replica;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was seen before, since a controller that has just started, and a node that is offline, say nothing
 * new: what was known holds on. Nothing is kept longer than this process runs.
 */
final class FormerReadings {
    private final Map<String, Map<String, Known>> replicas = new HashMap<>();
    private final GoneReplicas gone = new GoneReplicas();
    private final Map<String, Lost> left = new HashMap<>();
    private final Map<String, Map<String, String>> labels = new HashMap<>();
    private Map<String, LinstorNode> lastNodes = Map.of();

    /** Holds a node that a resource has left, and the labels that it had. */
    record Lost(String node, Map<String, String> labels) {}

    /**
     * Holds what was said last of a replica.
     *
     * @param data whether it has a volume's data, by the volume's number; those of which nothing was said are left out
     */
    private record Known(String uuid, Map<Long, Boolean> data) {}

    /** Says whether nodes have come or gone, or differ in more than whether their satellites answer. */
    synchronized boolean areSurprising(Map<String, LinstorNode> nodes) {
        return !ClusterReading.isSame(lastNodes, nodes);
    }

    /** Says whether a resource is new to us, or has other replicas or other data than when it was seen last. */
    synchronized boolean isSurprised(String resource, ClusterReading.Seen seen) {
        Map<String, Known> known = replicas.get(resource);
        if (known == null || known.size() != seen.of(resource).size()) return true;
        return seen.of(resource).stream().anyMatch(replica -> {
            Known before = known.get(replica.node());
            return before == null
                    || !before.uuid().equals(replica.uuid())
                    || !before.data().entrySet().containsAll(told(replica, seen).entrySet());
        });
    }

    /** Says whether one of the replicas was gone before: the list is older than what we know. */
    synchronized boolean isFromThePast(String resource, List<Replica> now) {
        return gone.isBack(resource, now.stream().map(Replica::uuid).toList());
    }

    /** Notes the nodes that there are. */
    synchronized void note(Map<String, LinstorNode> nodes) {
        lastNodes = Map.copyOf(nodes);
        nodes.forEach((name, node) -> labels.put(name, node.labels()));
    }

    /** Notes what a resource consists of, and by which node it was left if that node is being emptied or gone. */
    synchronized void note(String resource, ClusterReading.Seen seen) {
        Map<String, Known> before = replicas.getOrDefault(resource, Map.of());
        Map<String, Known> now = new TreeMap<>();
        for (Replica replica : seen.of(resource)) {
            Map<Long, Boolean> data = new TreeMap<>();
            Known known = before.get(replica.node());
            // A replica that says nothing now has what it said last; one that was made anew on the node has nothing.
            if (known != null && known.uuid().equals(replica.uuid())) data.putAll(known.data());
            data.putAll(told(replica, seen));
            now.put(replica.node(), new Known(replica.uuid(), Map.copyOf(data)));
        }
        Map<String, LinstorNode> nodes = seen.nodes();
        // A node that is back explains nothing any more.
        Lost explained = left.get(resource);
        if (explained != null && (now.containsKey(explained.node()) || isStaying(nodes.get(explained.node())))) {
            left.remove(resource);
        }
        before.keySet().stream()
                .filter(node -> !now.containsKey(node) && !isStaying(nodes.get(node)))
                .forEach(node -> left.put(resource, lost(node)));
        gone.note(resource, uuids(before.values()), uuids(now.values()));
        replicas.put(resource, Map.copyOf(now));
    }

    private static Map<Long, Boolean> told(Replica replica, ClusterReading.Seen seen) {
        Map<Long, Boolean> told = new TreeMap<>();
        for (long volume : seen.volumesOf(replica.resource())) {
            Replica.Evidence evidence = replica.dataOf(volume, seen.isOnline(replica.node()));
            if (evidence != Replica.Evidence.NOT_TOLD) told.put(volume, evidence == Replica.Evidence.PRESENT);
        }
        return told;
    }

    private static List<String> uuids(Collection<Known> known) {
        return known.stream().map(Known::uuid).toList();
    }

    /** Returns the node that explains a change of this resource: one that it leaves, or that it has left. */
    synchronized Optional<Lost> explanation(String resource, List<Replica> now, Map<String, LinstorNode> nodes) {
        Optional<Lost> leaving = now.stream()
                .filter(replica -> replica.isLeaving()
                        || Optional.ofNullable(nodes.get(replica.node()))
                                .filter(LinstorNode::leaving)
                                .isPresent())
                .map(replica -> lost(replica.node()))
                .findFirst();
        return leaving.or(() -> Optional.ofNullable(left.get(resource)));
    }

    private Lost lost(String node) {
        return new Lost(node, labels.getOrDefault(node, Map.of(AccessPolicy.HOSTNAME, node)));
    }

    private static boolean isStaying(@Nullable LinstorNode node) {
        return node != null && !node.leaving();
    }

    /** Returns whether a replica has a volume's data, by what was noted of it; empty if nothing was ever said. */
    synchronized Optional<Boolean> hasData(Replica replica, long volume) {
        return Optional.ofNullable(
                        replicas.getOrDefault(replica.resource(), Map.of()).get(replica.node()))
                .filter(known -> known.uuid().equals(replica.uuid()))
                .map(known -> known.data().get(volume));
    }

    /** Returns the number of resources that are remembered. */
    synchronized int size() {
        return replicas.size();
    }

    /** Forgets all resources but these, and nodes that LINSTOR does not have any more. */
    synchronized void keep(Set<String> resources) {
        keep(resources, lastNodes.keySet());
    }

    /** Forgets all resources but these, and nodes that are neither among these nor named by a resource. */
    synchronized void keep(Set<String> resources, Set<String> nodes) {
        Set<String> named = new HashSet<>(nodes);
        replicas.values().forEach(places -> named.addAll(places.keySet()));
        labels.keySet().retainAll(named);
        replicas.keySet().retainAll(resources);
        left.keySet().retainAll(resources);
        gone.keep(resources);
    }
}
