package dev.fairlead.adapter.k8s.node;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tries once to remove a taint from a Node.
 *
 * <p>Each step of the change says what it found, so another's change in between makes all of it fail, and nobody's
 * taint is lost: not even that of a controller which has just found that the node must not be used.
 */
public final class NodeTaint {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApiClient api;
    private final TaintSettings settings;

    public NodeTaint(ApiClient api, TaintSettings settings) {
        this.api = api;
        this.settings = settings;
    }

    /** Says what came of a try. */
    sealed interface Outcome {
        /** This try has removed the taint. */
        record Removed() implements Outcome {}

        /** The node has no such taint. */
        record Absent() implements Outcome {}

        /** The taint stays for now. */
        record NotYet(String why) implements Outcome {}
    }

    /** @throws StorageException if the API server refuses or cannot be asked */
    Outcome lift() {
        ApiRequest request = ApiRequest.get(path("api", "v1", "nodes"), "reading the taints of the node " + node());
        return switch (api.ask(request, PATIENCE)) {
            case ApiAnswer.Done(JsonObject object) -> lift(object);
            case ApiAnswer.Refused refused
            when refused.isNotFound() -> new Outcome.NotYet("kubelet has not registered the node");
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    private Outcome lift(JsonObject object) {
        JsonArray steps = steps(Json.child(object, "spec"));
        if (steps.isEmpty()) {
            return new Outcome.Absent();
        }
        Set<String> missing = new HashSet<>(settings.drivers());
        missing.removeAll(registered());
        if (!missing.isEmpty()) {
            return new Outcome.NotYet("its CSINode does not list "
                    + String.join(", ", missing.stream().sorted().toList()));
        }
        ApiRequest request = ApiRequest.steps(
                path("api", "v1", "nodes"), steps, "removing the taint " + settings.key() + " of the node " + node());
        return switch (api.ask(request, PATIENCE)) {
            case ApiAnswer.Done _ -> new Outcome.Removed();
            case ApiAnswer.Refused refused
            when refused.isOutdated() -> new Outcome.NotYet("somebody else changed the node's taints");
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    /** Returns the steps from the last taint to the first, since those that follow a removed one move up. */
    private JsonArray steps(JsonObject spec) {
        JsonArray steps = new JsonArray();
        List<JsonObject> taints = Json.objects(spec, "taints");
        for (int i = taints.size() - 1; i >= 0; i--) {
            if (Json.text(taints.get(i), "key").filter(settings.key()::equals).isPresent()) {
                JsonObject test = step("test", i);
                test.add("value", taints.get(i));
                steps.add(test);
                steps.add(step("remove", i));
            }
        }
        return steps;
    }

    private static JsonObject step(String operation, int taint) {
        JsonObject step = new JsonObject();
        step.addProperty("op", operation);
        step.addProperty("path", "/spec/taints/" + taint);
        return step;
    }

    private Set<String> registered() {
        ApiRequest request = ApiRequest.get(
                path("apis", "storage.k8s.io", "v1", "csinodes"), "reading the CSINode of the node " + node());
        Set<String> names = new HashSet<>();
        switch (api.ask(request, PATIENCE)) {
            case ApiAnswer.Done(JsonObject object) ->
                Json.objects(Json.child(object, "spec"), "drivers")
                        .forEach(driver -> Json.text(driver, "name").ifPresent(names::add));
            case ApiAnswer.Refused refused when refused.isNotFound() -> {
                // kubelet makes it when the first driver registers.
            }
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        }
        return names;
    }

    private List<String> path(String... collection) {
        return Stream.concat(Stream.of(collection), Stream.of(node())).toList();
    }

    private String node() {
        return settings.node();
    }
}
