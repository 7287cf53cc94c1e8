package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.adapter.k8s.event.ClaimSearch.VolumeClaim;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.HealthReason;
import dev.fairlead.http.Json;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Writes the events on claims, whose names are made of what they are about.
 *
 * @param node the name of this node
 */
record ClaimEventWriter(ApiClient api, String node, InstantSource wall) {
    private static final int UNAUTHORIZED = 401;
    private static final int LONGEST_NAME = 200;

    /** Names what began or ended. */
    record ClaimCondition(VolumeClaim claim, String handle, HealthReason reason) {}

    /**
     * Tells that something began. If the event is there already, a former process has told it, and it is left unless
     * its end was told since.
     *
     * @return why the server takes no such event, however often it is asked; empty if it took it
     * @throws StorageException if the server does not work, or does not know this process
     */
    Optional<StorageException> begin(ClaimCondition condition) {
        return write(condition, true);
    }

    /**
     * Tells that something has ended, at a later time if that was told before.
     *
     * @return as {@link #begin}
     */
    Optional<StorageException> end(ClaimCondition condition) {
        return write(condition, false);
    }

    private Optional<StorageException> write(ClaimCondition condition, boolean begins) {
        VolumeClaim claim = condition.claim();
        JsonObject about =
                EventRecord.about("v1", "PersistentVolumeClaim", claim.namespace(), claim.name(), claim.uid());
        EventRecord event = new EventRecord(
                "fairlead", about, begins, begins ? "VolumeAbnormal" : "VolumeRecovered", text(condition, begins));
        JsonObject made = event.object(claim.namespace(), name(condition, begins), 1, wall.instant());
        return switch (api.ask(ApiRequest.repeatable(Verb.POST, path(claim), made, what(claim)), PodEvents.PATIENCE)) {
            case ApiAnswer.Done _ -> Optional.empty();
            case ApiAnswer.Refused refusal
            when refusal.isThereAlready() -> begins && !isOver(condition) ? Optional.empty() : renew(condition, begins);
            case ApiAnswer.Refused refusal -> refused(claim, refusal);
        };
    }

    private String text(ClaimCondition condition, boolean begins) {
        return condition.reason().camelCase() + " on node " + node + ": "
                + (begins ? ClaimWords.of(condition.reason()) : ClaimWords.OVER);
    }

    /** Says whether the end is the last word on the server. */
    private boolean isOver(ClaimCondition condition) {
        Optional<Instant> end = lastTime(condition, false);
        return end.isPresent()
                && lastTime(condition, true).filter(end.get()::isBefore).isEmpty();
    }

    /** Reads an event by a change that changes nothing, so that the right to read all events is not needed. */
    private Optional<Instant> lastTime(ClaimCondition condition, boolean begins) {
        return switch (patch(condition, begins, new JsonObject())) {
            case ApiAnswer.Done(JsonObject event) ->
                Json.text(event, "lastTimestamp").flatMap(ClaimEventWriter::time);
            case ApiAnswer.Refused refusal -> {
                var _ = refused(condition.claim(), refusal);
                yield Optional.empty();
            }
        };
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** Gives the event of what has begun or ended before the time of now. */
    private Optional<StorageException> renew(ClaimCondition condition, boolean begins) {
        JsonObject change = new JsonObject();
        change.addProperty(
                "lastTimestamp", wall.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        change.addProperty("message", text(condition, begins));
        return switch (patch(condition, begins, change)) {
            case ApiAnswer.Done _ -> Optional.empty();
            case ApiAnswer.Refused refusal
            when refusal.isNotFound() -> // the server has forgotten it just now, and takes a new one later
                throw ApiFailures.refused(what(condition.claim()), refusal);
            case ApiAnswer.Refused refusal -> refused(condition.claim(), refusal);
        };
    }

    private ApiAnswer patch(ClaimCondition condition, boolean begins, JsonObject change) {
        List<String> own = Stream.concat(path(condition.claim()).stream(), Stream.of(name(condition, begins)))
                .toList();
        return api.ask(ApiRequest.repeatable(Verb.PATCH, own, change, what(condition.claim())), PodEvents.PATIENCE);
    }

    /** Returns what a namespace has against an event; a process that the server does not know is refused everywhere. */
    private static Optional<StorageException> refused(VolumeClaim claim, ApiAnswer.Refused refusal) {
        StorageException why = ApiFailures.refused(what(claim), refusal);
        if (refusal.status() == UNAUTHORIZED) {
            throw why;
        }
        return Optional.of(why);
    }

    private static List<String> path(VolumeClaim claim) {
        return List.of("api", "v1", "namespaces", claim.namespace(), "events");
    }

    private static String what(VolumeClaim claim) {
        return "recording an event on the claim " + claim.namespace() + "/" + claim.name();
    }

    private String name(ClaimCondition condition, boolean begins) {
        VolumeClaim claim = condition.claim();
        String about = String.join(
                "\n", node, claim.uid(), condition.handle(), condition.reason().label(), Boolean.toString(begins));
        String hash = UUID.nameUUIDFromBytes(about.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        return claim.name().substring(0, Math.min(claim.name().length(), LONGEST_NAME)) + "." + hash;
    }
}
