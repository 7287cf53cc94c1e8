package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.child;
import static dev.fairlead.linstor.state.LinstorJson.list;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.linstor.answer.Messages;
import dev.fairlead.linstor.answer.RestAnswer;
import dev.fairlead.linstor.answer.ReturnCode;
import java.util.List;

/** Answers for nodes and their pools. */
public final class Nodes {
    private static final String SUPPORTED =
            "Supported storage providers: [diskless, lvm, file, file_thin, remote_spdk, ebs_init, ebs_target]\n"
                    + "Supported resource layers  : ";

    private final Cluster cluster;

    public Nodes(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Registers a node, whose satellite answers at once. */
    public RestAnswer create(JsonObject body) {
        String name = text(body, "name");
        Messages said = new Messages("Node", name);
        if (cluster.has("node/" + name)) {
            return said.add(
                            ReturnCode.ERROR | ReturnCode.CREATE | ReturnCode.NODE | ReturnCode.NODE_EXISTS,
                            "A node with the name '%s' already exists.".formatted(name))
                    .with("cause", "The Node already exists")
                    .with("details", "Node: " + name)
                    .answer(201);
        }
        JsonObject props = child(body, "props").deepCopy();
        long made = ReturnCode.CREATE | ReturnCode.NODE | ReturnCode.CREATED;
        PropertyChange.told(said, ReturnCode.NODE, props);
        props.addProperty("CurStltConnName", "default");
        props.addProperty("NodeUname", name);
        JsonArray interfaces = new JsonArray();
        if (body.get("net_interfaces") instanceof JsonArray given) {
            for (JsonElement each : given) {
                JsonObject one = each.getAsJsonObject().deepCopy();
                one.addProperty("is_active", true);
                one.addProperty("uuid", Cluster.uuid());
                interfaces.add(one);
            }
        }
        String uuid = Cluster.uuid();
        cluster.rows()
                .put(
                        "node/" + name,
                        object(
                                "name",
                                name,
                                "type",
                                "SATELLITE",
                                "props",
                                props,
                                "interfaces",
                                interfaces,
                                "uuid",
                                uuid));
        cluster.satellites().registered(name);
        said.add(made, "New node '%s' registered.".formatted(name), "UUID", uuid)
                .with("details", "Node '%s' UUID is: %s".formatted(name, uuid));
        said.add(
                        ReturnCode.CREATE | ReturnCode.NODE | ReturnCode.AUTHENTICATED,
                        "Node '%s' authenticated".formatted(name))
                .with("details", SUPPORTED + (cluster.hasDrbd() ? "[drbd, storage]\n" : "[storage]\n"));
        cluster.events().publish(ClusterEvents.NODES, "node-create", object("node", view(name)));
        return said.answer(201);
    }

    /** Changes a node's properties. */
    public RestAnswer modify(String name, JsonObject body) {
        if (!cluster.has("node/" + name)) return unknown(name);
        Messages said = new Messages("Node", name);
        PropertyChange change = PropertyChange.of(ReturnCode.NODE, body);
        if (change.isTooLong()) {
            return change.refused(said, "node '" + name + "'", "", cluster.report())
                    .answer(200);
        }
        JsonObject row = cluster.rows().row("node/" + name).orElseThrow();
        change.apply(row);
        cluster.rows().put("node/" + name, row);
        change.tell(said);
        long modified = ReturnCode.MODIFY | ReturnCode.NODE | ReturnCode.MODIFIED;
        said.add(modified, "Node '%s' modified.".formatted(name), "UUID", text(row, "uuid"))
                .with("details", "Node '%s' UUID is: %s".formatted(name, text(row, "uuid")));
        SatelliteWords words = new SatelliteWords(cluster, ReturnCode.MODIFY);
        for (String other : cluster.nodes()) {
            List<String> shared = cluster.definitions().stream()
                    .filter(rd -> cluster.nodesOf(rd).contains(other)
                            && cluster.nodesOf(rd).contains(name))
                    .toList();
            if (shared.isEmpty() && !other.equals(name)) continue;
            said.add(modified, "(%s) Node changes applied.".formatted(other));
            shared.forEach(rd -> words.looked(said, rd, other));
        }
        JsonObject now = view(name);
        // The old one is already the new one, as on a real controller.
        cluster.events().publish(ClusterEvents.NODES, "node-modified", object("old_node", now, "new_node", now));
        return said.answer(200);
    }

    /** Adds a pool. */
    public RestAnswer createPool(String node, JsonObject body) {
        if (!cluster.has("node/" + node)) return unknown(node);
        String pool = text(body, "storage_pool_name");
        Messages said = new Messages("StorPoolDfn", pool, "Node", node);
        String key = "pool/" + node + "/" + pool;
        if (cluster.has(key)) {
            return said.add(
                            ReturnCode.ERROR | ReturnCode.CREATE | ReturnCode.POOL | ReturnCode.POOL_EXISTS,
                            "A storage pool with the name '%s' already exists on node '%s'".formatted(pool, node))
                    .with("cause", "The StorPool already exists")
                    .answer(201);
        }
        String uuid = Cluster.uuid();
        JsonObject props = child(body, "props").deepCopy();
        long made = ReturnCode.CREATE | ReturnCode.POOL;
        PropertyChange.told(said, ReturnCode.POOL, props);
        props.addProperty("StorDriver/internal/AllocationGranularity", "1");
        cluster.rows().put(key, object("kind", text(body, "provider_kind"), "props", props, "uuid", uuid));
        String words = "torage pool '%s' on node '%s'".formatted(pool, node);
        said.add(made | 1, "New s" + words + " registered.", "UUID", uuid)
                .with("details", "S" + words + " UUID is: " + uuid);
        said.add(made | 3, "(%s) Changes applied to storage pool '%s' of node '%s'".formatted(node, pool, node));
        said.add(made | 3, "Storage pool updated on '%s'".formatted(node));
        return said.answer(201);
    }

    /** Returns a node as the API shows it. */
    public JsonObject view(String name) {
        JsonObject row = cluster.rows().row("node/" + name).orElseThrow();
        String connection = cluster.satellites().connection(name);
        boolean known = !connection.equals("OFFLINE");
        JsonObject shown = object("name", name, "type", text(row, "type"));
        if (!texts(row, "flags").isEmpty()) shown.add("flags", row.get("flags"));
        shown.add("props", row.get("props"));
        shown.add("net_interfaces", row.get("interfaces"));
        shown.addProperty("connection_status", connection);
        shown.add("uuid", row.get("uuid"));
        List<String> providers = known
                ? List.of("DISKLESS", "LVM", "LVM_THIN", "FILE", "FILE_THIN", "REMOTE_SPDK", "EBS_INIT", "EBS_TARGET")
                : List.of("DISKLESS", "REMOTE_SPDK", "EBS_INIT", "EBS_TARGET");
        shown.add("storage_providers", list(providers));
        shown.add("resource_layers", list(cluster.hasDrbd() ? List.of("DRBD", "STORAGE") : List.of("STORAGE")));
        shown.add(
                "unsupported_providers",
                object("ZFS", List.of("'cat /sys/module/zfs/version' returned with exit code 1")));
        shown.add("unsupported_layers", object("LUKS", List.of("IO exception occurred when running 'cryptsetup'")));
        if (known) {
            shown.addProperty("platform", "LINUX");
            shown.addProperty("os_variant", "Debian GNU/Linux 12 (bookworm)");
        }
        return shown;
    }

    /** Answers that a node is not known, in the short form. */
    public static RestAnswer unknown(String name) {
        return new Messages()
                .add(ReturnCode.ERROR | ReturnCode.NO_NODE, "Node '%s' not found.".formatted(name))
                .withStatus(404);
    }
}
