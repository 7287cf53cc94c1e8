package dev.fairlead.adapter.linstor.source;

import dev.fairlead.adapter.linstor.policy.AccessPolicy;
import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.adapter.linstor.replica.Replica;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was seen before, since a controller that has just started, and a node that is offline, say nothing
 * new: what was known holds on. Nothing is kept longer than this process runs.
 */
final class FormerReadings {
    private final Map<String, Map<String, String>> replicas = new HashMap<>();
    private final Map<String, Boolean> data = new HashMap<>();
    private final Map<String, Lost> left = new HashMap<>();
    private final Map<String, Map<String, String>> labels = new HashMap<>();

    /** Holds a node that a resource has left, and the labels that it had. */
    record Lost(String node, Map<String, String> labels) {}

    /** Says whether a resource is new to us, or has lost a replica since it was seen last. */
    synchronized boolean isSurprised(String resource, List<Replica> now) {
        Map<String, String> known = replicas.get(resource);
        return known == null || !places(now).keySet().containsAll(known.keySet());
    }

    /** Notes what a resource consists of, and by which node it was left if that node is being emptied or gone. */
    synchronized void note(String resource, List<Replica> now, Map<String, LinstorNode> nodes) {
        Map<String, String> places = places(now);
        nodes.forEach((name, node) -> labels.put(name, node.labels()));
        // A node that is back explains nothing any more.
        Lost before = left.get(resource);
        if (before != null && (places.containsKey(before.node()) || isStaying(nodes.get(before.node())))) {
            left.remove(resource);
        }
        replicas.getOrDefault(resource, Map.of()).keySet().stream()
                .filter(node -> !places.containsKey(node))
                .filter(node -> !isStaying(nodes.get(node)))
                .forEach(node -> left.put(resource, lost(node)));
        replicas.put(resource, places);
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

    /**
     * Returns whether a replica has a volume's data, by what it says now or, if it says nothing, by what it said last.
     */
    synchronized Optional<Boolean> hasData(Replica replica, long volume, boolean online) {
        String key = replica.resource() + "/" + volume + "/" + replica.node() + "/" + replica.uuid();
        Replica.Evidence now = replica.dataOf(volume, online);
        if (now != Replica.Evidence.NOT_TOLD) data.put(key, now == Replica.Evidence.PRESENT);
        return Optional.ofNullable(data.get(key));
    }

    /** Forgets all resources but these, and nodes that are neither among these nor named by a resource. */
    synchronized void keep(Set<String> resources, Set<String> nodes) {
        Set<String> named = new HashSet<>(nodes);
        replicas.values().forEach(places -> named.addAll(places.keySet()));
        labels.keySet().retainAll(named);
        replicas.keySet().retainAll(resources);
        left.keySet().retainAll(resources);
        data.keySet().removeIf(key -> !resources.contains(key.substring(0, key.indexOf('/'))));
    }

    private static Map<String, String> places(List<Replica> replicas) {
        return replicas.stream().collect(Collectors.toMap(Replica::node, Replica::uuid, (one, _) -> one));
    }
}
