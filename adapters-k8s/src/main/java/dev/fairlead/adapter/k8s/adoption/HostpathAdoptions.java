package dev.fairlead.adapter.k8s.adoption;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiPages;
import dev.fairlead.application.port.out.adoption.Adoption;
import dev.fairlead.application.port.out.adoption.AdoptionTarget;
import dev.fairlead.application.port.out.adoption.Adoptions;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Begins adoptions in the cluster of this process. */
public final class HostpathAdoptions implements Adoptions {
    private static final List<String> VOLUMES = List.of("api", "v1", "persistentvolumes");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A tenth of it is for the claim, which Kubernetes looks at every 15 s by itself. */
    private static final Duration PER_VOLUME = Duration.ofMinutes(4);

    private final ApiClient api;
    private final Optional<String> namespace;

    /** @param namespace the namespace of the access to the cluster, if it says one */
    public HostpathAdoptions(ApiClient api, Optional<String> namespace) {
        this.api = api;
        this.namespace = namespace;
    }

    @Override
    public Optional<String> namespace() {
        return namespace;
    }

    @Override
    public Adoption of(AdoptionTarget target, boolean back, String intents) {
        Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));
        return over(target, back, this::volumes, api, intents, PER_VOLUME, backoff);
    }

    /**
     * Begins an adoption.
     *
     * @param volumes reads all PersistentVolumes
     * @param perVolume the time after which a volume that is not finished is left for later
     */
    public static Adoption over(
            AdoptionTarget target,
            boolean back,
            Supplier<List<JsonObject>> volumes,
            ApiCalls calls,
            String intents,
            Duration perVolume,
            Backoff backoff) {
        return new HostpathAdoption(target, back, volumes, calls, intents, PATIENCE, perVolume, backoff);
    }

    private List<JsonObject> volumes() {
        String what = "listing PersistentVolumes";
        return new ApiPages(api, PATIENCE)
                .read(VOLUMES, what, volume -> Optional.of(volume).filter(HostpathAdoptions::mayBeMeant))
                .orElseThrow(() ->
                        new StorageException(new Failure.ClusterUnintelligible(what, "that there are none such")));
    }

    private static boolean mayBeMeant(JsonObject volume) {
        return Json.child(volume, "spec").has("hostPath")
                || Json.texts(Json.child(Json.child(volume, "metadata"), "annotations"))
                        .containsKey(AdoptionRule.WAS);
    }
}
