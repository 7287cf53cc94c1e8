package dev.fairlead.lab.affinity;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads from objects what is compared. */
final class VolumeFacts {
    private VolumeFacts() {}

    static Map<String, Integer> phases(List<JsonObject> objects) {
        Map<String, Integer> phases = new TreeMap<>();
        objects.forEach(object ->
                phases.merge(object.getAsJsonObject("status").get("phase").getAsString(), 1, Integer::sum));
        return phases;
    }

    static Set<String> zones(JsonObject volume) {
        Set<String> zones = new TreeSet<>();
        JsonObject affinity = volume.getAsJsonObject("spec").getAsJsonObject("nodeAffinity");
        for (JsonElement term : affinity.getAsJsonObject("required").getAsJsonArray("nodeSelectorTerms")) {
            for (JsonElement one : term.getAsJsonObject().getAsJsonArray("matchExpressions")) {
                one.getAsJsonObject().getAsJsonArray("values").forEach(value -> zones.add(value.getAsString()));
            }
        }
        return zones;
    }

    /** Returns what has to stay as it is. */
    static JsonObject kept(JsonObject volume) {
        JsonObject kept = volume.deepCopy();
        kept.remove("status");
        JsonObject metadata = kept.getAsJsonObject("metadata");
        List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")
                .forEach(metadata::remove);
        kept.getAsJsonObject("spec").remove("nodeAffinity");
        metadata.getAsJsonArray("finalizers")
                .asList()
                .sort((a, b) -> a.getAsString().compareTo(b.getAsString()));
        return kept;
    }
}
