package dev.fairlead.simulator.pool;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says what an update refuses, and what it leaves of a dataset's properties. */
final class DatasetUpdate {
    private static final String SCHEMA = "pool_dataset_update.";
    private static final String RESERVATION = "refreservation";

    private DatasetUpdate() {}

    static List<Violation> violations(Tables tables, Profile box, JsonObject row, JsonObject data) {
        List<Violation> violations = new ArrayList<>();
        boolean volume = Zfs.volume(row);
        for (ZfsProperty property : ZfsProperty.ALL)
            if (data.has(property.api()) && !property.of(volume))
                violations.add(Violation.of(
                        SCHEMA + property.api(), "This field is not valid for " + (volume ? "VOLUME" : "FILESYSTEM")));
        if (volume && data.has("volsize")) {
            JsonObject sized =
                    JsonTools.with(data, "volblocksize", JsonTools.text(props(row), "volblocksize", "16384"));
            violations.addAll(DatasetRules.sizeViolations(
                    tables, SCHEMA, JsonTools.text(row, "name"), sized, Space.limit(row, "volsize")));
        }
        violations.addAll(DatasetRules.keyViolations(box, SCHEMA, data));
        if (box.since(Profile.SCALE_24_10) && box.before(Profile.V26_BETA))
            violations.addAll(missing(JsonTools.child(row, "user"), data));
        return violations;
    }

    /** Returns what 24.10 to 25.10 refuse: to remove a property that is not there. CORE and 26 do not mind. */
    private static List<Violation> missing(JsonObject user, JsonObject data) {
        List<Violation> violations = new ArrayList<>();
        for (JsonElement each : JsonTools.list(data, "user_properties_update")) {
            JsonObject change = each.getAsJsonObject();
            String key = JsonTools.text(change, "key");
            if (JsonTools.flag(change, "remove", false) && !user.has(key))
                violations.add(Violation.of("properties." + key, "Property does not exist and cannot be inherited"));
        }
        return violations;
    }

    /** Says whether the dataset would reserve more than there is: ZFS refuses that alone, and sets all the rest. */
    static boolean reservesTooMuch(Tables tables, JsonObject row, JsonObject data) {
        long more = JsonTools.number(data, RESERVATION, 0) - Space.limit(row, RESERVATION);
        String parent = Zfs.parent(JsonTools.text(row, "name"));
        return data.has(RESERVATION) && more > 0 && more > new Space(tables).available(tables, parent);
    }

    /** Returns what is set all the same of a change whose reservation is refused; nothing is taken away by it. */
    static JsonObject withoutReservation(JsonObject data) {
        JsonObject rest = data.deepCopy();
        rest.remove(RESERVATION);
        JsonArray set = new JsonArray();
        for (JsonElement each : JsonTools.list(data, "user_properties_update"))
            if (!JsonTools.flag(each.getAsJsonObject(), "remove", false)) set.add(each);
        rest.add("user_properties_update", set);
        return rest;
    }

    private static JsonObject props(JsonObject row) {
        return row.getAsJsonObject("props");
    }

    static JsonObject properties(JsonObject row, JsonObject data) {
        JsonObject props = props(row).deepCopy();
        for (ZfsProperty property : ZfsProperty.ALL) {
            if (!data.has(property.api())) continue;
            Optional<String> raw = property.raw(data.get(property.api()));
            props.remove(property.zfs());
            raw.ifPresent(value -> props.addProperty(property.zfs(), value));
        }
        boolean thick = Space.limit(row, "refreservation") > 0
                && Space.limit(row, "refreservation") == Space.limit(row, "volsize");
        if (data.has("volsize") && thick && !data.has("refreservation"))
            props.addProperty("refreservation", JsonTools.text(data, "volsize"));
        return props;
    }

    static JsonObject user(JsonObject row, JsonObject data) {
        JsonObject user = JsonTools.child(row, "user").deepCopy();
        for (JsonElement each : JsonTools.list(data, "user_properties")) set(user, each.getAsJsonObject());
        for (JsonElement each : JsonTools.list(data, "user_properties_update")) set(user, each.getAsJsonObject());
        return user;
    }

    private static void set(JsonObject user, JsonObject change) {
        String key = JsonTools.text(change, "key");
        if (JsonTools.flag(change, "remove", false)) user.remove(key);
        else user.addProperty(key, JsonTools.text(change, "value"));
    }
}
