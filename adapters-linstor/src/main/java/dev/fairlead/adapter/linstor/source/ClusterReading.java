package dev.fairlead.adapter.linstor.source;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.client.LinstorList;
import dev.fairlead.adapter.linstor.policy.AccessPolicy;
import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.adapter.linstor.replica.Replica;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Reads the cluster: of few resources each by its name, of many all at once. */
final class ClusterReading {
    /** The number of resources that are asked for one by one; with more, one view of everything is cheaper. */
    static final int FEW = PlacementSource.FEW;

    private static final Map<String, String> CACHED = Map.of("cached", "true");
    /** The mark by which the former controller leaves a definition alone, if it is not empty. */
    static final String SKIP = "Aux/affinity-updater-skip";

    private static final Set<String> KEYS_OF_DEFINITION =
            Set.of("name", "props", SKIP, "volume_definitions", "volume_number");
    private static final Definition USUAL = new Definition(false, Set.of(0L));

    private static final String WITH_VOLUMES = "with_volume_definitions";
    private static final String RESOURCES = "resources";
    private static final List<String> NODES = List.of("v1", "nodes");
    private static final List<String> VIEW = List.of("v1", "view", "resources");
    private static final List<String> DEFINITIONS = List.of("v1", "resource-definitions");

    private final Controllers controllers;
    private final Optional<String> namespace;

    ClusterReading(Controllers controllers, Optional<String> namespace) {
        this.controllers = controllers;
        this.namespace = namespace;
    }

    /**
     * Holds one reading.
     *
     * @param definitions the definitions of resources, by name
     * @param replicas the replicas of each resource
     * @param common what the readings of its volumes have in common, by their reason and policy; two policies may have
     *     one text. A look may tell of what was seen beside it, so that two threads use it
     */
    record Seen(
            Map<String, LinstorNode> nodes,
            Map<String, Definition> definitions,
            Map<String, List<Replica>> replicas,
            Map<Map.Entry<String, AccessPolicy>, LinstorPlacementSource.Common> common) {
        List<Replica> of(String resource) {
            return replicas.getOrDefault(resource, List.of());
        }

        Set<Long> volumesOf(String resource) {
            Definition definition = definitions.get(resource);
            return definition == null ? Set.of() : definition.volumes();
        }

        boolean isOnline(String node) {
            return Optional.ofNullable(nodes.get(node))
                    .filter(LinstorNode::online)
                    .isPresent();
        }
    }

    /**
     * Holds what matters of a definition.
     *
     * @param skipped whether it has the mark by which the former controller left it alone
     * @param volumes the numbers of its volumes
     */
    record Definition(boolean skipped, Set<Long> volumes) {}

    /** Reads what is needed for these resources; throws rather than leave something out. */
    Seen read(NavigableSet<String> resources) {
        List<JsonObject> nodes = controllers.list(NODES, CACHED, "listing LINSTOR's nodes");
        return new Seen(byName(nodes), definitions(resources), replicas(resources), new ConcurrentHashMap<>());
    }

    private Map<String, LinstorNode> byName(List<JsonObject> nodes) {
        String labels = LinstorNode.namespace(namespace, nodes);
        Map<String, LinstorNode> byName = new HashMap<>();
        for (JsonObject node : nodes) {
            LinstorNode read = LinstorNode.of(node, labels).orElseThrow(() -> half("a node without a name"));
            byName.put(read.name(), read);
        }
        return byName;
    }

    /**
     * Says whether a second look shows the same nodes. It asks otherwise than the first one: no cache between here and
     * LINSTOR has the answer, and what cuts each list short cuts these elsewhere.
     */
    boolean isConfirmed(Map<String, LinstorNode> nodes) {
        List<JsonObject> again = new ArrayList<>();
        var list = new LinstorList<>(NODES, Set.of(), "listing LINSTOR's nodes again", node -> node);
        controllers.pages(list, Map.of(), half(nodes.size()), again::add);
        return isSame(nodes, byName(again));
    }

    /** Says whether nodes are the same but for whether their satellites answer. */
    static boolean isSame(Map<String, LinstorNode> some, Map<String, LinstorNode> others) {
        return some.keySet().equals(others.keySet())
                && some.values().stream().allMatch(node -> node.isLike(others.get(node.name())));
    }

    private Map<String, Definition> definitions(NavigableSet<String> resources) {
        var list = new LinstorList<>(
                DEFINITIONS, KEYS_OF_DEFINITION, "listing LINSTOR's resource definitions", ClusterReading::definition);
        Map<String, Definition> found = new HashMap<>();
        each(
                list,
                Map.of(WITH_VOLUMES, "true"),
                "resource_definitions",
                resources,
                Controllers.PAGE,
                named -> found.put(known(named.getKey(), resources), named.getValue()));
        return found;
    }

    private static Map.Entry<String, Definition> definition(JsonObject entry) {
        String name = Json.text(entry, "name").orElseThrow(() -> half("a resource definition without a name"));
        Set<Long> numbers = new TreeSet<>();
        Json.objects(entry, "volume_definitions")
                .forEach(volume -> Json.number(volume, "volume_number").ifPresent(numbers::add));
        boolean skipped =
                !Json.text(Json.child(entry, "props"), SKIP).orElse("").isEmpty();
        // Most of thousands are alike; and a small set is kept, not the tree that it was collected in.
        return Map.entry(
                name, !skipped && numbers.equals(Set.of(0L)) ? USUAL : new Definition(skipped, Set.copyOf(numbers)));
    }

    private Map<String, List<Replica>> replicas(NavigableSet<String> resources) {
        Map<String, List<Replica>> found = new TreeMap<>();
        each(view(), CACHED, RESOURCES, resources, Controllers.PAGE, replica -> {
            Replica kept = replica.of(known(replica.resource(), resources));
            found.computeIfAbsent(kept.resource(), _ -> new ArrayList<>(2)).add(kept);
        });
        return found;
    }

    private static LinstorList<Replica> view() {
        return new LinstorList<>(
                VIEW,
                Replica.KEYS,
                "viewing LINSTOR's resources",
                entry -> Replica.of(entry).orElseThrow(() -> half("a replica without a resource or a node")));
    }

    /** Returns the very text by which a resource is known; thousands of names are not kept twice. */
    private static String known(String resource, NavigableSet<String> resources) {
        String known = resources.floor(resource);
        return resource.equals(known) ? known : resource;
    }

    /**
     * Looks at the replicas of these resources once more, and otherwise than at the first look; returns those resources
     * of which it is shown something else. Of the second look nothing is kept.
     */
    Set<String> contradicted(NavigableSet<String> resources, Seen seen) {
        int most = resources.size() <= FEW
                ? resources.stream()
                        .mapToInt(resource -> seen.of(resource).size())
                        .max()
                        .orElse(0)
                : seen.replicas().values().stream().mapToInt(List::size).sum();
        Map<String, Integer> missing = new HashMap<>();
        resources.forEach(resource -> missing.put(resource, seen.of(resource).size()));
        Set<String> contradicted = new TreeSet<>();
        each(view(), Map.of(), RESOURCES, resources, half(most), again -> {
            String resource = again.resource();
            if (!resources.contains(resource)) return;
            missing.merge(resource, -1, Integer::sum);
            boolean same = seen.of(resource).stream()
                    .anyMatch(first ->
                            first.node().equals(again.node()) && !first.contradicts(again, seen.volumesOf(resource)));
            if (!same) contradicted.add(resource);
        });
        missing.forEach((resource, count) -> {
            if (count != 0) contradicted.add(resource);
        });
        return contradicted;
    }

    /**
     * Returns the length of a page by which so many entries are no single page, nor end where a full one does. Where
     * there were none there may be thousands, which are not asked for one by one.
     */
    private static int half(int entries) {
        return entries == 0 ? Controllers.PAGE - 1 : Math.clamp((entries + 1) / 2, 1, Controllers.PAGE - 1);
    }

    /** Hands over the entries of a list: page by page, or those of each name that is asked for. */
    private <T> void each(
            LinstorList<T> list,
            Map<String, String> query,
            String filter,
            Collection<String> names,
            int page,
            Consumer<T> entry) {
        if (names.size() > FEW) {
            controllers.pages(list, query, page, entry);
            return;
        }
        for (String name : names) {
            Map<String, String> one = new HashMap<>(query);
            one.put(filter, name);
            if (page < Controllers.PAGE) controllers.pages(list, one, page, entry);
            else controllers.list(list, one).forEach(entry);
        }
    }

    private static StorageException half(String detail) {
        return new StorageException(new Failure.Unintelligible("linstor", "its list has " + detail));
    }
}
