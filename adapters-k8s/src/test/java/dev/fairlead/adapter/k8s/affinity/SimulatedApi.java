package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The objects of an API server with what matters here: versions, preconditions, finalizers, an affinity that is fixed,
 * trial runs; and the controllers that look after volumes: claims are Lost and bound again, and storage is deleted when
 * a volume is released with the policy Delete.
 */
final class SimulatedApi implements ApiCalls {
    private final Map<String, JsonObject> objects = new TreeMap<>();
    private final Set<String> deletedStorage = new TreeSet<>();
    private final List<String> lost = new ArrayList<>();
    private boolean mutableAffinity;
    private boolean slowController;
    private long version = 1;

    void allowMutableAffinity() {
        mutableAffinity = true;
    }

    /** From now on the controllers do nothing until they are let. */
    void holdControllers(boolean hold) {
        slowController = hold;
        controllers();
    }

    JsonObject add(String path, String json) {
        JsonObject object = Json.object(json).orElseThrow();
        object.getAsJsonObject("metadata").addProperty("uid", UUID.randomUUID().toString());
        return stored(path, object);
    }

    /** A controller's or a person's own change. */
    JsonObject put(String path, JsonObject object) {
        return stored(path, object.deepCopy());
    }

    Optional<JsonObject> get(String path) {
        return Optional.ofNullable(objects.get(path)).map(JsonObject::deepCopy);
    }

    private JsonObject object(String path) {
        return Objects.requireNonNull(objects.get(path));
    }

    List<String> paths(String prefix) {
        return objects.keySet().stream().filter(path -> path.startsWith(prefix)).toList();
    }

    void remove(String path) {
        objects.remove(path);
        controllers();
    }

    /** A person deletes an object: it stays until its finalizers are gone. */
    void deleteByHand(String path) {
        deleted(path, object(path));
        controllers();
    }

    Set<String> deletedStorage() {
        return Set.copyOf(deletedStorage);
    }

    List<String> lostClaims() {
        return List.copyOf(lost);
    }

    @Override
    public ApiAnswer ask(ApiRequest request, Duration patience) {
        ApiAnswer answer = answer(request);
        if (request.verb() != ApiRequest.Verb.GET) {
            controllers();
        }
        return answer;
    }

    private ApiAnswer answer(ApiRequest request) {
        String path = String.join("/", request.path());
        boolean trial = request.query().containsKey("dryRun");
        JsonElement body = request.body().orElseGet(JsonObject::new);
        return switch (request.verb()) {
            case GET -> objects.containsKey(path) ? done(path) : listed(path);
            case POST -> posted(path, body.getAsJsonObject(), trial);
            case DELETE -> deletedIf(path, body.getAsJsonObject());
            case STEPS -> stepped(path, body.getAsJsonArray(), trial);
            case PUT, PATCH -> throw new IllegalStateException(request.toString());
        };
    }

    private ApiAnswer done(String path) {
        return new ApiAnswer.Done(object(path).deepCopy());
    }

    private ApiAnswer listed(String path) {
        if (!path.endsWith("s")) {
            return refused(404, "NotFound");
        }
        JsonArray items = new JsonArray();
        paths(path + "/").forEach(one -> items.add(object(one).deepCopy()));
        JsonObject list = new JsonObject();
        list.addProperty("kind", "List");
        list.add("items", items);
        return new ApiAnswer.Done(list);
    }

    private ApiAnswer posted(String kind, JsonObject body, boolean trial) {
        JsonObject object = body.deepCopy();
        JsonObject metadata = object.getAsJsonObject("metadata");
        String path = kind + "/" + metadata.get("name").getAsString();
        if (objects.containsKey(path)) {
            return refused(409, "AlreadyExists");
        }
        if (metadata.has("uid") || metadata.has("resourceVersion") || object.has("status")) {
            return refused(422, "Invalid");
        }
        metadata.addProperty("uid", UUID.randomUUID().toString());
        return trial
                ? new ApiAnswer.Done(object)
                : new ApiAnswer.Done(stored(path, object).deepCopy());
    }

    /** As the server does: where a deletion has options in its body, those of its query do not count. */
    private ApiAnswer deletedIf(String path, JsonObject options) {
        JsonObject wanted = Json.child(options, "preconditions");
        JsonObject object = objects.get(path);
        if (object == null) {
            return refused(404, "NotFound");
        }
        JsonObject metadata = object.getAsJsonObject("metadata");
        for (String key : wanted.keySet()) {
            if (!wanted.get(key).equals(metadata.get(key))) {
                return refused(409, "Conflict");
            }
        }
        if (!Json.texts(options, "dryRun").contains("All")) {
            deleted(path, object);
        }
        return new ApiAnswer.Done(object.deepCopy());
    }

    private void deleted(String path, JsonObject object) {
        JsonObject metadata = object.getAsJsonObject("metadata");
        if (Json.texts(metadata, "finalizers").isEmpty()) {
            objects.remove(path);
        } else if (!metadata.has("deletionTimestamp")) {
            metadata.addProperty("deletionTimestamp", "2026-01-01T00:00:00Z");
            stored(path, object);
        }
    }

    private ApiAnswer stepped(String path, JsonArray steps, boolean trial) {
        JsonObject before = objects.get(path);
        if (before == null) {
            return refused(404, "NotFound");
        }
        Optional<JsonObject> after = ObjectPatch.apply(before, steps);
        if (after.isEmpty() || !mayChange(before, after.get())) {
            return refused(422, "Invalid");
        }
        if (!trial) {
            stored(path, after.get());
            JsonObject metadata = after.get().getAsJsonObject("metadata");
            if (metadata.has("deletionTimestamp")
                    && Json.texts(metadata, "finalizers").isEmpty()) {
                objects.remove(path);
            }
        }
        return new ApiAnswer.Done(after.get().deepCopy());
    }

    private boolean mayChange(JsonObject before, JsonObject after) {
        JsonElement old = Json.child(before, "spec").get("nodeAffinity");
        return mutableAffinity
                || old == null
                || old.equals(Json.child(after, "spec").get("nodeAffinity"));
    }

    private JsonObject stored(String path, JsonObject object) {
        object.getAsJsonObject("metadata").addProperty("resourceVersion", Long.toString(version++));
        objects.put(path, object);
        return object;
    }

    private static ApiAnswer refused(int status, String reason) {
        return new ApiAnswer.Refused(status, reason, "");
    }

    private void controllers() {
        if (slowController) {
            return;
        }
        for (String path : List.copyOf(objects.keySet())) {
            if (path.contains("/persistentvolumeclaims/")) {
                claim(path, object(path));
            }
        }
        for (String path : paths("api/v1/persistentvolumes/")) {
            volume(path, object(path));
        }
    }

    private void claim(String path, JsonObject claim) {
        JsonObject volume = objects.get("api/v1/persistentvolumes/"
                + claim.getAsJsonObject("spec").get("volumeName").getAsString());
        boolean mine = volume != null
                && claim.getAsJsonObject("metadata")
                        .get("uid")
                        .equals(Json.child(Json.child(volume, "spec"), "claimRef")
                                .get("uid"));
        phase(path, claim, mine ? "Bound" : "Lost");
        if (!mine) {
            lost.add(path);
        }
    }

    private void volume(String path, JsonObject object) {
        VolumeObject volume = new VolumeObject(object);
        if (volume.claim().isEmpty()) {
            phase(path, object, "Available");
            return;
        }
        boolean there = volume.claim()
                .map(claim -> objects.get(String.join("/", claim.path())))
                .filter(claim -> claim.getAsJsonObject("metadata")
                        .get("uid")
                        .getAsString()
                        .equals(volume.claim().orElseThrow().uid()))
                .isPresent();
        phase(path, object, there ? "Bound" : "Released");
        if (!there && volume.policy().equals("Delete")) {
            deletedStorage.add(volume.handle());
        }
    }

    private void phase(String path, JsonObject object, String phase) {
        if (!Json.text(Json.child(object, "status"), "phase")
                .filter(phase::equals)
                .isPresent()) {
            JsonObject status = new JsonObject();
            status.addProperty("phase", phase);
            object.add("status", status);
            stored(path, object);
        }
    }
}
