package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;

/** Shows datasets as zfs.resource.query does: ZFS' own names, each with raw, value and source. */
final class ResourceView {
    private ResourceView() {}

    static JsonObject shown(Tables tables, Space space, JsonObject row, JsonObject query) {
        String name = JsonTools.text(row, "name");
        JsonObject entry = JsonTools.object(
                "name",
                name,
                "pool",
                Zfs.pool(name),
                "type",
                row.get("type"),
                "guid",
                SnapshotRows.guid(row),
                "createtxg",
                row.get("createtxg"),
                "children",
                JsonNull.INSTANCE);
        entry.add("properties", properties(tables, space, row, query));
        entry.add("user_properties", JsonNull.INSTANCE);
        if (JsonTools.flag(query, "get_user_properties", false))
            entry.add("user_properties", SnapshotRows.plain(DatasetView.userProperties(tables, name)));
        return entry;
    }

    private static JsonElement properties(Tables tables, Space space, JsonObject row, JsonObject query) {
        if (query.has("properties") && query.get("properties").isJsonNull()) return JsonNull.INSTANCE;
        JsonArray wanted = JsonTools.list(query, "properties");
        boolean source = JsonTools.flag(query, "get_source", false);
        JsonObject shown = new JsonObject();
        all(tables, space, row).entrySet().forEach(each -> {
            if (wanted.isEmpty() || wanted.contains(JsonTools.of(each.getKey())))
                shown.add(each.getKey(), value(each.getValue().getAsJsonObject(), source));
        });
        return shown;
    }

    private static JsonObject all(Tables tables, Space space, JsonObject row) {
        String name = JsonTools.text(row, "name");
        boolean volume = Zfs.volume(row);
        JsonObject all = new JsonObject();
        for (ZfsProperty property : ZfsProperty.ALL)
            if (property.of(volume)) {
                DatasetView.Value value = DatasetView.value(tables, name, property);
                all.add(property.zfs(), property.shown(value.raw(), value.source(), DatasetView.from(value.from())));
            }
        long data = JsonTools.number(row, "data", 0);
        all.add("used", ZfsProperty.size(space.used(name)));
        all.add("available", ZfsProperty.size(space.available(tables, name)));
        all.add("referenced", ZfsProperty.size(data));
        all.add("logicalreferenced", ZfsProperty.size(data));
        all.add("logicalused", ZfsProperty.size(space.used(name)));
        all.add("usedbydataset", ZfsProperty.size(Space.own(tables, row)));
        all.add("usedbyrefreservation", ZfsProperty.size(Space.reserved(tables, row)));
        all.add("usedbysnapshots", ZfsProperty.size(0));
        all.add("creation", ZfsProperty.size(JsonTools.number(row, "creation", 0)));
        String origin = JsonTools.text(row, "origin");
        all.add("origin", ZfsProperty.entry(origin, origin, origin, "NONE", JsonNull.INSTANCE));
        if (!volume) all.add("mountpoint", mountpoint(name));
        return all;
    }

    private static JsonObject mountpoint(String name) {
        String path = "/mnt/" + name;
        return ZfsProperty.entry(path, path, path, "DEFAULT", JsonNull.INSTANCE);
    }

    static JsonObject value(JsonObject entry, boolean source) {
        JsonElement parsed = entry.get("parsed");
        JsonObject shown = JsonTools.object("raw", entry.get("rawvalue"), "source", JsonNull.INSTANCE);
        shown.add("value", parsed.isJsonPrimitive() ? parsed : entry.get("rawvalue"));
        if (parsed.isJsonNull()) shown.add("value", JsonTools.of(0));
        if (source)
            shown.add("source", JsonTools.object("type", entry.get("source"), "value", entry.get("source_info")));
        return shown;
    }
}
