package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.list;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.List;

/** Answers for snapshots of resources: each lies on those nodes that had a disk of the resource when it was taken. */
public final class Snapshots {
    private static final long MADE = ReturnCode.CREATE | ReturnCode.SNAPSHOT;
    private static final long GONE = ReturnCode.DELETE | ReturnCode.SNAPSHOT;
    private static final String QUORUM = "DrbdOptions/Resource/quorum";
    private static final String RESET = "BackupShipping/BackupNodeIdsToReset";

    private final Cluster cluster;

    public Snapshots(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Takes snapshots, of one or of several resources. */
    public RestAnswer take(JsonObject body) {
        Messages said = new Messages();
        if (!(body.get("snapshots") instanceof JsonArray wanted)) return said.answer(201);
        for (JsonElement each : wanted) {
            JsonObject one = each.getAsJsonObject();
            String definition = text(one, "resource_name");
            if (!cluster.has("definition/" + definition)) return Definitions.unknown(definition);
            take(said, definition, text(one, "name"));
        }
        return said.answer(201);
    }

    private void take(Messages said, String definition, String name) {
        String[] refs = {"RscDfn", definition, "Snapshot", name};
        if (cluster.has(key(definition, name))) {
            said.add(
                            ReturnCode.ERROR | MADE | ReturnCode.HAS_SNAPSHOTS,
                            "A snapshot definition with the name '%s' already exists in resource definition '%s'."
                                    .formatted(name, definition),
                            refs)
                    .with("cause", "The SnapshotDefinition already exists")
                    .with("details", "Resource: %s, Snapshot: %s".formatted(definition, name));
            return;
        }
        String uuid = Cluster.uuid();
        keep(definition, name, uuid);
        said.add(
                        MADE | 1,
                        "New snapshot '%s' of resource '%s' registered.".formatted(name, definition),
                        "UUID",
                        uuid,
                        "RscDfn",
                        definition,
                        "Snapshot",
                        name)
                .with("details", "Snapshot '%s' of resource '%s' UUID is: %s".formatted(name, definition, uuid));
        for (String node : cluster.nodesOf(definition)) told(said, definition, node, name);
    }

    /** Says what one satellite says: it stops the resource, takes the snapshot and lets the resource go on. */
    private void told(Messages said, String definition, String node, String name) {
        String[] refs = {"RscDfn", definition, "Snapshot", name};
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.CREATE);
        if (cluster.isDiskful(definition, node)) {
            words.looked(said, definition, node, refs);
            for (JsonObject volume : cluster.volumes(definition)) {
                changed(said, MADE | 1, node, definition, name, text(volume, "volume_number"), "created");
            }
        } else {
            words.adjusted(said, definition, node, refs);
            said.add(
                            MADE,
                            "(%s) Skipping processing unknown snapshot '%s' of resource '%s'"
                                    .formatted(node, name, definition),
                            refs)
                    .with("cause", "Resource is already deleted");
        }
        said.add(MADE | 3, "Suspended IO of '[%s]' on '%s' for snapshot".formatted(definition, node), refs);
        said.add(MADE | 3, "Took snapshot of '[%s]' on '%s'".formatted(definition, node), refs);
        said.add(MADE | 3, "Resumed IO of '[%s]' on '%s' after snapshot".formatted(definition, node), refs);
    }

    private static void changed(
            Messages said, long code, String node, String definition, String name, String volume, String verb) {
        said.add(
                code,
                "(%s) Snapshot [FILE THIN] with name '%s' of resource '%s', volume number %s %s."
                        .formatted(node, name, definition, volume, verb),
                "RscDfn",
                definition,
                "Snapshot",
                name,
                "VlmNr",
                volume);
    }

    private void keep(String definition, String name, String uuid) {
        JsonArray parts = new JsonArray();
        for (String node : cluster.nodesOf(definition)) {
            if (!cluster.isDiskful(definition, node)) continue;
            JsonArray volumes = new JsonArray();
            cluster.volumes(definition)
                    .forEach(volume ->
                            volumes.add(object("uuid", Cluster.uuid(), "vlm_nr", number(volume, "volume_number", 0))));
            JsonObject part = object("snapshot_name", name, "node_name", node, "create_timestamp", cluster.now());
            part.addProperty("uuid", Cluster.uuid());
            part.add("resource_props", object("StorPoolName", text(cluster.replica(definition, node), "pool")));
            part.add("snapshot_volumes", volumes);
            parts.add(part);
        }
        JsonArray volumes = new JsonArray();
        for (JsonObject volume : cluster.volumes(definition)) {
            JsonObject one = object("volume_number", number(volume, "volume_number", 0));
            one.addProperty("size_kib", number(volume, "size_kib", 0));
            one.add("volume_definition_props", child(volume, "props"));
            volumes.add(one);
        }
        JsonObject props =
                object(RESET, "", "SequenceNumber", Long.toString(1 + cluster.next("sequence/" + definition)));
        JsonObject ofDefinition = child(cluster.definition(definition), "props").deepCopy();
        if (!ofDefinition.has(QUORUM)) ofDefinition.addProperty(QUORUM, "off");
        JsonObject all = ofDefinition.deepCopy();
        props.entrySet().forEach(entry -> all.add(entry.getKey(), entry.getValue()));
        JsonObject row = object("name", name, "resource_name", definition, "props", all);
        row.add("snapshot_definition_props", props);
        row.add("resource_definition_props", ofDefinition);
        row.add("flags", list(List.of("SUCCESSFUL")));
        row.add("volume_definitions", volumes);
        row.addProperty("uuid", uuid);
        row.add("snapshots", parts);
        cluster.rows().put(key(definition, name), row);
    }

    /** Returns the snapshots as the API shows them. */
    public List<JsonObject> views() {
        return cluster.rows().below("snapshot/").stream()
                .map(row -> {
                    row.add("nodes", list(nodes(row)));
                    return row;
                })
                .toList();
    }

    static List<String> nodes(JsonObject snapshot) {
        return snapshot.getAsJsonArray("snapshots").asList().stream()
                .map(part -> text(part.getAsJsonObject(), "node_name"))
                .toList();
    }

    /** Removes a snapshot. */
    public RestAnswer delete(String definition, String name) {
        Messages said = new Messages("RscDfn", definition, "Snapshot", name);
        if (!cluster.has(key(definition, name))) {
            return said.add(
                            ReturnCode.WARNING | GONE | ReturnCode.NOT_FOUND_WARNING,
                            "Snapshot definition %s of resource %s not found.".formatted(name, definition))
                    .with("details", "Resource: %s, Snapshot: %s".formatted(definition, name))
                    .answer(200);
        }
        JsonObject row = cluster.rows().row(key(definition, name)).orElseThrow();
        String title = "napshot '%s' of resource '%s'".formatted(name, definition);
        for (String node : nodes(row)) {
            said.add(GONE | 2, "Marked snapshot for deletion s" + title + " on nodes '" + node + "'");
            for (JsonElement volume : row.getAsJsonArray("volume_definitions")) {
                String number = text(volume.getAsJsonObject(), "volume_number");
                changed(said, GONE | 2, node, definition, name, number, "deleted");
            }
            said.add(GONE | 3, "Deleted snapshot '%s' of '%s' on '%s'".formatted(name, definition, node));
        }
        said.add(GONE | 2, "S" + title + " on nodes '" + String.join(", ", nodes(row)) + "' deleted.");
        cluster.rows().remove(key(definition, name));
        return said.add(GONE | 2, "S" + title + " deleted.", "UUID", text(row, "uuid"))
                .with("details", "S" + title + " UUID was: " + text(row, "uuid"))
                .answer(200);
    }

    /** Removes what a node has of all snapshots, since the node goes. */
    void leave(Messages said, String node) {
        long gone = ReturnCode.DELETE | ReturnCode.NODE;
        for (JsonObject row : cluster.rows().below("snapshot/")) {
            if (!nodes(row).contains(node)) continue;
            String name = text(row, "name");
            String definition = text(row, "resource_name");
            String title = "napshot '%s' of resource '%s' on nodes '%s'".formatted(name, definition, node);
            said.add(gone | 2, "Marked snapshot for deletion s" + title);
            said.add(gone | 3, "Deleted snapshot '%s' of '%s' on '%s'".formatted(name, definition, node));
            JsonArray left = new JsonArray();
            for (JsonElement part : row.getAsJsonArray("snapshots")) {
                String other = text(part.getAsJsonObject(), "node_name");
                if (other.equals(node)) continue;
                left.add(part);
                said.add(gone | 3, "Updated snapshot '%s' of '%s' on '%s'".formatted(name, definition, other));
            }
            said.add(gone | 2, "S" + title + " deleted.");
            row.add("snapshots", left);
            cluster.rows().put(key(definition, name), row);
        }
    }

    boolean areOf(String definition) {
        return !cluster.rows().keys("snapshot/" + definition + "/").isEmpty();
    }

    static String key(String definition, String name) {
        return "snapshot/" + definition + "/" + name;
    }
}
