package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.http.HttpRequest;
import dev.fairlead.http.HttpRequest.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Describes one request to the API server.
 *
 * @param path the path below the server's address, a segment each
 * @param query the query parameters, such as the size of a page
 * @param what the purpose, in words for people, such as {@code renewing the Lease storage/csi}
 * @param repeatable whether sending it twice does what sending it once does
 */
public record ApiRequest(
        Verb verb,
        List<String> path,
        Map<String, String> query,
        Optional<JsonElement> body,
        String what,
        boolean repeatable) {
    static final String JSON = "application/json";

    /** Says what to do with an object. */
    public enum Verb {
        GET(Method.GET, JSON),
        POST(Method.POST, JSON),
        PUT(Method.PUT, JSON),
        DELETE(Method.DELETE, JSON),
        /** Sets the fields that are given. */
        PATCH(Method.PATCH, "application/merge-patch+json"),
        /** Applies the given steps, all of them or none. */
        STEPS(Method.PATCH, "application/json-patch+json");

        private final Method method;
        private final String mediaType;

        Verb(Method method, String mediaType) {
            this.method = method;
            this.mediaType = mediaType;
        }

        String mediaType() {
            return mediaType;
        }
    }

    public static ApiRequest get(List<String> path, String what) {
        return get(path, Map.of(), what);
    }

    public static ApiRequest get(List<String> path, Map<String, String> query, String what) {
        return new ApiRequest(Verb.GET, path, query, Optional.empty(), what, true);
    }

    public static ApiRequest once(Verb verb, List<String> path, JsonObject body, String what) {
        return new ApiRequest(verb, path, Map.of(), Optional.of(body), what, false);
    }

    /**
     * Returns a request that may be repeated: a POST that names its object, or a PATCH that sets fields to fixed
     * values.
     */
    public static ApiRequest repeatable(Verb verb, List<String> path, JsonObject body, String what) {
        return new ApiRequest(verb, path, Map.of(), Optional.of(body), what, true);
    }

    /**
     * Returns a request of steps that hold only for what was read before; if they do not, the caller has to read anew.
     */
    public static ApiRequest steps(List<String> path, JsonArray steps, String what) {
        return new ApiRequest(Verb.STEPS, path, Map.of(), Optional.of(steps), what, false);
    }

    /** Returns a request to delete an object, if it is still the one that was seen. */
    public static ApiRequest delete(List<String> path, String uid, String version, String what) {
        return once(Verb.DELETE, path, deletion(uid, version), what);
    }

    /**
     * Returns the same as a trial. Where a deletion has a body, the server takes its options from there alone: a trial
     * that says so in its query only would delete.
     */
    public static ApiRequest trialOfDeletion(List<String> path, String uid, String version, String what) {
        JsonObject options = deletion(uid, version);
        JsonArray all = new JsonArray();
        all.add("All");
        options.add("dryRun", all);
        return once(Verb.DELETE, path, options, what);
    }

    private static JsonObject deletion(String uid, String version) {
        JsonObject preconditions = new JsonObject();
        preconditions.addProperty("uid", uid);
        preconditions.addProperty("resourceVersion", version);
        JsonObject options = new JsonObject();
        options.addProperty("apiVersion", "v1");
        options.addProperty("kind", "DeleteOptions");
        options.add("preconditions", preconditions);
        return options;
    }

    /** Returns the same request as a trial, which the server checks and does not carry out; not for deletions. */
    public ApiRequest dryRun() {
        if (verb == Verb.DELETE) {
            throw new IllegalStateException("a deletion says in its body that it is a trial");
        }
        return new ApiRequest(verb, path, Map.of("dryRun", "All"), body, what, true);
    }

    HttpRequest http() {
        var sent = body.map(json -> new HttpRequest.Body(verb.mediaType(), json.toString()));
        return new HttpRequest(verb.method, path, query, sent, what, repeatable);
    }
}
