package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds an object by something that the server cannot select: by the name that it most likely has, else by looking at
 * all of them, a page at a time.
 *
 * @param what the purpose, in words for people
 * @param end the time at which the search ends, by {@link System#nanoTime}
 */
public record ObjectSearch(ApiClient api, String what, long end) {
    /** The objects in a page: each may have twenty kilobytes within the limit of what is read. */
    private static final int PAGE = 50;

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

    public static ObjectSearch within(Duration patience, ApiClient api, String what) {
        return new ObjectSearch(api, what, System.nanoTime() + patience.toNanos());
    }

    /** @param name the name that the object most likely has; empty if none is likely */
    public Optional<JsonObject> find(List<String> kind, Optional<String> name, Predicate<JsonObject> wanted) {
        return name.flatMap(likely -> get(kind, likely)).filter(wanted).or(() -> amongAll(kind, wanted));
    }

    /** Says whether an object may have this name; a text that may not be a name is not put into a path either. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the object of this name; empty if there is none. */
    public Optional<JsonObject> get(List<String> kind, String name) {
        if (!isName(name)) {
            return Optional.empty();
        }
        List<String> path = Stream.concat(kind.stream(), Stream.of(name)).toList();
        return ask(ApiRequest.get(path, what));
    }

    /** Shows each object of a kind to a visitor. */
    public void each(List<String> kind, Consumer<JsonObject> visitor) {
        amongAll(kind, object -> {
            visitor.accept(object);
            return false;
        });
    }

    private Optional<JsonObject> amongAll(List<String> kind, Predicate<JsonObject> wanted) {
        Map<String, String> query = new HashMap<>(Map.of("limit", Integer.toString(PAGE)));
        while (true) {
            JsonObject page = page(ApiRequest.get(kind, Map.copyOf(query), what));
            Optional<JsonObject> found =
                    Json.objects(page, "items").stream().filter(wanted).findFirst();
            String more = Json.text(Json.child(page, "metadata"), "continue").orElse("");
            if (found.isPresent() || more.isEmpty()) {
                return found;
            }
            query.put("continue", more);
        }
    }

    /**
     * Replaces an object and returns true; returns false if somebody else wrote it since it was read, or it is gone.
     */
    public boolean put(List<String> kind, String name, JsonObject object) {
        List<String> path = Stream.concat(kind.stream(), Stream.of(name)).toList();
        return switch (api.ask(ApiRequest.once(Verb.PUT, path, object, what), left())) {
            case ApiAnswer.Done _ -> true;
            case ApiAnswer.Refused refused when refused.isConflict() || refused.isNotFound() -> false;
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(what, refused);
        };
    }

    private Duration left() {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (!left.isPositive()) {
            throw new StorageException(new Failure.ClusterUnavailable(what, "its answer was not complete in time"));
        }
        return left;
    }

    private Optional<JsonObject> ask(ApiRequest request) {
        return switch (api.ask(request, left())) {
            case ApiAnswer.Done(JsonObject object) -> Optional.of(object);
            case ApiAnswer.Refused refused when refused.isNotFound() -> Optional.empty();
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(what, refused);
        };
    }

    private JsonObject page(ApiRequest request) {
        return switch (api.ask(request, left())) {
            case ApiAnswer.Done(JsonObject object) -> object;
            // The server has forgotten the list that the token continues: it was begun minutes ago, or the server
            // lost it.
            case ApiAnswer.Refused refused
            when refused.status() == 410 ->
                throw new StorageException(new Failure.ClusterUnavailable(what, "its answer broke off"));
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(what, refused);
        };
    }
}
