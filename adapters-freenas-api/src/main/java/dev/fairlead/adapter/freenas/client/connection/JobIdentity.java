package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.http.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells a job from another one that has its number by now: a box that restarts forgets its jobs, and begins to count
 * them anew. On the socket by which it was begun it is surely the same one, since a restart ends each socket. Anywhere
 * else its method and its arguments have to be the same, or the time at which it was started.
 */
final class JobIdentity {
    private final ApiJob job;
    private final Optional<Session> begunBy;
    private Optional<JsonElement> started = Optional.empty();

    /** @param begunBy the session by which it was begun; empty if that is not known */
    JobIdentity(ApiJob job, Optional<Session> begunBy) {
        this.job = job;
        this.begunBy = begunBy.filter(session -> !session.release().overRest());
    }

    /** Says whether what a box tells of a job of the number is surely about this job. */
    boolean isSurely(JsonObject seen, Session by) {
        boolean same = begunBy.filter(by::equals).isPresent() ? isOfMethod(seen) : isKnown(seen);
        boolean waits = Json.text(seen, "state").filter("WAITING"::equals).isPresent();
        if (same && !waits) {
            started = time(seen).or(() -> started);
        }
        return same;
    }

    /** Says the same of what was told over another session. */
    boolean isKnown(JsonObject seen) {
        return isOfMethod(seen)
                && (started.isPresent() ? started.equals(time(seen)) : fit(job.arguments(), seen.get("arguments")));
    }

    private boolean isOfMethod(JsonObject seen) {
        return Json.text(seen, "method").filter(job.method()::equals).isPresent();
    }

    private static Optional<JsonElement> time(JsonObject seen) {
        return Optional.ofNullable(seen.get("time_started")).filter(JsonElement::isJsonObject);
    }

    private static boolean fit(List<JsonElement> sent, @Nullable JsonElement seen) {
        if (seen == null || !seen.isJsonArray() || seen.getAsJsonArray().size() < sent.size()) {
            return false;
        }
        JsonArray all = seen.getAsJsonArray();
        for (int i = 0; i < sent.size(); i++) {
            if (!fits(sent.get(i), all.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Says whether a box may show a value like this: with defaults filled in, and asterisks instead of secrets. */
    private static boolean fits(JsonElement sent, JsonElement seen) {
        if (seen.isJsonPrimitive() && seen.getAsString().matches("\\*{3,}")) {
            return true;
        }
        if (sent.isJsonArray()) {
            return seen.isJsonArray()
                    && seen.getAsJsonArray().size() == sent.getAsJsonArray().size()
                    && fit(sent.getAsJsonArray().asList(), seen);
        }
        if (!sent.isJsonObject()) {
            return sent.equals(seen);
        }
        return seen.isJsonObject()
                && sent.getAsJsonObject().entrySet().stream()
                        .allMatch(field -> seen.getAsJsonObject().has(field.getKey())
                                && fits(field.getValue(), seen.getAsJsonObject().get(field.getKey())));
    }
}
