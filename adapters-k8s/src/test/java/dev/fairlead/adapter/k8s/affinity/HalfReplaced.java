package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Objects;

/** Volumes as LINSTOR's affinity controller leaves them if it is killed, and what it keeps of them. */
final class HalfReplaced {
    private static final String SKIP = "org.example.csi/skip-reclaim";

    private HalfReplaced() {}

    /** How far the other controller came. */
    enum State {
        INTACT,
        MARKED,
        TERMINATING,
        GONE,
        NEW
    }

    /** Puts a volume into a state, and returns what is kept of it. */
    static String put(SimulatedApi api, int index, State state) {
        String path = SimulatedVolumes.KIND + SimulatedVolumes.name(index);
        JsonObject saved = saved(api.get(path).orElseThrow());
        if (state == State.NEW) {
            api.holdControllers(true);
            api.remove(path);
            api.add(path, saved.toString());
            api.holdControllers(false);
        } else if (state != State.INTACT) {
            JsonObject volume = api.get(path).orElseThrow();
            mark(volume);
            api.put(path, volume);
            if (state != State.MARKED) {
                api.deleteByHand(path);
            }
            if (state == State.GONE) {
                api.remove(path);
            }
        }
        return saved.toString();
    }

    static void mark(JsonObject volume) {
        volume.getAsJsonObject("spec").addProperty("persistentVolumeReclaimPolicy", "Retain");
        JsonObject metadata = volume.getAsJsonObject("metadata");
        if (!metadata.has("annotations")) {
            metadata.add("annotations", new JsonObject());
        }
        metadata.getAsJsonObject("annotations").addProperty(SKIP, "true");
    }

    /** What it keeps: some of the fields, and the affinity that it has come to. */
    static JsonObject saved(JsonObject volume) {
        JsonObject metadata = only(volume.getAsJsonObject("metadata"), "name", "annotations", "labels", "finalizers");
        JsonObject spec = only(
                volume.getAsJsonObject("spec"),
                "accessModes",
                "capacity",
                "claimRef",
                "persistentVolumeReclaimPolicy",
                "storageClassName",
                "volumeMode");
        JsonObject csi = Json.child(Json.child(volume, "spec"), "csi").deepCopy();
        csi.remove("nodeExpandSecretRef");
        spec.add("csi", csi);
        spec.add("nodeAffinity", AffinityJson.write(SimulatedVolumes.on("b")));
        JsonObject saved = new JsonObject();
        saved.addProperty("kind", "PersistentVolume");
        saved.addProperty("apiVersion", "v1");
        saved.add("metadata", metadata);
        saved.add("spec", spec);
        return saved;
    }

    private static JsonObject only(JsonObject from, String... keys) {
        JsonObject some = new JsonObject();
        for (String key : keys) {
            JsonElement value = from.get(key);
            if (value != null) {
                some.add(key, value.deepCopy());
            }
        }
        return some;
    }

    /** What managedFields say if it has retained the volume without a mark, as before its version 1.4.2. */
    static void retainedByOld(JsonObject volume) {
        volume.getAsJsonObject("spec").addProperty("persistentVolumeReclaimPolicy", "Retain");
        JsonObject fields = Json.object("""
                        {"manager": "linstor-affinity-controller-v1", "operation": "Update",
                         "fieldsV1": {"f:spec": {"f:persistentVolumeReclaimPolicy": {}}}}""").orElseThrow();
        JsonArray all = new JsonArray();
        List.of(fields).forEach(all::add);
        Objects.requireNonNull(volume.getAsJsonObject("metadata")).add("managedFields", all);
    }
}
