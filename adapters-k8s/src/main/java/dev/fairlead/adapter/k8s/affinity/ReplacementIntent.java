package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.http.Json;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Records what is to become of a PersistentVolume, before anything is done to it; kept in a ConfigMap.
 *
 * @param map the ConfigMap's name
 * @param mapUid the ConfigMap's uid; empty before it is written
 * @param version the ConfigMap's version; empty before it is written
 * @param stage how far the replacement may have come
 * @param deletes the version of the marked PersistentVolume that Fairlead may delete; empty while it may delete none
 * @param original the PersistentVolume as it was
 * @param affinity the value that {@code spec.nodeAffinity} is to have; empty if it is to have none
 * @param becomes what else is to be another: the whole {@code spec} and {@code annotations}, which say the affinity
 *     too; empty if nothing is
 */
record ReplacementIntent(
        String map,
        String mapUid,
        String version,
        Stage stage,
        String deletes,
        VolumeObject original,
        Optional<JsonObject> affinity,
        Optional<JsonObject> becomes) {
    static final String LABEL = "fairlead.dev/affinity-intent";
    private static final String FINALIZER = "fairlead.dev/affinity-intent";
    private static final String FORMAT = "1";

    /** The label and format of intents that say what else becomes of a PersistentVolume than its affinity. */
    static final String SOURCE_LABEL = "fairlead.dev/source-intent";

    private static final String SOURCE_FORMAT = "2";
    private static final String BECOMES = "becomes";
    private static final String SPEC = "spec";
    private static final String ANNOTATIONS = "annotations";
    private static final String PREFIX = "fairlead-affinity-";
    private static final int NAME_BYTES = 16;

    /** Lists how far a replacement may have come. */
    enum Stage {
        /** The PersistentVolume was not deleted by Fairlead. */
        PREPARED,
        /** Fairlead may have deleted it, and the new one may exist. */
        DELETING
    }

    /** Says whether a ConfigMap holds an intent by which something may be done. */
    sealed interface Reading {
        /** Returns the name of the ConfigMap. */
        String map();

        record Known(ReplacementIntent intent) implements Reading {
            @Override
            public String map() {
                return intent.map();
            }
        }

        /**
         * Nothing may be done by it; a person has to look.
         *
         * @param volume the PersistentVolume that it is about, or its own name if it does not tell
         */
        record Unknown(String map, String volume, String why) implements Reading {}
    }

    static ReplacementIntent of(VolumeObject original, NodeAffinity affinity) {
        Optional<JsonObject> field = affinity.isUnset() ? Optional.empty() : Optional.of(AffinityJson.write(affinity));
        return new ReplacementIntent(
                mapName(original.name()), "", "", Stage.PREPARED, "", original, field, Optional.empty());
    }

    /** Returns the intent by which a PersistentVolume gets this {@code spec} and these {@code annotations}. */
    static ReplacementIntent of(VolumeObject original, JsonObject becomes) {
        return new ReplacementIntent(
                mapName(original.name()),
                "",
                "",
                Stage.PREPARED,
                "",
                original,
                Optional.empty(),
                Optional.of(becomes.deepCopy()));
    }

    /** Returns the same intent once Fairlead may delete this version of the PersistentVolume. */
    ReplacementIntent deleting(String volumeVersion) {
        return new ReplacementIntent(map, mapUid, version, Stage.DELETING, volumeVersion, original, affinity, becomes);
    }

    /** Returns the same intent as it was before anything could be deleted. */
    ReplacementIntent prepared() {
        return new ReplacementIntent(map, mapUid, version, Stage.PREPARED, "", original, affinity, becomes);
    }

    /** Returns the name of the one ConfigMap that a PersistentVolume of this name can have. */
    static String mapName(String volume) {
        return PREFIX + HexFormat.of().formatHex(Digests.sha256(volume), 0, NAME_BYTES);
    }

    JsonObject configMap(String namespace) {
        JsonObject labels = new JsonObject();
        labels.addProperty(becomes.isPresent() ? SOURCE_LABEL : LABEL, "true");
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", map);
        metadata.addProperty("namespace", namespace);
        metadata.add("labels", labels);
        // Who deletes it by hand, or a tool that cleans up, would lose the only copy of the volume's object.
        JsonArray finalizers = new JsonArray();
        finalizers.add(FINALIZER);
        metadata.add("finalizers", finalizers);
        JsonObject object = new JsonObject();
        object.addProperty("apiVersion", "v1");
        object.addProperty("kind", "ConfigMap");
        object.add("metadata", metadata);
        object.add("data", data());
        return object;
    }

    /** Returns the content of the ConfigMap. */
    JsonObject data() {
        JsonObject data = new JsonObject();
        data.addProperty("format", becomes.isPresent() ? SOURCE_FORMAT : FORMAT);
        data.addProperty("volume", original.name());
        data.addProperty("uid", original.uid());
        data.addProperty("stage", stage.name());
        data.addProperty("deletes", deletes);
        data.addProperty("original", original.raw().toString());
        data.addProperty("affinity", affinity.map(JsonObject::toString).orElse(""));
        becomes.ifPresent(it -> data.addProperty(BECOMES, it.toString()));
        data.addProperty("digest", digest(Json.texts(data)));
        return data;
    }

    static Reading read(JsonObject configMap) {
        JsonObject metadata = Json.child(configMap, "metadata");
        String name = Json.text(metadata, "name").orElse("");
        Map<String, String> data = Json.texts(Json.child(configMap, "data"));
        String format = data.getOrDefault("format", "");
        if (!format.equals(data.containsKey(BECOMES) ? SOURCE_FORMAT : FORMAT)) {
            return unusable(name, data, "it has the format '" + format + "', which this version does not know");
        }
        if (!data.getOrDefault("digest", "").equals(digest(data))) {
            return unusable(name, data, "it is damaged: its content does not fit its digest");
        }
        Optional<VolumeObject> original =
                Json.object(data.getOrDefault("original", "")).map(VolumeObject::new);
        if (original.filter(isOf(data)).isEmpty()
                || !name.equals(mapName(original.get().name()))) {
            return unusable(name, data, "the PersistentVolume in it is not the one that it names");
        }
        String field = data.getOrDefault("affinity", "");
        Optional<JsonObject> affinity = Json.object(field);
        Optional<Stage> stage = stage(data.getOrDefault("stage", ""));
        Optional<JsonObject> becomes = Optional.ofNullable(data.get(BECOMES)).flatMap(Json::object);
        if (stage.isEmpty()
                || (affinity.isEmpty() && !field.isEmpty())
                || (becomes.isEmpty() && data.containsKey(BECOMES))) {
            return unusable(name, data, "it has no stage, or nothing that can be read of what the volume becomes");
        }
        return new Reading.Known(new ReplacementIntent(
                name,
                Json.text(metadata, "uid").orElse(""),
                Json.text(metadata, "resourceVersion").orElse(""),
                stage.get(),
                data.getOrDefault("deletes", ""),
                original.get(),
                affinity,
                becomes));
    }

    private static Predicate<VolumeObject> isOf(Map<String, String> data) {
        return volume -> !volume.uid().isEmpty()
                && volume.uid().equals(data.get("uid"))
                && volume.name().equals(data.get("volume"));
    }

    private static Reading unusable(String map, Map<String, String> data, String why) {
        String volume = data.getOrDefault("volume", "");
        return new Reading.Unknown(map, mapName(volume).equals(map) ? volume : map, why);
    }

    private static Optional<Stage> stage(String text) {
        for (Stage stage : Stage.values()) {
            if (stage.name().equals(text)) {
                return Optional.of(stage);
            }
        }
        return Optional.empty();
    }

    /** Returns the digest of the whole content. */
    private static String digest(Map<String, String> data) {
        String further = data.containsKey(BECOMES) ? data.get(BECOMES) + "\n" : "";
        String all = further
                + String.join(
                        "\n",
                        data.getOrDefault("format", ""),
                        data.getOrDefault("volume", ""),
                        data.getOrDefault("uid", ""),
                        data.getOrDefault("stage", ""),
                        data.getOrDefault("deletes", ""),
                        data.getOrDefault("affinity", ""),
                        data.getOrDefault("original", ""));
        return HexFormat.of().formatHex(Digests.sha256(all));
    }

    /**
     * Returns the PersistentVolume that takes the original's place: all of its fields but those that the server gives,
     * with the new affinity, and retained and marked until its claim is bound again.
     */
    JsonObject replacement() {
        JsonObject next = original.raw().deepCopy();
        next.remove("status");
        JsonObject metadata = Json.child(next, "metadata");
        for (String given : new String[] {
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "generation",
            "managedFields",
            "selfLink",
            "deletionTimestamp",
            "deletionGracePeriodSeconds"
        }) {
            metadata.remove(given);
        }
        JsonObject spec = Json.child(next, SPEC);
        if (becomes.isPresent()) {
            spec = Json.child(becomes.get(), SPEC).deepCopy();
            next.add(SPEC, spec);
            metadata.add(ANNOTATIONS, Json.child(becomes.get(), ANNOTATIONS).deepCopy());
        } else {
            spec.remove("nodeAffinity");
            if (affinity.isPresent()) {
                spec.add("nodeAffinity", affinity.get().deepCopy());
            }
        }
        if (!metadata.has(ANNOTATIONS)) {
            metadata.add(ANNOTATIONS, new JsonObject());
        }
        Json.child(metadata, ANNOTATIONS).addProperty(ReplacementMark.INTENT, map);
        Json.child(metadata, ANNOTATIONS).addProperty(ReplacementMark.POLICY_BEFORE, original.policy());
        spec.addProperty(VolumeObject.POLICY, ReplacementMark.RETAIN);
        return next;
    }

    /** Says whether a PersistentVolume has the storage that the one that takes the original's place has. */
    boolean isSuccessor(VolumeObject volume) {
        return becomes.isPresent()
                ? volume.isSameSourceAs(new VolumeObject(becomes.get()))
                : volume.isSameStorageAs(original);
    }
}
