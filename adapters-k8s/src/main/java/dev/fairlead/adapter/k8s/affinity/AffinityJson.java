package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.NodeRequirement;
import dev.fairlead.domain.affinity.NodeTerm;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.stream.Stream;

/** Reads and writes {@code spec.nodeAffinity} of a PersistentVolume. */
final class AffinityJson {
    private static final String EXPRESSIONS = "matchExpressions";
    private static final String FIELDS = "matchFields";

    private AffinityJson() {}

    static NodeAffinity read(JsonObject volume) {
        JsonObject affinity = Json.child(Json.child(volume, "spec"), "nodeAffinity");
        List<NodeTerm> terms = Json.objects(Json.child(affinity, "required"), "nodeSelectorTerms").stream()
                .map(term -> new NodeTerm(Stream.concat(read(term, EXPRESSIONS, false), read(term, FIELDS, true))
                        .toList()))
                .toList();
        return new NodeAffinity(terms);
    }

    private static Stream<NodeRequirement> read(JsonObject term, String list, boolean onField) {
        return Json.objects(term, list).stream()
                .map(one -> new NodeRequirement(
                        onField,
                        Json.text(one, "key").orElse(""),
                        Json.text(one, "operator").orElse(""),
                        Json.texts(one, "values")));
    }

    /** Returns the field's value for an affinity that is set. */
    static JsonObject write(NodeAffinity affinity) {
        JsonArray terms = new JsonArray();
        affinity.terms().forEach(term -> terms.add(write(term)));
        JsonObject required = new JsonObject();
        required.add("nodeSelectorTerms", terms);
        JsonObject field = new JsonObject();
        field.add("required", required);
        return field;
    }

    private static JsonObject write(NodeTerm term) {
        JsonObject written = new JsonObject();
        for (NodeRequirement one : term.all()) {
            String list = one.onField() ? FIELDS : EXPRESSIONS;
            if (!written.has(list)) {
                written.add(list, new JsonArray());
            }
            written.getAsJsonArray(list).add(write(one));
        }
        return written;
    }

    private static JsonObject write(NodeRequirement one) {
        JsonArray values = new JsonArray();
        one.values().forEach(values::add);
        JsonObject written = new JsonObject();
        written.addProperty("key", one.key());
        written.addProperty("operator", one.operator());
        if (!values.isEmpty()) {
            written.add("values", values);
        }
        return written;
    }
}
