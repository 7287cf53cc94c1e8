package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads and changes single PersistentVolumes; each change holds only for the object that was seen. */
final class VolumeCalls {
    private static final int NAME_BYTES = 16;

    /** The status of a change of a field that is fixed. A conflict, 409, says nothing of the field. */
    private static final int FIXED = 422;

    private final ApiCalls api;
    private final Duration patience;

    VolumeCalls(ApiCalls api, Duration patience) {
        this.api = api;
        this.patience = patience;
    }

    /** Says what a claim is to a volume that names it. */
    enum Claim {
        BOUND,
        /** It is there, and not bound at the moment. */
        UNBOUND,
        /** It is there, and Kubernetes says that its volume is not. */
        LOST,
        /** It is not there, or another one has its name. */
        GONE
    }

    Optional<VolumeObject> read(String name) {
        ApiRequest request = ApiRequest.get(path(name), "reading the PersistentVolume " + name);
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject object) -> Optional.of(new VolumeObject(object));
            case ApiAnswer.Refused refused when refused.isNotFound() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    Claim read(ClaimReference claim) {
        ApiRequest request = ApiRequest.get(claim.path(), "reading the claim " + claim);
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject object) -> {
                boolean same = Json.text(Json.child(object, "metadata"), "uid")
                        .filter(claim.uid()::equals)
                        .isPresent();
                String phase = Json.text(Json.child(object, "status"), "phase").orElse("");
                yield same ? ofPhase(phase) : Claim.GONE;
            }
            case ApiAnswer.Refused refused when refused.isNotFound() -> Claim.GONE;
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    private static Claim ofPhase(String phase) {
        return switch (phase) {
            case "Bound" -> Claim.BOUND;
            case "Lost" -> Claim.LOST;
            default -> Claim.UNBOUND;
        };
    }

    /**
     * Says what came of a change.
     *
     * @param done whether it was made; if neither, the volume is no longer what was seen
     * @param refusal why the server refuses it of the very version that was seen; empty if it does not
     */
    record Effect(boolean done, Optional<String> refusal) {}

    Effect change(VolumeObject seen, JsonArray steps) {
        return effect(seen, ApiRequest.steps(path(seen.name()), steps, "changing the PersistentVolume " + seen.name()));
    }

    Effect delete(VolumeObject seen) {
        return effect(
                seen,
                ApiRequest.delete(
                        path(seen.name()),
                        seen.uid(),
                        seen.version(),
                        "replacing the PersistentVolume " + seen.name()));
    }

    private Effect effect(VolumeObject seen, ApiRequest request) {
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> new Effect(true, Optional.empty());
            case ApiAnswer.Refused refused when refused.isNotFound() -> new Effect(false, Optional.empty());
            case ApiAnswer.Refused refused
            when refused.isOutdated() ->
                // A server that will not take a change says the same as one to which it comes too late.
                new Effect(false, isStill(seen) ? Optional.of(text(refused)) : Optional.empty());
            // A policy's webhook denies by 403 or 400, and would do so each time.
            case ApiAnswer.Refused refused when refused.isDenied() -> new Effect(false, Optional.of(text(refused)));
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    private boolean isStill(VolumeObject seen) {
        return read(seen.name())
                .filter(now -> now.uid().equals(seen.uid()) && now.version().equals(seen.version()))
                .isPresent();
    }

    private static String text(ApiAnswer.Refused refused) {
        return refused.status() + " " + refused.message();
    }

    /** Returns why the server would not delete a volume; empty if it would. It deletes nothing. */
    Optional<String> refusalOfDeletion(VolumeObject seen) {
        ApiRequest request = ApiRequest.trialOfDeletion(
                path(seen.name()), seen.uid(), seen.version(), "trying to delete " + seen.name());
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> Optional.empty();
            case ApiAnswer.Refused refused -> Optional.of(text(refused));
        };
    }

    /** Creates a volume; does nothing if there is one of its name. */
    void create(String name, JsonObject volume) {
        ApiRequest request =
                ApiRequest.once(Verb.POST, VolumeObject.KIND, volume, "creating the PersistentVolume " + name);
        switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> {}
            case ApiAnswer.Refused refused when refused.isThereAlready() -> {}
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        }
    }

    /**
     * Says whether the server would take a new affinity in the object that is there, or why it refuses any change of
     * it; if neither, only this field is fixed. It changes nothing.
     */
    Effect trial(VolumeObject seen, NodeAffinity affinity) {
        JsonArray steps = VolumeSteps.on(seen).affinity(affinity).all();
        ApiRequest request = ApiRequest.steps(path(seen.name()), steps, "trying to change " + seen.name() + " in place")
                .dryRun();
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> new Effect(true, Optional.empty());
            case ApiAnswer.Refused refused
            when refused.status() == FIXED || refused.isNotFound() -> new Effect(false, Optional.empty());
            case ApiAnswer.Refused refused when refused.isDenied() -> new Effect(false, Optional.of(text(refused)));
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    /** Returns why the server would not take a volume if it were new; empty if it would. It changes nothing. */
    Optional<String> refusal(JsonObject volume, String name) {
        JsonObject trial = volume.deepCopy();
        String other = "fairlead-trial-" + HexFormat.of().formatHex(Digests.sha256(name), 0, NAME_BYTES);
        Json.child(trial, "metadata").addProperty("name", other);
        ApiRequest request = ApiRequest.once(Verb.POST, VolumeObject.KIND, trial, "trying to create " + name)
                .dryRun();
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> Optional.empty();
            case ApiAnswer.Refused refused -> Optional.of(text(refused));
        };
    }

    private static List<String> path(String name) {
        return Stream.concat(VolumeObject.KIND.stream(), Stream.of(name)).toList();
    }
}
