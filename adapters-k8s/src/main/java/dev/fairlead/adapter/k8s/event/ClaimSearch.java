package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ObjectSearch;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the claims of volumes, by the references of their PersistentVolumes.
 *
 * @param drivers the CSI names of which volumes are
 */
record ClaimSearch(ApiClient api, Set<String> drivers) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final List<String> VOLUMES = List.of("api", "v1", "persistentvolumes");

    /** Names a claim. */
    record VolumeClaim(String namespace, String name, String uid) {}

    /** Begins a look at some volumes, in which all PersistentVolumes are listed once at most. */
    Look look() {
        return new Look();
    }

    /** Finds the claims of the volumes of one look. For use by one thread. */
    final class Look {
        private Optional<Map<String, VolumeClaim>> listed = Optional.empty();
        private Optional<StorageException> unlisted = Optional.empty();

        /**
         * Returns the claim of a volume; empty if it has none, or no PersistentVolume is of it.
         *
         * @throws StorageException if that cannot be told; the same one for each volume that the list should tell of
         */
        Optional<VolumeClaim> of(String handle) {
            String likely = handle.substring(handle.lastIndexOf('/') + 1);
            return search("looking for the claim of the volume " + handle)
                    .get(VOLUMES, likely)
                    .filter(volume -> isOf(volume, handle))
                    .map(ClaimSearch::claim)
                    .orElseGet(() -> Optional.ofNullable(all().get(handle)));
        }

        private Map<String, VolumeClaim> all() {
            if (unlisted.isPresent()) {
                throw unlisted.get();
            }
            try {
                Map<String, VolumeClaim> all = listed.orElseGet(this::list);
                listed = Optional.of(all);
                return all;
            } catch (StorageException e) {
                unlisted = Optional.of(e);
                throw e;
            }
        }

        private Map<String, VolumeClaim> list() {
            Map<String, VolumeClaim> all = new HashMap<>();
            search("looking for the claims of volumes")
                    .each(
                            VOLUMES,
                            volume -> handle(volume)
                                    .ifPresent(handle ->
                                            claim(volume).ifPresent(claim -> all.putIfAbsent(handle, claim))));
            return all;
        }
    }

    private ObjectSearch search(String what) {
        return ObjectSearch.within(PATIENCE, api, what);
    }

    private boolean isOf(JsonObject volume, String handle) {
        return handle(volume).filter(handle::equals).isPresent();
    }

    /** Returns the handle of a volume; empty if it is another driver's. */
    private Optional<String> handle(JsonObject volume) {
        JsonObject csi = Json.child(Json.child(volume, "spec"), "csi");
        return Json.text(csi, "driver").filter(drivers::contains).flatMap(_ -> Json.text(csi, "volumeHandle"));
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
