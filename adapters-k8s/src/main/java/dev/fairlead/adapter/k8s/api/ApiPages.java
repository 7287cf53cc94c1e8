package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonObject;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads lists page by page, since the length of an answer is bounded; keeps only what is taken from each object. A page
 * that is too long to be read is asked for again with a quarter of the objects, and so are all pages after it.
 */
public final class ApiPages {
    /** The objects in a page: so few that their annotations, which may be long, seldom fill an answer. */
    private static final int PAGE = 50;

    private static final int SHORTER = 4;

    private static final int EXPIRED = 410;
    private static final int MOST_BEGINNINGS = 3;

    private final ApiClient api;
    private final Duration patience;
    private int objects = PAGE;

    /** @param patience the patience with each page */
    public ApiPages(ApiClient api, Duration patience) {
        this.api = api;
        this.patience = patience;
    }

    /**
     * Holds what was taken from a whole list.
     *
     * @param version the version from which a watch goes on
     */
    public record TakenList<T>(List<T> taken, String version) {}

    /** Returns what is taken from all objects of a list; empty if the server knows no such list. */
    public <T> Optional<List<T>> read(List<String> path, String what, Function<JsonObject, Optional<T>> taking) {
        return list(path, what, taking).map(TakenList::taken);
    }

    /** Returns the same with the list's version. */
    public <T> Optional<TakenList<T>> list(List<String> path, String what, Function<JsonObject, Optional<T>> taking) {
        for (int beginning = 1; ; beginning++) {
            List<T> taken = new ArrayList<>();
            List<String> versions = new ArrayList<>();
            switch (through(path, what, taking, taken, versions)) {
                case ALL -> {
                    return Optional.of(new TakenList<>(taken, versions.getLast()));
                }
                case UNKNOWN -> {
                    return Optional.empty();
                }
                case EXPIRED -> {
                    if (beginning == MOST_BEGINNINGS) {
                        throw new StorageException(
                                new Failure.ClusterUnavailable(what, "the list changed faster than it could be read"));
                    }
                }
            }
        }
    }

    private enum End {
        ALL,
        UNKNOWN,
        /** The server has forgotten the token of the next page. */
        EXPIRED
    }

    private <T> End through(
            List<String> path,
            String what,
            Function<JsonObject, Optional<T>> taking,
            List<T> taken,
            List<String> versions) {
        String from = "";
        do {
            boolean within = !from.isEmpty();
            switch (page(path, from, what)) {
                case ApiAnswer.Done(JsonObject list) -> {
                    if (Json.text(list, "kind")
                            .filter(kind -> kind.endsWith("List"))
                            .isEmpty()) {
                        throw new StorageException(
                                new Failure.ClusterUnintelligible(what, "an object that is no list"));
                    }
                    Json.objects(list, "items")
                            .forEach(item -> taking.apply(item).ifPresent(taken::add));
                    JsonObject metadata = Json.child(list, "metadata");
                    versions.add(Json.text(metadata, "resourceVersion").orElse(""));
                    from = Json.text(metadata, "continue").orElse("");
                }
                case ApiAnswer.Refused refused
                when within && refused.status() == EXPIRED -> {
                    return End.EXPIRED;
                }
                // If an API group is not there, the server's front end answers, without a Status object.
                case ApiAnswer.Refused refused
                when refused.status() == 404 -> {
                    return End.UNKNOWN;
                }
                case ApiAnswer.Refused refused -> throw ApiFailures.refused(what, refused);
            }
        } while (!from.isEmpty());
        return End.ALL;
    }

    private ApiAnswer page(List<String> path, String from, String what) {
        while (objects > 1) {
            Optional<ApiAnswer> answer = api.askForPage(ApiRequest.get(path, query(from), what), patience);
            if (answer.isPresent()) {
                return answer.get();
            }
            objects = Math.max(1, objects / SHORTER);
        }
        return api.ask(ApiRequest.get(path, query(from), what), patience);
    }

    private Map<String, String> query(String from) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("limit", Integer.toString(objects));
        if (!from.isEmpty()) {
            query.put("continue", from);
        }
        return query;
    }
}
