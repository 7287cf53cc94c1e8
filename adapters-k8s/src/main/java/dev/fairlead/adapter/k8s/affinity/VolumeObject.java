package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a PersistentVolume as the server gave it.
 *
 * @param raw the whole object; not to be changed
 */
record VolumeObject(JsonObject raw) {
    static final List<String> KIND = List.of("api", "v1", "persistentvolumes");
    static final String POLICY = "persistentVolumeReclaimPolicy";

    String name() {
        return Json.text(metadata(), "name").orElse("");
    }

    String uid() {
        return Json.text(metadata(), "uid").orElse("");
    }

    String version() {
        return Json.text(metadata(), "resourceVersion").orElse("");
    }

    boolean isBeingDeleted() {
        return metadata().has("deletionTimestamp");
    }

    Map<String, String> annotations() {
        return Json.texts(Json.child(metadata(), "annotations"));
    }

    List<String> finalizers() {
        return Json.texts(metadata(), "finalizers");
    }

    String phase() {
        return Json.text(Json.child(raw, "status"), "phase").orElse("");
    }

    /** Says whether it stands for a claim's data; another may be bound to a claim at any moment. */
    boolean isBound() {
        return phase().equals("Bound") && claim().isPresent();
    }

    String policy() {
        return Json.text(spec(), POLICY).orElse("Retain");
    }

    String driver() {
        return Json.text(csi(), "driver").orElse("");
    }

    String handle() {
        return Json.text(csi(), "volumeHandle").orElse("");
    }

    Map<String, String> attributes() {
        return Json.texts(Json.child(csi(), "volumeAttributes"));
    }

    Optional<String> storageClass() {
        return Json.text(spec(), "storageClassName").filter(name -> !name.isEmpty());
    }

    NodeAffinity affinity() {
        return AffinityJson.read(raw);
    }

    /** Returns the claim that it is bound to; empty if none was ever bound. */
    Optional<ClaimReference> claim() {
        JsonObject reference = Json.child(spec(), "claimRef");
        Optional<String> uid = Json.text(reference, "uid").filter(text -> !text.isEmpty());
        return uid.map(text -> new ClaimReference(
                Json.text(reference, "namespace").orElse(""),
                Json.text(reference, "name").orElse(""),
                text));
    }

    /** Says whether both stand for the same volume of the same driver. */
    boolean isSameStorageAs(VolumeObject other) {
        return !driver().isEmpty()
                && !handle().isEmpty()
                && driver().equals(other.driver())
                && handle().equals(other.handle());
    }

    /** Says the same of any source: a volume of a CSI driver, or a folder of a node. */
    boolean isSameSourceAs(VolumeObject other) {
        String path = hostPath();
        return isSameStorageAs(other) || (driver().isEmpty() && !path.isEmpty() && path.equals(other.hostPath()));
    }

    private String hostPath() {
        return Json.text(Json.child(spec(), "hostPath"), "path").orElse("");
    }

    private JsonObject metadata() {
        return Json.child(raw, "metadata");
    }

    private JsonObject spec() {
        return Json.child(raw, "spec");
    }

    private JsonObject csi() {
        return Json.child(spec(), "csi");
    }
}
