package dev.fairlead.simulator;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes the faults of a script that strike the box itself and no call: what an administrator does to it, or another
 * session.
 */
final class BoxChange {
    private final Simulator simulator;
    private JsonObject saved = new JsonObject();

    BoxChange(Simulator simulator) {
        this.simulator = simulator;
    }

    /** Makes one; returns false for a fault of a call. */
    boolean make(JsonObject script) {
        switch (JsonTools.text(script, "injury")) {
            case "save" -> saved = simulator.configuration();
            case "restore" -> restore();
            case "revoke-key" -> simulator.revokeKey(key(script));
            case "delete-key" -> simulator.deleteKey(key(script));
            case "roles" -> simulator.user(required(script, "user"), required(script, "password"), roles(script));
            case "lock" -> lock(required(script, "dataset"), true);
            case "unlock" -> lock(required(script, "dataset"), false);
            case "session" -> simulator.logIn(required(script, "target"), required(script, "initiator"));
            case "tamper" -> tamper(script);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void restore() {
        if (saved.isEmpty()) throw new IllegalArgumentException("restore: nothing was saved (expected: a save before)");
        simulator.restore(saved);
    }

    private String key(JsonObject script) {
        return script.has("key") ? required(script, "key") : simulator.rootKey();
    }

    private static Set<String> roles(JsonObject script) {
        Set<String> roles = new HashSet<>();
        JsonTools.list(script, "roles").forEach(role -> roles.add(role.getAsString()));
        return roles;
    }

    private void lock(String dataset, boolean locked) {
        change("dataset", dataset, JsonTools.object("locked", locked), false);
    }

    private void tamper(JsonObject script) {
        boolean removes = !script.has("row");
        change(required(script, "table"), required(script, "row-key"), JsonTools.child(script, "row"), removes);
    }

    private void change(String table, String key, JsonObject attributes, boolean removes) {
        if (!JsonTools.child(simulator.dump(), table).has(key))
            throw new IllegalArgumentException("table " + table + " has no row " + key);
        simulator.tamper(table, key, row -> {
            if (removes) return new JsonObject();
            attributes.entrySet().forEach(each -> row.add(each.getKey(), each.getValue()));
            return row;
        });
    }

    private static String required(JsonObject script, String key) {
        JsonElement value = script.get(key);
        if (value == null || !value.isJsonPrimitive())
            throw new IllegalArgumentException(
                    JsonTools.text(script, "injury") + ": '" + key + "' is missing (see docs/lab-truenas.md)");
        return value.getAsString();
    }
}
