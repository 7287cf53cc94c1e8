package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows datasets as pool.dataset.query does. */
public final class DatasetView {
    private final Zfs zfs;

    DatasetView(Zfs zfs) {
        this.zfs = zfs;
    }

    /** A value, where it comes from, and from whom it is inherited. */
    public record Value(String raw, String source, String from) {}

    /** Returns the value of a property, the nearest ancestor's where it is not set. */
    public static Value value(Tables tables, String name, ZfsProperty property) {
        for (String at = name; !at.isEmpty(); at = property.inheritable() ? Zfs.parent(at) : "") {
            JsonObject props = tables.row(Zfs.DATASETS, at)
                    .map(row -> JsonTools.child(row, "props"))
                    .orElseGet(JsonObject::new);
            Optional<JsonElement> set = JsonTools.at(props, property.zfs());
            if (set.isPresent())
                return at.equals(name)
                        ? new Value(set.get().getAsString(), "LOCAL", "")
                        : new Value(set.get().getAsString(), "INHERITED", at);
        }
        return new Value(property.fallback(), "DEFAULT", "");
    }

    /** Returns user properties, those of ancestors included, as ZFS hands them down. */
    static JsonObject userProperties(Tables tables, String name) {
        JsonObject shown = new JsonObject();
        for (String at = name; !at.isEmpty(); at = Zfs.parent(at)) {
            boolean local = at.equals(name);
            String from = at;
            tables.row(Zfs.DATASETS, at)
                    .map(row -> JsonTools.child(row, "user"))
                    .orElseGet(JsonObject::new)
                    .entrySet()
                    .forEach(property -> {
                        if (!shown.has(property.getKey()))
                            shown.add(
                                    property.getKey(),
                                    user(
                                            property.getValue().getAsString(),
                                            local ? "LOCAL" : "INHERITED",
                                            local ? "" : from));
                    });
        }
        return shown;
    }

    static JsonObject user(String value, String source, String from) {
        return ZfsProperty.entry(value, value, value, source, from(from));
    }

    static JsonElement from(String name) {
        return name.isEmpty() ? JsonNull.INSTANCE : new JsonPrimitive(name);
    }

    /**
     * @param lifts whether what it keeps as user properties is shown beside them, and each with its source, as up to
     *     25.04
     */
    JsonObject shown(Tables tables, Space space, JsonObject row, JsonObject extra, boolean lifts) {
        String name = JsonTools.text(row, "name");
        boolean volume = Zfs.volume(row);
        JsonObject entry = JsonTools.object(
                "id",
                name,
                "type",
                row.get("type"),
                "name",
                name,
                "pool",
                Zfs.pool(name),
                "encrypted",
                false,
                "encryption_root",
                JsonNull.INSTANCE,
                "key_loaded",
                false,
                "children",
                new JsonArray());
        entry.addProperty("locked", LockedDatasets.holds(tables, name));
        entry.add("mountpoint", volume ? JsonNull.INSTANCE : new JsonPrimitive(mountpoint(tables, name)));
        for (ZfsProperty property : ZfsProperty.ALL)
            if (property.of(volume)) {
                Value value = value(tables, name, property);
                entry.add(property.api(), property.shown(value.raw(), value.source(), from(value.from())));
            }
        addSpace(tables, space, row, entry);
        addUserProperties(tables, name, entry, JsonTools.flag(extra, "retrieve_user_props", true), lifts);
        only(entry, extra);
        if (JsonTools.flag(extra, "snapshots", false) || JsonTools.flag(extra, "snapshots_recursive", false))
            entry.add("snapshots", snapshots(tables, name));
        if (JsonTools.flag(extra, "snapshots_count", false))
            entry.addProperty("snapshot_count", zfs.snapshots(tables, name).size());
        return entry;
    }

    /** Returns where it is mounted: below the place that an ancestor was given by its own property, or below /mnt. */
    private static String mountpoint(Tables tables, String name) {
        for (String at = name; !at.isEmpty(); at = Zfs.parent(at)) {
            Optional<JsonElement> set = tables.row(Zfs.DATASETS, at)
                    .flatMap(row -> JsonTools.at(JsonTools.child(row, "props"), "mountpoint"));
            if (set.isPresent()) return set.get().getAsString() + name.substring(at.length());
        }
        return "/mnt/" + name;
    }

    private void addSpace(Tables tables, Space space, JsonObject row, JsonObject entry) {
        String name = JsonTools.text(row, "name");
        long own = Space.own(tables, row);
        long reserved = Space.reserved(tables, row);
        entry.add("used", ZfsProperty.size(space.used(name)));
        entry.add("usedbydataset", ZfsProperty.size(own));
        entry.add("usedbyrefreservation", ZfsProperty.size(reserved));
        entry.add("usedbysnapshots", ZfsProperty.size(0));
        entry.add("usedbychildren", ZfsProperty.size(Math.max(0, space.used(name) - own - reserved)));
        entry.add("available", ZfsProperty.size(space.available(tables, name)));
        String origin = JsonTools.text(row, "origin");
        entry.add(
                "origin",
                ZfsProperty.entry(
                        origin, origin, origin.isEmpty() ? JsonNull.INSTANCE : origin, "NONE", JsonNull.INSTANCE));
        entry.add("compressratio", ZfsProperty.entry("1.00", "1.00", "1.00x", "NONE", JsonNull.INSTANCE));
        long creation = JsonTools.number(row, "creation", 0);
        JsonObject date = JsonTools.date(Instant.ofEpochSecond(creation));
        entry.add(
                "creation",
                ZfsProperty.entry(
                        date,
                        Long.toString(creation),
                        Instant.ofEpochSecond(creation).toString(),
                        "NONE",
                        JsonNull.INSTANCE));
        JsonObject none = ZfsProperty.entry("none", "none", JsonNull.INSTANCE, "DEFAULT", JsonNull.INSTANCE);
        entry.add("key_format", none);
        JsonObject off = ZfsProperty.entry("off", "off", JsonNull.INSTANCE, "DEFAULT", JsonNull.INSTANCE);
        entry.add("encryption_algorithm", off);
        entry.add("pbkdf2iters", ZfsProperty.entry("0", "0", "0", "DEFAULT", JsonNull.INSTANCE));
    }

    private static void addUserProperties(Tables tables, String name, JsonObject entry, boolean wanted, boolean lifts) {
        JsonObject user = userProperties(tables, name);
        for (Map.Entry<String, String> kept : ZfsProperty.KEPT_AS_USER_PROPERTIES.entrySet()) {
            JsonElement value = user.remove(kept.getValue());
            if (value != null) (lifts ? entry : user).add(kept.getKey(), value);
        }
        if (!lifts) user.asMap().values().forEach(value -> showAsOwn(value.getAsJsonObject()));
        entry.add("user_properties", wanted ? user : new JsonObject());
    }

    /** Shows a property as set there, wherever it comes from: normalize_user_properties tells nothing else. */
    private static void showAsOwn(JsonObject property) {
        property.addProperty("source", "LOCAL");
        property.add("source_info", JsonNull.INSTANCE);
    }

    /** Leaves out the properties that "properties" does not name. */
    private static void only(JsonObject entry, JsonObject extra) {
        if (JsonTools.at(extra, "properties").isEmpty()) return;
        JsonArray wanted = JsonTools.list(extra, "properties");
        List<String> keys = List.copyOf(entry.keySet());
        for (String key : keys) {
            JsonElement value = entry.get(key);
            boolean property = value.isJsonObject() && value.getAsJsonObject().has("rawvalue");
            String zfs = ZfsProperty.ofApi(key).map(ZfsProperty::zfs).orElse(key);
            if (property && !wanted.contains(new JsonPrimitive(key)) && !wanted.contains(new JsonPrimitive(zfs)))
                entry.remove(key);
        }
    }

    private JsonArray snapshots(Tables tables, String name) {
        JsonArray shown = new JsonArray();
        for (JsonObject row : zfs.snapshots(tables, name))
            shown.add(JsonTools.object(
                    "pool",
                    Zfs.pool(name),
                    "name",
                    row.get("name"),
                    "type",
                    "SNAPSHOT",
                    "snapshot_name",
                    row.get("snapshot_name"),
                    "dataset",
                    name,
                    "id",
                    row.get("name"),
                    "createtxg",
                    Long.toString(JsonTools.number(row, "createtxg", 0))));
        return shown;
    }
}
