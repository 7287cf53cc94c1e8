package dev.fairlead.adapter.freenas.store.dataset;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes a dataset as the API answers it, with its properties by the names and in the forms of ZFS.
 *
 * @param snapshots the names of its snapshots, if they were asked for
 * @param children the names of the datasets directly below it, if they were asked for
 */
public record DatasetEntry(
        DatasetName name, Map<String, Property> rows, List<String> snapshots, List<String> children) {
    private static final String NONE = "-";

    /** Stands for the box's own word on a dataset, which is no property of ZFS. */
    private static final String LOCKED = "locked";

    public DatasetEntry {
        rows = Map.copyOf(rows);
        snapshots = List.copyOf(snapshots);
        children = List.copyOf(children);
    }

    /** Reads an entry; empty if its name is none that Fairlead knows. */
    public static Optional<DatasetEntry> read(JsonObject json) {
        return Json.text(json, "id")
                .or(() -> Json.text(json, "name"))
                .flatMap(DatasetName::of)
                .map(name ->
                        new DatasetEntry(name, properties(json), names(json, "snapshots"), names(json, "children")));
    }

    /** Returns the same with these snapshots. */
    DatasetEntry with(List<String> names) {
        return new DatasetEntry(name, rows, names, children);
    }

    private static List<String> names(JsonObject json, String key) {
        return Json.objects(json, key).stream()
                .flatMap(each -> Stream.of(Json.text(each, "id"), Json.text(each, "name"))
                        .flatMap(Optional::stream)
                        .limit(1))
                .toList();
    }

    private static Map<String, Property> properties(JsonObject json) {
        Map<String, Property> rows = new HashMap<>();
        json.entrySet().forEach(field -> put(rows, DatasetFields.property(field.getKey()), field.getValue()));
        // from 25.10 on comments and the like are shown here, by their other names, and in no field of their own
        Json.child(json, "user_properties")
                .entrySet()
                .forEach(field -> put(rows, DatasetFields.property(field.getKey()), field.getValue()));
        Json.text(json, "type").ifPresent(type -> rows.put("type", new Property(type.toLowerCase(Locale.ROOT), NONE)));
        if (Json.flag(json, LOCKED)) {
            rows.put(LOCKED, new Property("true", NONE));
        }
        Json.text(json, "mountpoint").ifPresent(path -> rows.put("mountpoint", new Property(path, "default")));
        return rows;
    }

    private static void put(Map<String, Property> rows, String key, JsonElement value) {
        if (value.isJsonObject()) {
            JsonObject property = value.getAsJsonObject();
            Json.text(property, "rawvalue")
                    .or(() -> Json.text(property, "value"))
                    .ifPresent(text -> rows.put(key, new Property(text, source(property))));
        }
    }

    private static String source(JsonObject property) {
        String source = Json.text(property, "source").orElse("NONE");
        return source.equals("NONE") ? NONE : source.toLowerCase(Locale.ROOT);
    }

    /** Returns the volume that the dataset is, if its marks say so. */
    public VolumeProperties volume() {
        return new VolumeProperties(name, rows);
    }

    /** Returns the snapshot that it is a clone of. */
    public Optional<SnapshotName> origin() {
        return text("origin").flatMap(SnapshotName::of);
    }

    /** Says whether it is encrypted and its key is not loaded, so that nobody can read or write what it holds. */
    public boolean isLocked() {
        return rows.containsKey(LOCKED);
    }

    /** Returns a property's value, wherever it comes from. */
    public Optional<String> text(String key) {
        return Optional.ofNullable(rows.get(key)).filter(Property::isSet).map(Property::value);
    }

    /** Returns a property's value if it was set on the dataset itself. */
    public Optional<String> own(String key) {
        return Optional.ofNullable(rows.get(key))
                .filter(Property::isSet)
                .filter(Property::isOwn)
                .map(Property::value);
    }
}
