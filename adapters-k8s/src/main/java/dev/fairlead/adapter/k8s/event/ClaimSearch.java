package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the claim of a volume, by the reference of its PersistentVolume.
 *
 * @param drivers the CSI names of which volumes are
 */
record ClaimSearch(ApiClient api, Set<String> drivers) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final List<String> VOLUMES = List.of("api", "v1", "persistentvolumes");

    /** Names a claim. */
    record VolumeClaim(String namespace, String name, String uid) {}

    /**
     * Returns the claim of a volume; empty if it has none, or no PersistentVolume is of it.
     *
     * @throws dev.fairlead.domain.failure.StorageException if that cannot be told
     */
    Optional<VolumeClaim> of(String handle) {
        ObjectSearch search = ObjectSearch.within(PATIENCE, api, "looking for the claim of the volume " + handle);
        String likely = handle.substring(handle.lastIndexOf('/') + 1);
        return search.find(VOLUMES, Optional.of(likely), volume -> isOf(volume, handle))
                .flatMap(ClaimSearch::claim);
    }

    private boolean isOf(JsonObject volume, String handle) {
        JsonObject csi = Json.child(Json.child(volume, "spec"), "csi");
        return Json.text(csi, "driver").filter(drivers::contains).isPresent()
                && Json.text(csi, "volumeHandle").filter(handle::equals).isPresent();
    }

    private static Optional<VolumeClaim> claim(JsonObject volume) {
        JsonObject reference = Json.child(Json.child(volume, "spec"), "claimRef");
        String namespace = Json.text(reference, "namespace").orElse("");
        String name = Json.text(reference, "name").orElse("");
        return ObjectSearch.isName(namespace) && ObjectSearch.isName(name)
                ? Optional.of(new VolumeClaim(
                        namespace, name, Json.text(reference, "uid").orElse("")))
                : Optional.empty();
    }
}
