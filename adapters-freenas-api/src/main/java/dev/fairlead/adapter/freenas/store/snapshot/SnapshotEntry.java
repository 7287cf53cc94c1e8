package dev.fairlead.adapter.freenas.store.snapshot;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Describes a snapshot as the API answers it, with its properties by the names and in the forms of ZFS. */
public record SnapshotEntry(SnapshotName name, Map<String, Property> rows) {
    private static final String NONE = "-";
    /** The number of a snapshot, which one that was received has too. */
    public static final String GUID = "guid";

    private static final String HOLDS = "userrefs";
    private static final String CREATION = "creation";
    private static final String VOLUME_SIZE = "volsize";
    private static final String REFERENCED = "referenced";

    public SnapshotEntry {
        rows = Map.copyOf(rows);
    }

    /** Reads an entry of either of the box's two queries; empty if its name is none that Fairlead knows. */
    public static Optional<SnapshotEntry> read(JsonObject json) {
        return Stream.of(Json.text(json, "id"), Json.text(json, "name"))
                .flatMap(Optional::stream)
                .flatMap(text -> SnapshotName.of(text).stream())
                .findFirst()
                .map(name -> new SnapshotEntry(name, properties(name, json)));
    }

    private static Map<String, Property> properties(SnapshotName name, JsonObject json) {
        Map<String, Property> rows = new HashMap<>();
        Json.child(json, "properties").entrySet().forEach(field -> put(rows, field.getKey(), field.getValue()));
        if (json.has(GUID)) {
            put(rows, GUID, json.get(GUID));
        }
        // The query of 26 tells no source. A volume has no name of a snapshot and no mark of a group, which therefore
        // are a snapshot's own, and with them the rest; a snapshot without them has inherited what it shows. A detached
        // snapshot does have a name, which its helpers inherit; one that was asked for by such a name has that name.
        Map<String, String> user = Json.texts(Json.child(json, "user_properties"));
        boolean own = user.containsKey(OwnProperties.GROUP)
                || Optional.ofNullable(user.get(PeerProperties.SNAPSHOT_NAME))
                        .filter(asked -> !DatasetLayout.isHelper(name) || asked.equals(name.name()))
                        .isPresent();
        user.forEach((key, value) -> rows.put(key, new Property(value, own ? "local" : "inherited")));
        if (isHeld(json.get("holds"))) {
            rows.put(HOLDS, new Property("1", NONE));
        }
        return rows;
    }

    private static boolean isHeld(JsonElement holds) {
        return holds != null
                && ((holds.isJsonArray() && !holds.getAsJsonArray().isEmpty())
                        || (holds.isJsonObject() && !holds.getAsJsonObject().isEmpty()));
    }

    private static void put(Map<String, Property> rows, String key, JsonElement value) {
        if (value.isJsonPrimitive()) {
            rows.put(key, new Property(value.getAsString(), "local"));
        } else if (value.isJsonObject()) {
            JsonObject property = value.getAsJsonObject();
            Stream.of("rawvalue", "raw", "value")
                    .flatMap(form -> Json.text(property, form).stream())
                    .findFirst()
                    .ifPresent(text -> rows.put(key, new Property(text, source(property))));
        }
    }

    private static String source(JsonObject property) {
        String source = Json.text(property, "source")
                .or(() -> Json.text(Json.child(property, "source"), "type"))
                .orElse("LOCAL");
        return source.equals("NONE") ? NONE : source.toLowerCase(Locale.ROOT);
    }

    /**
     * Says whether it tells all of these as its own, when it was taken, and how much a volume that is made of it has to
     * hold.
     */
    public boolean tells(Map<String, String> properties, boolean isBlock) {
        return rows.containsKey(CREATION)
                && rows.containsKey(isBlock ? VOLUME_SIZE : REFERENCED)
                && properties.entrySet().stream()
                        .allMatch(each -> own(each.getKey())
                                .filter(each.getValue()::equals)
                                .isPresent());
    }

    /** Returns the same entry with another property. */
    SnapshotEntry with(String key, Property property) {
        Map<String, Property> more = new HashMap<>(rows);
        more.put(key, property);
        return new SnapshotEntry(name, more);
    }

    /** Returns a property's value if it was set on the snapshot itself. */
    public Optional<String> own(String key) {
        return Optional.ofNullable(rows.get(key))
                .filter(Property::isSet)
                .filter(Property::isOwn)
                .map(Property::value);
    }
}
