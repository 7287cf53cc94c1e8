package dev.fairlead.adapter.k8s.volume;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Says from which nodes a PersistentVolume can be used: those for which all expressions of at least one term hold.
 *
 * @param terms the terms; none if the volume can be used from everywhere
 */
record VolumeAffinity(List<JsonObject> terms) {
    private static final String IN = "In";

    static VolumeAffinity of(JsonObject volume) {
        JsonObject affinity = Json.child(Json.child(volume, "spec"), "nodeAffinity");
        return new VolumeAffinity(Json.objects(Json.child(affinity, "required"), "nodeSelectorTerms"));
    }

    /**
     * Says whether a node with these labels is one of them. An expression restricts nothing if the node lacks its label
     * or its operator is not {@code In}.
     */
    boolean admits(Map<String, String> labels) {
        return terms.isEmpty()
                || terms.stream()
                        .anyMatch(
                                term -> expressions(term).stream().allMatch(expression -> admits(expression, labels)));
    }

    private static boolean admits(JsonObject expression, Map<String, String> labels) {
        String key = Json.text(expression, "key").orElse("");
        boolean comparable = isIn(expression) && labels.containsKey(key);
        return !comparable || Json.texts(expression, "values").contains(labels.getOrDefault(key, ""));
    }

    /** Returns the one value that every term asks of a label; empty if a term asks for none or for another one. */
    Optional<String> only(String key) {
        Set<List<String>> asked = terms.stream().map(term -> values(term, key)).collect(Collectors.toUnmodifiableSet());
        return asked.stream()
                .filter(values -> asked.size() == 1 && values.size() == 1)
                .map(List::getFirst)
                .findAny();
    }

    private static List<String> values(JsonObject term, String key) {
        return expressions(term).stream()
                .filter(VolumeAffinity::isIn)
                .filter(expression ->
                        Json.text(expression, "key").filter(key::equals).isPresent())
                .flatMap(expression -> Json.texts(expression, "values").stream())
                .distinct()
                .toList();
    }

    private static boolean isIn(JsonObject expression) {
        return Json.text(expression, "operator").filter(IN::equals).isPresent();
    }

    private static List<JsonObject> expressions(JsonObject term) {
        return Json.objects(term, "matchExpressions");
    }
}
