package dev.fairlead.adapter.k8s.volume;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiPages;
import dev.fairlead.application.port.out.cluster.DriverRemains;
import dev.fairlead.application.port.out.cluster.Remains;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lists PersistentVolumes and VolumeSnapshotContents by the driver that they name. */
public final class ApiRemains implements DriverRemains {
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final List<String> VOLUMES = List.of("api", "v1", "persistentvolumes");
    private static final List<String> SNAPSHOTS =
            List.of("apis", "snapshot.storage.k8s.io", "v1", "volumesnapshotcontents");

    private final ApiClient api;
    private final Duration patience;

    public ApiRemains(ApiClient api, Duration patience) {
        this.api = api;
        this.patience = patience;
    }

    @Override
    public Remains of(Set<String> drivers) {
        ApiPages pages = new ApiPages(api, patience);
        String what = "listing PersistentVolumes";
        try {
            List<Remains.Volume> volumes = pages.read(VOLUMES, what, object -> volume(object, drivers))
                    .orElseThrow(() ->
                            new StorageException(new Failure.ClusterUnintelligible(what, "that there are none such")));
            List<Remains.Snapshot> snapshots = pages.read(
                            SNAPSHOTS, "listing VolumeSnapshotContents", object -> snapshot(object, drivers))
                    .orElse(List.of());
            return new Remains(volumes, snapshots);
        } finally {
            api.idle();
        }
    }

    private static Optional<Remains.Volume> volume(JsonObject object, Set<String> drivers) {
        JsonObject spec = Json.child(object, "spec");
        String phase = Json.text(Json.child(object, "status"), "phase").orElse("");
        boolean unclaimed = phase.equals("Released")
                && Json.text(spec, "persistentVolumeReclaimPolicy")
                        .filter("Delete"::equals)
                        .isPresent();
        return Json.text(Json.child(spec, "csi"), "driver")
                .filter(drivers::contains)
                .map(_ -> new Remains.Volume(
                        name(object), who(Json.child(spec, "claimRef")), phase, unclaimed || isDeleted(object)));
    }

    private static Optional<Remains.Snapshot> snapshot(JsonObject object, Set<String> drivers) {
        JsonObject spec = Json.child(object, "spec");
        return Json.text(spec, "driver")
                .filter(drivers::contains)
                .map(_ -> new Remains.Snapshot(
                        name(object), who(Json.child(spec, "volumeSnapshotRef")), isDeleted(object)));
    }

    private static boolean isDeleted(JsonObject object) {
        return Json.text(Json.child(object, "metadata"), "deletionTimestamp").isPresent();
    }

    private static String name(JsonObject object) {
        return Json.text(Json.child(object, "metadata"), "name").orElse("");
    }

    private static Optional<String> who(JsonObject reference) {
        return Json.text(reference, "name")
                .map(name -> Json.text(reference, "namespace").orElse("") + "/" + name);
    }
}
