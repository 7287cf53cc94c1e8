package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;

/** A JSON patch (RFC 6902) on members of objects: test, add, replace and remove. */
final class ObjectPatch {
    private ObjectPatch() {}

    /** The object after all steps; empty if one does not fit, and then none is done. */
    static Optional<JsonObject> apply(JsonObject before, JsonArray steps) {
        JsonObject after = before.deepCopy();
        for (JsonElement step : steps) {
            if (!done(after, step.getAsJsonObject())) {
                return Optional.empty();
            }
        }
        return Optional.of(after);
    }

    private static boolean done(JsonObject object, JsonObject step) {
        List<String> path = List.of(step.get("path").getAsString().substring(1).split("/", -1));
        JsonObject parent = object;
        for (String part : path.subList(0, path.size() - 1)) {
            JsonElement child = parent.get(part);
            if (child == null || !child.isJsonObject()) {
                return false;
            }
            parent = child.getAsJsonObject();
        }
        String key = path.getLast().replace("~1", "/").replace("~0", "~");
        JsonElement value = step.get("value");
        return switch (step.get("op").getAsString()) {
            case "test" -> value.equals(parent.get(key));
            case "add" -> {
                parent.add(key, value.deepCopy());
                yield true;
            }
            case "replace" -> {
                boolean there = parent.has(key);
                parent.add(key, value.deepCopy());
                yield there;
            }
            case "remove" -> parent.remove(key) != null;
            default -> throw new IllegalArgumentException(step.toString());
        };
    }
}
