package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.http.Json;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a PersistentVolume as LINSTOR's affinity controller has kept it: what it was going to create, without what the
 * server gives, and without fields that this controller does not know.
 */
record SavedObject(VolumeObject object) {
    /** The end of the annotation by which LINSTOR's csi-reclaim-controller leaves a volume alone. */
    static final String SKIP = "/skip-reclaim";

    /** The greatest length of what is read; a property of LINSTOR's has 4096 characters in most of its databases. */
    private static final int LONGEST = 64_000;

    private static final Set<String> POLICIES = Set.of("Delete", ReplacementMark.RETAIN);

    /** Reads what was kept; empty if it is not a PersistentVolume of a CSI driver with all that is needed. */
    static Optional<SavedObject> read(String text) {
        return Optional.of(text)
                .filter(all -> all.length() <= LONGEST)
                .flatMap(Json::object)
                .map(VolumeObject::new)
                .filter(volume -> ObjectSearch.isName(volume.name()))
                .filter(volume -> !volume.driver().isEmpty() && !volume.handle().isEmpty())
                .filter(volume -> POLICIES.contains(volume.policy()))
                .filter(SavedObject::isWhole)
                .map(SavedObject::new);
    }

    private static boolean isWhole(VolumeObject volume) {
        JsonObject spec = Json.child(volume.raw(), "spec");
        boolean named =
                Json.text(volume.raw(), "kind").orElse("PersistentVolume").equals("PersistentVolume");
        return named
                && !Json.texts(spec, "accessModes").isEmpty()
                && !Json.child(spec, "capacity").isEmpty();
    }

    String name() {
        return object.name();
    }

    String policy() {
        return object.policy();
    }

    /**
     * Says whether the volume is to have the mark by which its storage is never reclaimed. A controller that was cut
     * may have kept its own mark; beside a policy other than Retain it has nobody else's meaning.
     */
    boolean isMarked() {
        return policy().equals(ReplacementMark.RETAIN) && isMarked(object);
    }

    static boolean isMarked(VolumeObject volume) {
        return volume.annotations().containsKey(volume.driver() + SKIP);
    }

    /** Says whether this is about the volume that is there: the same storage for the same claim. */
    boolean isAbout(VolumeObject live) {
        Optional<String> its = object.claim().map(ClaimReference::uid);
        Optional<String> lives = live.claim().map(ClaimReference::uid);
        return object.isSameStorageAs(live) && its.equals(lives);
    }

    /** Returns the volume that is to be made again where there is none. */
    VolumeObject whole() {
        JsonObject whole = object.raw().deepCopy();
        whole.addProperty("apiVersion", "v1");
        whole.addProperty("kind", "PersistentVolume");
        JsonObject metadata = Json.child(whole, "metadata");
        // The uid of the one that is gone was not kept; an intent names one, and no object has this.
        metadata.addProperty("uid", "not-known");
        if (!isMarked()) {
            Json.child(metadata, "annotations").remove(object.driver() + SKIP);
        }
        return new VolumeObject(whole);
    }
}
