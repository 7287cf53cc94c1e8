package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.Profile;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows snapshots as pool.snapshot.query and zfs.resource.snapshot.query do; there is one for each answer. */
final class SnapshotRows {
    private final Zfs zfs;
    private final Map<String, JsonObject> inherited = new HashMap<>();

    SnapshotRows(Zfs zfs) {
        this.zfs = zfs;
    }

    JsonObject shown(Tables tables, Profile box, JsonObject row, JsonObject extra) {
        JsonObject entry = bare(row);
        entry.add("properties", properties(tables, box, row));
        if (JsonTools.flag(extra, "holds", false)) entry.add("holds", row.get("holds"));
        if (JsonTools.flag(extra, "retention", false)) entry.add("retention", JsonNull.INSTANCE);
        return entry;
    }

    /**
     * Shows it as a query does.
     *
     * @param bare whether its name alone was read
     */
    JsonObject queried(Tables tables, Profile box, JsonObject row, JsonObject extra, boolean bare) {
        boolean spare = box.since(Profile.V26_BETA);
        if (bare) {
            JsonObject entry = bare(row);
            if (spare) entry.add("properties", new JsonObject());
            return entry;
        }
        JsonObject entry = shown(tables, box, row, extra);
        JsonArray wanted = JsonTools.list(extra, "properties");
        // 26 tells what it is asked for; before it, CORE tells all, and the others all if they are asked for nothing
        if (spare || (box != Profile.CORE_13_0 && !wanted.isEmpty()))
            entry.getAsJsonObject("properties")
                    .keySet()
                    .removeIf(key -> !key.contains(":") && !wanted.contains(JsonTools.of(key)));
        return entry;
    }

    private static JsonObject bare(JsonObject row) {
        String id = JsonTools.text(row, "name");
        return JsonTools.object(
                "id",
                id,
                "name",
                id,
                "pool",
                Zfs.pool(id),
                "dataset",
                row.get("dataset"),
                "snapshot_name",
                row.get("snapshot_name"),
                "type",
                "SNAPSHOT",
                "createtxg",
                Long.toString(JsonTools.number(row, "createtxg", 0)));
    }

    private JsonObject properties(Tables tables, Profile box, JsonObject row) {
        long creation = JsonTools.number(row, "creation", 0);
        JsonObject date = JsonTools.date(Instant.ofEpochSecond(creation));
        JsonObject properties = JsonTools.object(
                "creation",
                        ZfsProperty.entry(
                                date,
                                Long.toString(creation),
                                Instant.ofEpochSecond(creation).toString(),
                                "NONE",
                                JsonNull.INSTANCE),
                "used", ZfsProperty.size(0),
                "referenced", ZfsProperty.size(JsonTools.number(row, "data", 0)),
                "defer_destroy", onOff(JsonTools.flag(row, "defer", false)),
                "userrefs", number(JsonTools.child(row, "holds").size()),
                "createtxg", number(JsonTools.number(row, "createtxg", 0)),
                "guid", number(guid(row).getAsLong()));
        String clones = String.join(",", zfs.clones(tables, JsonTools.text(row, "name")));
        properties.add("clones", ZfsProperty.entry(clones, clones, clones, "NONE", JsonNull.INSTANCE));
        if (Zfs.volume(row)) properties.add("volsize", ZfsProperty.size(Space.limit(row, "volsize")));
        if (box.before(Profile.V26_BETA))
            user(tables, row).entrySet().forEach(user -> properties.add(user.getKey(), user.getValue()));
        properties
                .entrySet()
                .forEach(property -> property.getValue().getAsJsonObject().remove("source_info"));
        return properties;
    }

    private static JsonObject onOff(boolean on) {
        String raw = on ? "on" : "off";
        return ZfsProperty.entry(on, raw, on ? "ON" : "OFF", "NONE", JsonNull.INSTANCE);
    }

    private static JsonObject number(long number) {
        return ZfsProperty.entry(number, Long.toString(number), Long.toString(number), "NONE", JsonNull.INSTANCE);
    }

    /** Returns its own user properties, and those that it inherits from its dataset. */
    private JsonObject user(Tables tables, JsonObject row) {
        String dataset = JsonTools.text(row, "dataset");
        JsonObject shown = new JsonObject();
        JsonTools.child(row, "user")
                .entrySet()
                .forEach(own ->
                        shown.add(own.getKey(), DatasetView.user(own.getValue().getAsString(), "LOCAL", "")));
        inherited
                .computeIfAbsent(dataset, name -> inherited(tables, name))
                .entrySet()
                .forEach(each -> {
                    if (!shown.has(each.getKey())) shown.add(each.getKey(), each.getValue());
                });
        return shown;
    }

    private static JsonObject inherited(Tables tables, String dataset) {
        JsonObject shown = new JsonObject();
        DatasetView.userProperties(tables, dataset).entrySet().forEach(each -> {
            JsonObject value = each.getValue().getAsJsonObject();
            String from = JsonTools.text(value, "source_info", dataset);
            shown.add(each.getKey(), DatasetView.user(JsonTools.text(value, "rawvalue"), "INHERITED", from));
        });
        return shown;
    }

    /** Shows it in the words of zfs.resource: raw, value and source. */
    JsonObject resource(Tables tables, JsonObject row, JsonObject query) {
        String id = JsonTools.text(row, "name");
        JsonObject entry = JsonTools.object(
                "name",
                id,
                "dataset",
                row.get("dataset"),
                "pool",
                Zfs.pool(id),
                "snapshot_name",
                row.get("snapshot_name"),
                "type",
                "SNAPSHOT",
                "guid",
                guid(row),
                "createtxg",
                row.get("createtxg"));
        entry.add("holds", JsonNull.INSTANCE);
        if (JsonTools.flag(query, "get_holds", false)) entry.add("holds", holds(row));
        entry.add("properties", resourceProperties(tables, row, query));
        entry.add("user_properties", JsonNull.INSTANCE);
        if (JsonTools.flag(query, "get_user_properties", false)) entry.add("user_properties", plain(user(tables, row)));
        return entry;
    }

    static JsonElement guid(JsonObject row) {
        return JsonTools.of(Long.parseUnsignedLong(JsonTools.text(row, "guid")) & Long.MAX_VALUE);
    }

    static JsonArray holds(JsonObject row) {
        return Zfs.names(List.copyOf(JsonTools.child(row, "holds").keySet()));
    }

    static JsonObject plain(JsonObject user) {
        JsonObject plain = new JsonObject();
        user.entrySet()
                .forEach(each -> plain.add(
                        each.getKey(), each.getValue().getAsJsonObject().get("rawvalue")));
        return plain;
    }

    private JsonElement resourceProperties(Tables tables, JsonObject row, JsonObject query) {
        if (query.has("properties") && query.get("properties").isJsonNull()) return JsonNull.INSTANCE;
        JsonArray wanted = JsonTools.list(query, "properties");
        boolean source = JsonTools.flag(query, "get_source", false);
        JsonObject shown = new JsonObject();
        properties(tables, Profile.V26, row).entrySet().forEach(each -> {
            if (wanted.isEmpty() || wanted.contains(JsonTools.of(each.getKey())))
                shown.add(each.getKey(), ResourceView.value(each.getValue().getAsJsonObject(), source));
        });
        return shown;
    }
}
