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

/** Reads the cluster: of few resources each by its name, of many all at once. */
final class ClusterReading {
    /** The number of resources that are asked for one by one; with more, one view of everything is cheaper. */
    static final int FEW = 4;

    private static final Map<String, String> CACHED = Map.of("cached", "true");
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

    /** Holds a definition's properties and the numbers of its volumes. */
    record Definition(Map<String, String> properties, Set<Long> volumes) {}

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
        List<JsonObject> listed = new ArrayList<>();
        if (resources.size() > FEW) {
            listed.addAll(controllers.list(DEFINITIONS, Map.of(WITH_VOLUMES, "true"), what));
        } else {
            for (String resource : resources) {
                listed.addAll(controllers.list(
                        DEFINITIONS, Map.of(WITH_VOLUMES, "true", "resource_definitions", resource), what));
            }
        }
        Map<String, Definition> found = new HashMap<>();
        for (JsonObject each : listed) {
            String name = Json.text(each, "name").orElseThrow(() -> half("a resource definition without a name"));
            Set<Long> numbers = new TreeSet<>();
            Json.objects(each, "volume_definitions")
                    .forEach(volume -> Json.number(volume, "volume_number").ifPresent(numbers::add));
            found.put(name, new Definition(Json.texts(Json.child(each, "props")), numbers));
        }
        return found;
    }

    /** Reads the replicas of these resources, or of all if these are many. */
    Map<String, List<Replica>> replicas(Collection<String> resources) {
        String what = "viewing LINSTOR's resources";
        List<JsonObject> view = new ArrayList<>();
        if (resources.size() > FEW) {
            view.addAll(controllers.list(VIEW, CACHED, what));
        } else {
            for (String resource : resources) {
                view.addAll(controllers.list(VIEW, Map.of("cached", "true", "resources", resource), what));
            }
        }
        Map<String, List<Replica>> found = new TreeMap<>();
        for (Replica replica : Replica.all(view).orElseThrow(() -> half("a replica without a resource or a node"))) {
            found.computeIfAbsent(replica.resource(), _ -> new ArrayList<>()).add(replica);
        }
        return found;
    }

    private static StorageException half(String detail) {
        return new StorageException(new Failure.Unintelligible("linstor", "its list has " + detail));
    }
}
