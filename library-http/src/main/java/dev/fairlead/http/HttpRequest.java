package dev.fairlead.http;

import com.google.gson.JsonElement;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes one request to a server.
 *
 * @param path the path below the server's address, a segment each; none is {@code .} or {@code ..}
 * @param query the parameters after the path, sent in their order; they may hold secrets, so neither a log nor
 *     {@link #toString} shows them
 * @param what the purpose, in words for people, such as {@code renewing the Lease storage/csi}
 * @param repeatable whether sending it twice does what sending it once does
 */
public record HttpRequest(
        Method method,
        List<String> path,
        Map<String, String> query,
        Optional<Body> body,
        String what,
        boolean repeatable) {
    /** The segments by which a path would leave the place below which it has to stay. */
    private static final Set<String> UPWARD = Set.of(".", "..");

    /** Says what a server is asked to do. */
    public enum Method {
        GET,
        POST,
        PUT,
        PATCH,
        DELETE;

        /** Says whether it changes nothing. */
        boolean isSafe() {
            return this == GET;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Holds a body as it is sent; it may hold secrets, so {@link #toString} does not show it. */
    public record Body(String mediaType, String text) {
        public static Body json(JsonElement json) {
            return new Body("application/json", json.toString());
        }

        byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return mediaType + ", " + text.length() + " characters";
        }
    }

    public HttpRequest {
        path = List.copyOf(path);
        path.stream().filter(UPWARD::contains).findFirst().ifPresent(segment -> {
            throw new IllegalArgumentException("path: has the segment '" + segment + "' (expected: names)");
        });
        query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
    }

    /** Returns a request that only reads. */
    public static HttpRequest get(List<String> path, Map<String, String> query, String what) {
        return new HttpRequest(Method.GET, path, query, Optional.empty(), what, true);
    }

    /** Returns the path as a log may show it. */
    String place() {
        return String.join("/", path);
    }

    @Override
    public String toString() {
        return method + " " + place();
    }
}
