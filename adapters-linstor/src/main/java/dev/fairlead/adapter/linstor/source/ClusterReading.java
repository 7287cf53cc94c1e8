package dev.fairlead.adapter.linstor.source;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.linstor.client.Controllers;
import dev.fairlead.adapter.linstor.replica.LinstorNode;
import dev.fairlead.adapter.linstor.replica.Replica;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Reads the cluster: of few resources each by its name, of many all at once. */
final class ClusterReading {
    /** The number of resources that are asked for one by one; with more, one view of everything is cheaper. */
    static final int FEW = 4;

    /** The number of entries of one page: what is read of a large cluster never lies in memory as a whole. */
    private static final int PAGE = 500;

    private static final Map<String, String> CACHED = Map.of("cached", "true");
    /** The mark by which the former controller leaves a definition alone, if it is not empty. */
    static final String SKIP = "Aux/affinity-updater-skip";

    private static final String WITH_VOLUMES = "with_volume_definitions";
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
     */
    record Seen(
            Map<String, LinstorNode> nodes, Map<String, Definition> definitions, Map<String, List<Replica>> replicas) {
        List<Replica> of(String resource) {
            return replicas.getOrDefault(resource, List.of());
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
    Seen read(Collection<String> resources) {
        List<JsonObject> nodes = controllers.list(NODES, CACHED, "listing LINSTOR's nodes");
        String labels = LinstorNode.namespace(namespace, nodes);
        Map<String, LinstorNode> byName = new HashMap<>();
        for (JsonObject node : nodes) {
            LinstorNode read = LinstorNode.of(node, labels).orElseThrow(() -> half("a node without a name"));
            byName.put(read.name(), read);
        }
        return new Seen(byName, definitions(resources), replicas(resources));
    }

    private Map<String, Definition> definitions(Collection<String> resources) {
        String what = "listing LINSTOR's resource definitions";
        Map<String, Definition> found = new HashMap<>();
        each(DEFINITIONS, Map.of(WITH_VOLUMES, "true"), "resource_definitions", resources, what, each -> {
            String name = Json.text(each, "name").orElseThrow(() -> half("a resource definition without a name"));
            Set<Long> numbers = new TreeSet<>();
            Json.objects(each, "volume_definitions")
                    .forEach(volume -> Json.number(volume, "volume_number").ifPresent(numbers::add));
            found.put(
                    name,
                    new Definition(
                            !Json.text(Json.child(each, "props"), SKIP)
                                    .orElse("")
                                    .isEmpty(),
                            numbers));
        });
        return found;
    }

    /** Reads the replicas of these resources, or of all if these are many. */
    Map<String, List<Replica>> replicas(Collection<String> resources) {
        String what = "viewing LINSTOR's resources";
        Map<String, List<Replica>> found = new TreeMap<>();
        each(VIEW, CACHED, "resources", resources, what, each -> {
            Replica replica = Replica.of(each).orElseThrow(() -> half("a replica without a resource or a node"));
            found.computeIfAbsent(replica.resource(), _ -> new ArrayList<>()).add(replica);
        });
        return found;
    }

    /** Hands over the entries of a list: page by page, or those of each name that is asked for. */
    private void each(
            List<String> path,
            Map<String, String> query,
            String filter,
            Collection<String> names,
            String what,
            Consumer<JsonObject> entry) {
        if (names.size() <= FEW) {
            for (String name : names) {
                Map<String, String> one = new HashMap<>(query);
                one.put(filter, name);
                controllers.list(path, one, what).forEach(entry);
            }
            return;
        }
        Optional<JsonObject> first = Optional.empty();
        for (int offset = 0; ; offset += PAGE) {
            Map<String, String> page = new HashMap<>(query);
            page.put("limit", Integer.toString(PAGE));
            page.put("offset", Integer.toString(offset));
            List<JsonObject> listed = controllers.list(path, page, what);
            // A server that knows no pages shows the same again, or all at once.
            boolean again =
                    first.isPresent() && !listed.isEmpty() && listed.getFirst().equals(first.get());
            if (!again) listed.forEach(entry);
            if (again || listed.size() != PAGE) return;
            first = Optional.of(listed.getFirst());
        }
    }

    private static StorageException half(String detail) {
        return new StorageException(new Failure.Unintelligible("linstor", "its list has " + detail));
    }
}
