package dev.fairlead.linstor.cluster;

import static dev.fairlead.linstor.state.LinstorJson.flag;
import static dev.fairlead.linstor.state.LinstorJson.number;
import static dev.fairlead.linstor.state.LinstorJson.object;
import static dev.fairlead.linstor.state.LinstorJson.text;
import static dev.fairlead.linstor.state.LinstorJson.texts;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.linstor.state.LinstorJson;
import java.util.List;

/** Shows definitions, pools and replicas as the API does. */
public final class Views {
    private final Cluster cluster;

    public Views(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Returns a definition, with its volumes if they are asked for. */
    public JsonObject definition(String name, boolean withVolumes) {
        JsonObject row = cluster.definition(name);
        JsonObject shown = object("name", name);
        JsonObject props = LinstorJson.child(row, "props").deepCopy();
        if (!props.has("DrbdOptions/Resource/quorum") && !cluster.nodesOf(name).isEmpty()) {
            props.addProperty("DrbdOptions/Resource/quorum", "off");
        }
        if (!props.isEmpty()) shown.add("props", props);
        shown.add("layer_data", layers(name));
        shown.add("uuid", row.get("uuid"));
        shown.add("resource_group_name", row.get("group"));
        if (withVolumes) shown.add("volume_definitions", volumeDefinitions(name));
        return shown;
    }

    /** Returns the volume definitions of a definition. */
    public JsonArray volumeDefinitions(String name) {
        JsonArray all = new JsonArray();
        for (JsonObject row : cluster.volumes(name)) {
            JsonObject shown = row.deepCopy();
            shown.add("layer_data", layers(name));
            all.add(shown);
        }
        return all;
    }

    private JsonArray layers(String name) {
        JsonArray layers = new JsonArray();
        texts(cluster.definition(name), "layers").forEach(layer -> layers.add(object("type", layer)));
        return layers;
    }

    /** Returns a replica; of a satellite that does not tell, no state of a disk. */
    public JsonObject replica(String definition, String node) {
        JsonObject row = cluster.replica(definition, node);
        boolean told = cluster.satellites().tells(node) && !text(row, "device").isEmpty();
        boolean drbd = cluster.isDrbd(definition);
        JsonObject shown = object("name", definition, "node_name", node);
        shown.add("props", object("StorPoolName", text(row, "pool")));
        if (!texts(row, "flags").isEmpty()) shown.add("flags", row.get("flags"));
        List<JsonObject> all = cluster.volumes(definition);
        JsonArray disks = new JsonArray();
        all.forEach(volume -> disks.add(disk(volume, row)));
        JsonObject storage = object("type", "STORAGE", "storage", object("storage_volumes", disks));
        shown.add("layer_object", drbd ? replicated(storage, row) : storage);
        if (told && !(drbd && text(row, "disk").isEmpty())) {
            shown.add("state", drbd ? object("in_use", flag(row, "in_use")) : new JsonObject());
        }
        shown.add("uuid", row.get("uuid"));
        shown.addProperty("create_timestamp", number(row, "created", 0));
        JsonArray volumes = new JsonArray();
        all.forEach(volume -> volumes.add(volume(volume, row, drbd, told)));
        shown.add("volumes", volumes);
        return shown;
    }

    private static JsonObject replicated(JsonObject storage, JsonObject row) {
        JsonArray children = new JsonArray();
        children.add(storage);
        JsonObject inner = object("drbd_resource_definition", object("port", 7000), "node_id", 0);
        inner.add("flags", LinstorJson.list(texts(row, "flags")));
        return object("type", "DRBD", "children", children, "drbd", inner);
    }

    private static JsonObject disk(JsonObject volume, JsonObject row) {
        JsonObject disk = object("volume_number", number(volume, "volume_number", 0));
        boolean made = !text(row, "device").isEmpty();
        if (made) disk.add("device_path", row.get("device"));
        disk.addProperty("allocated_size_kib", made ? 8 : -1);
        disk.addProperty("usable_size_kib", made ? 8 : number(volume, "size_kib", 0));
        disk.addProperty("disk_state", "[]");
        return disk;
    }

    private JsonObject volume(JsonObject volume, JsonObject row, boolean drbd, boolean told) {
        JsonObject shown = object("volume_number", number(volume, "volume_number", 0));
        boolean made = !text(row, "device").isEmpty();
        boolean diskless = text(row, "pool").equals(Cluster.DISKLESS_POOL);
        shown.add("storage_pool_name", row.get("pool"));
        shown.addProperty("provider_kind", diskless ? "DISKLESS" : "FILE_THIN");
        if (made) shown.add("device_path", row.get("device"));
        shown.addProperty("allocated_size_kib", made ? 0 : -1);
        if (drbd && told && !text(row, "disk").isEmpty()) {
            shown.add("state", object("disk_state", text(row, "disk")));
        }
        JsonArray layers = new JsonArray();
        if (drbd) layers.add(object("type", "DRBD", "data", object("device_path", text(row, "device"))));
        layers.add(object("type", "STORAGE", "data", disk(volume, row)));
        shown.add("layer_data_list", layers);
        shown.add("uuid", row.get("volume_uuid"));
        return shown;
    }

    /** Returns a pool of each node, the one without disks first. */
    public JsonArray pools(List<String> nodes) {
        JsonArray all = new JsonArray();
        for (String node : nodes) {
            JsonObject pool = pool(node, Cluster.DISKLESS_POOL, "DISKLESS", Long.MAX_VALUE, Long.MAX_VALUE);
            pool.add("static_traits", object("SupportsSnapshots", "false"));
            all.add(pool);
        }
        for (String node : nodes) {
            String prefix = "pool/" + node + "/";
            for (String key : cluster.rows().keys(prefix)) {
                JsonObject row = cluster.rows().row(key).orElseThrow();
                String name = key.substring(prefix.length());
                JsonObject pool = pool(node, name, text(row, "kind"), 1984400, 2031616);
                pool.add("props", row.get("props"));
                pool.add("static_traits", object("Provisioning", "Thin", "SupportsSnapshots", "true"));
                pool.add("uuid", row.get("uuid"));
                pool.addProperty("supports_snapshots", true);
                all.add(pool);
            }
        }
        return all;
    }

    private static JsonObject pool(String node, String name, String kind, long free, long total) {
        return object(
                "storage_pool_name",
                name,
                "node_name",
                node,
                "provider_kind",
                kind,
                "free_capacity",
                free,
                "total_capacity",
                total,
                "free_space_mgr_name",
                node + ";" + name,
                "uuid",
                Cluster.uuid(),
                "supports_snapshots",
                false,
                "external_locking",
                false);
    }
}
