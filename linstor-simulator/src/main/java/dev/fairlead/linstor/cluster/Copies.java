package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers for what is made of something else: a resource of a snapshot, and a clone, which no file pool can make. */
public final class Copies {
    private static final long MADE = ReturnCode.CREATE | ReturnCode.SNAPSHOT;

    private final Cluster cluster;

    public Copies(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Gives a resource definition the volumes that a snapshot has. */
    public RestAnswer restoreVolumes(String definition, String name, JsonObject body) {
        Optional<JsonObject> snapshot = cluster.rows().row(Snapshots.key(definition, name));
        String to = text(body, "to_resource");
        if (snapshot.isEmpty()) return unknown(definition, name);
        if (!cluster.has("definition/" + to)) return Definitions.unknown(to);
        for (JsonElement each : snapshot.get().getAsJsonArray("volume_definitions")) {
            JsonObject volume = each.getAsJsonObject();
            long number = number(volume, "volume_number", 0);
            JsonObject row = object("volume_number", number, "size_kib", number(volume, "size_kib", 0));
            row.add("props", child(volume, "volume_definition_props"));
            row.addProperty("uuid", Cluster.uuid());
            cluster.rows().put("volume/" + to + "/" + number, row);
        }
        return new Messages()
                .add(
                        MADE | 2,
                        "Volume definitions of resource definition '%s' restored from resource '%s', snapshot '%s'."
                                .formatted(to, definition, name))
                .with("details", "Resource UUIDs: ")
                .answer(200);
    }

    /** Makes replicas of a snapshot on the nodes that are named, or on all that have it. */
    public RestAnswer restore(String definition, String name, JsonObject body) {
        Optional<JsonObject> snapshot = cluster.rows().row(Snapshots.key(definition, name));
        String to = text(body, "to_resource");
        if (snapshot.isEmpty()) return unknown(definition, name);
        if (!cluster.has("definition/" + to)) return Definitions.unknown(to);
        List<String> wanted = texts(body, "nodes");
        List<String> nodes = new ArrayList<>();
        List<String> uuids = new ArrayList<>();
        for (JsonElement each : snapshot.get().getAsJsonArray("snapshots")) {
            JsonObject part = each.getAsJsonObject();
            String node = text(part, "node_name");
            if (!wanted.isEmpty() && !wanted.contains(node)) continue;
            String pool = text(child(part, "resource_props"), "StorPoolName");
            new Placing(cluster).put(to, node, pool, List.of());
            nodes.add(node);
            uuids.add(text(cluster.replica(to, node), "uuid"));
        }
        Messages said = new Messages("RscDfn", to);
        if (cluster.isDrbd(to) && nodes.size() < 3) {
            said.add(
                    ReturnCode.INFO | MADE | ReturnCode.QUORUM_REMOVED,
                    "Resource-definition property 'DrbdOptions/Resource/quorum' was removed as there are not enough"
                            + " resources for quorum");
        }
        said.add(
                        ReturnCode.CREATE | ReturnCode.RESOURCE | 1,
                        "Resource '%s' on nodes '%s' restored from resource '%s', snapshot '%s'."
                                .formatted(to, String.join(", ", nodes), definition, name))
                .with("details", "Resource UUIDs: " + String.join(", ", uuids));
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.CREATE);
        for (String node : nodes) {
            words.volumes(said, to, node, "created", 1);
            words.adjusted(said, to, node);
            said.add(MADE | 3, "Created resource '%s' on '%s'".formatted(to, node));
        }
        return said.answer(200);
    }

    /** Refuses a clone, as a real one does of pools of files; the error is an object and no list. */
    public RestAnswer clone(String definition, JsonObject body) {
        if (!cluster.has("definition/" + definition)) return Definitions.unknown(definition);
        String name = text(body, "name");
        Messages said = new Messages("RscDfn", name)
                .add(
                        ReturnCode.ERROR | ReturnCode.CREATE | ReturnCode.DEFINITION | ReturnCode.NO_CLONE,
                        "Clone source contains unsupported storage pools")
                .with("details", "Resource definition: " + name)
                .reported(cluster.report());
        String location = "/v1/resource-definitions/%s/clone/%s".formatted(definition, name);
        return RestAnswer.of(
                500,
                object("location", location, "source_name", definition, "clone_name", name, "messages", said.list()));
    }

    /** Answers that a clone is not known: there is none. */
    public RestAnswer cloneStatus() {
        return new Messages()
                .add(ReturnCode.ERROR | ReturnCode.NO_DEFINITION, "Cloned resource not found.")
                .withStatus(404);
    }

    /** Answers that a snapshot is not known; its code was not recorded. */
    private static RestAnswer unknown(String definition, String name) {
        return new Messages()
                .add(
                        ReturnCode.ERROR | ReturnCode.UNKNOWN_ERROR,
                        "Snapshot '%s' of resource '%s' not found.".formatted(name, definition))
                .withStatus(404);
    }
}
