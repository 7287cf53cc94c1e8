package dev.fairlead.adapter.k8s;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;

/** A JSON patch, as far as it tests and removes items of a list of one of the object's parts. */
public final class JsonSteps {
    private JsonSteps() {}

    /** The object after all steps; empty where one does not fit, and then none is done. */
    public static Optional<JsonObject> apply(JsonObject object, JsonArray steps) {
        JsonObject changed = object.deepCopy();
        for (JsonElement element : steps) {
            JsonObject step = element.getAsJsonObject();
            List<String> place = List.of(step.get("path").getAsString().split("/", -1));
            JsonArray list = changed.getAsJsonObject(place.get(1)).getAsJsonArray(place.get(2));
            int index = Integer.parseInt(place.get(3));
            if (index >= list.size()) {
                return Optional.empty();
            }
            boolean fits = switch (step.get("op").getAsString()) {
                case "test" -> list.get(index).equals(step.get("value"));
                case "remove" -> {
                    list.remove(index);
                    yield true;
                }
                default -> throw new IllegalArgumentException(step.toString());
            };
            if (!fits) {
                return Optional.empty();
            }
        }
        return Optional.of(changed);
    }
}
