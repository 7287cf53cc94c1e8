package dev.fairlead.adapter.k8s;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request to the API server.
 *
 * @param path below the server's address, a segment each
 * @param query what comes after it
 * @param what it is for, in words for people, such as {@code renewing the Lease storage/csi}
 * @param repeatable whether sending it twice does what sending it once does
 */
record ApiRequest(
        Verb verb,
        List<String> path,
        Map<String, String> query,
        Optional<JsonObject> body,
        String what,
        boolean repeatable) {
    static final String JSON = "application/json";

    /** What to do with an object. */
    enum Verb {
        GET(JSON),
        POST(JSON),
        PUT(JSON),
        /** Sets the fields that are given. */
        PATCH("application/merge-patch+json");

        private final String mediaType;

        Verb(String mediaType) {
            this.mediaType = mediaType;
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
}
