package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Reading;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps the intents of replacements in ConfigMaps of one namespace. */
final class IntentStore {
    /** The greatest length of an intent in characters, each of which may have three bytes. */
    private static final int LONGEST = 90_000;

    /** The intents in a page: as many of the longest as fit into the longest answer that is read. */
    private static final String PAGE = "3";

    private final ApiCalls api;
    private final String namespace;
    private final Duration patience;
    private final String label;

    IntentStore(ApiCalls api, String namespace, Duration patience) {
        this(api, namespace, patience, ReplacementIntent.LABEL);
    }

    /** @param label the label of the intents that are listed; any is read by its name */
    IntentStore(ApiCalls api, String namespace, Duration patience, String label) {
        this.api = api;
        this.namespace = namespace;
        this.patience = patience;
        this.label = label;
    }

    /** Lists the ends of an attempt to write an intent. */
    enum Attempt {
        WRITTEN,
        THERE_ALREADY,
        TOO_LONG
    }

    Attempt write(ReplacementIntent intent) {
        JsonObject object = intent.configMap(namespace);
        if (object.toString().length() > LONGEST) {
            return Attempt.TOO_LONG;
        }
        ApiRequest request = ApiRequest.once(
                Verb.POST,
                kind(),
                object,
                "recording what is to become of " + intent.original().name());
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> Attempt.WRITTEN;
            case ApiAnswer.Refused refused when refused.isThereAlready() -> Attempt.THERE_ALREADY;
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    /** Returns the intent of this name; empty if there is none. */
    Optional<Reading> read(String map) {
        ApiRequest request = ApiRequest.get(path(map), "reading the intent " + map);
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject object) -> Optional.of(ReplacementIntent.read(object));
            case ApiAnswer.Refused refused when refused.isNotFound() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    /** Returns all intents; they are few. */
    List<Reading> all() {
        List<Reading> all = new ArrayList<>();
        Map<String, String> query = new HashMap<>(Map.of("labelSelector", label + "=true", "limit", PAGE));
        while (true) {
            ApiRequest request = ApiRequest.get(kind(), Map.copyOf(query), "listing intents");
            switch (api.ask(request, patience)) {
                case ApiAnswer.Done(JsonObject list) -> {
                    Json.objects(list, "items").forEach(item -> all.add(ReplacementIntent.read(item)));
                    String more =
                            Json.text(Json.child(list, "metadata"), "continue").orElse("");
                    if (more.isEmpty()) {
                        return List.copyOf(all);
                    }
                    query.put("continue", more);
                }
                case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
            }
        }
    }

    /** Notes another stage of the intent; false if another has changed it meanwhile. */
    boolean note(ReplacementIntent intent) {
        JsonArray steps = new JsonArray();
        steps.add(step("test", "/metadata/resourceVersion", new JsonPrimitive(intent.version())));
        steps.add(step("add", "/data", intent.data()));
        ApiRequest request = ApiRequest.steps(path(intent.map()), steps, "noting a step of " + intent.map());
        return wasDone(request);
    }

    /** Removes an intent and what keeps others from removing it; false if another has changed it meanwhile. */
    boolean remove(ReplacementIntent intent) {
        JsonArray steps = new JsonArray();
        steps.add(step("test", "/metadata/uid", new JsonPrimitive(intent.mapUid())));
        steps.add(step("test", "/metadata/resourceVersion", new JsonPrimitive(intent.version())));
        steps.add(step("add", "/metadata/finalizers", new JsonArray()));
        ApiRequest request = ApiRequest.steps(path(intent.map()), steps, "letting go of the intent " + intent.map());
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done(JsonObject object) -> {
                String version = Json.text(Json.child(object, "metadata"), "resourceVersion")
                        .orElse("");
                ApiRequest deletion = ApiRequest.delete(
                        path(intent.map()), intent.mapUid(), version, "removing the intent " + intent.map());
                yield api.ask(deletion, patience) instanceof ApiAnswer.Refused refused
                        ? isGone(deletion, refused)
                        : true;
            }
            case ApiAnswer.Refused refused -> isGone(request, refused);
        };
    }

    /** Says whether the intent is not there; false if another has changed it. */
    private static boolean isGone(ApiRequest request, ApiAnswer.Refused refused) {
        if (!refused.isNotFound() && !refused.isOutdated()) {
            throw ApiFailures.refused(request.what(), refused);
        }
        return refused.isNotFound();
    }

    private boolean wasDone(ApiRequest request) {
        return switch (api.ask(request, patience)) {
            case ApiAnswer.Done _ -> true;
            case ApiAnswer.Refused refused when refused.isOutdated() || refused.isNotFound() -> false;
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    private static JsonObject step(String operation, String path, JsonElement value) {
        JsonObject step = new JsonObject();
        step.addProperty("op", operation);
        step.addProperty("path", path);
        step.add("value", value);
        return step;
    }

    private List<String> kind() {
        return List.of("api", "v1", "namespaces", namespace, "configmaps");
    }

    private List<String> path(String map) {
        return Stream.concat(kind().stream(), Stream.of(map)).toList();
    }
}
