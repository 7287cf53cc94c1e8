package dev.fairlead.adapter.k8s;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request to the API server.
 *
 * @param path below the server's address, a segment each
 * @param query what follows it, such as the size of a page
 * @param what it is for, in words for people, such as {@code renewing the Lease storage/csi}
 * @param repeatable whether sending it twice does what sending it once does
 */
record ApiRequest(
        Verb verb,
        List<String> path,
        Map<String, String> query,
        Optional<JsonElement> body,
        String what,
        boolean repeatable) {
    static final String JSON = "application/json";

    /** What to do with an object. */
    enum Verb {
        GET("GET", JSON),
        POST("POST", JSON),
        PUT("PUT", JSON),
        /** Sets the fields that are given. */
        PATCH("PATCH", "application/merge-patch+json"),
        /** Does step by step what is given, all of it or nothing. */
        STEPS("PATCH", "application/json-patch+json");

        private final String method;
        private final String mediaType;

        Verb(String method, String mediaType) {
            this.method = method;
            this.mediaType = mediaType;
        }

        String method() {
            return method;
        }

        String mediaType() {
            return mediaType;
        }
    }

    static ApiRequest get(List<String> path, String what) {
        return get(path, Map.of(), what);
    }

    static ApiRequest get(List<String> path, Map<String, String> query, String what) {
        return new ApiRequest(Verb.GET, path, query, Optional.empty(), what, true);
    }

    static ApiRequest once(Verb verb, List<String> path, JsonObject body, String what) {
        return new ApiRequest(verb, path, Map.of(), Optional.of(body), what, false);
    }

    /** For a POST that names its object, and a PATCH that sets fields to values of its own. */
    static ApiRequest repeatable(Verb verb, List<String> path, JsonObject body, String what) {
        return new ApiRequest(verb, path, Map.of(), Optional.of(body), what, true);
    }

    /** Steps that hold only for what was read before; whoever sends them reads anew where they did not. */
    static ApiRequest steps(List<String> path, JsonArray steps, String what) {
        return new ApiRequest(Verb.STEPS, path, Map.of(), Optional.of(steps), what, false);
    }
}
