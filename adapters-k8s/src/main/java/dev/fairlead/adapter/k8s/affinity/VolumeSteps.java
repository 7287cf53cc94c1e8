package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.domain.affinity.NodeAffinity;
import java.util.Collection;
import java.util.TreeSet;

/** Builds patches that hold only for the PersistentVolume that was seen: its uid and its version are tested first. */
final class VolumeSteps {
    private static final String AFFINITY = "/spec/nodeAffinity";
    private static final String ANNOTATIONS = "/metadata/annotations";
    private static final String FINALIZERS = "/metadata/finalizers";

    private final JsonArray steps = new JsonArray();
    private final VolumeObject seen;
    private boolean annotated;

    private VolumeSteps(VolumeObject seen) {
        this.seen = seen;
        this.annotated = !seen.annotations().isEmpty();
        step("test", "/metadata/uid", new JsonPrimitive(seen.uid()));
        step("test", "/metadata/resourceVersion", new JsonPrimitive(seen.version()));
    }

    static VolumeSteps on(VolumeObject seen) {
        return new VolumeSteps(seen);
    }

    VolumeSteps affinity(NodeAffinity affinity) {
        if (!affinity.isUnset()) {
            step("add", AFFINITY, AffinityJson.write(affinity));
        } else if (!seen.affinity().isUnset()) {
            remove(AFFINITY);
        }
        return this;
    }

    VolumeSteps policy(String policy) {
        step("add", "/spec/" + VolumeObject.POLICY, new JsonPrimitive(policy));
        return this;
    }

    VolumeSteps annotate(String key, String value) {
        if (!annotated) {
            step("add", ANNOTATIONS, new JsonObject());
            annotated = true;
        }
        step("add", ANNOTATIONS + "/" + escaped(key), new JsonPrimitive(value));
        return this;
    }

    VolumeSteps withoutAnnotation(String key) {
        if (seen.annotations().containsKey(key)) {
            remove(ANNOTATIONS + "/" + escaped(key));
        }
        return this;
    }

    VolumeSteps finalizers(Collection<String> finalizers) {
        if (!new TreeSet<>(finalizers).equals(new TreeSet<>(seen.finalizers()))) {
            JsonArray list = new JsonArray();
            finalizers.forEach(list::add);
            step("add", FINALIZERS, list);
        }
        return this;
    }

    VolumeSteps withoutFinalizers() {
        if (!seen.finalizers().isEmpty()) {
            remove(FINALIZERS);
        }
        return this;
    }

    JsonArray all() {
        return steps;
    }

    private void step(String operation, String path, JsonElement value) {
        JsonObject step = new JsonObject();
        step.addProperty("op", operation);
        step.addProperty("path", path);
        step.add("value", value);
        steps.add(step);
    }

    private void remove(String path) {
        JsonObject step = new JsonObject();
        step.addProperty("op", "remove");
        step.addProperty("path", path);
        steps.add(step);
    }

    /** Returns a key as RFC 6901 writes it in a path. */
    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }
}
