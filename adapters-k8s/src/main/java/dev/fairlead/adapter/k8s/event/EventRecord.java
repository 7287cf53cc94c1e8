package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.domain.failure.Excerpt;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/**
 * Holds a {@code v1} Event about an object of the cluster.
 *
 * @param component the program that tells it
 * @param about a reference to the object
 * @param reason one word for programs
 * @param message for people; a server takes 1024 bytes
 */
public record EventRecord(String component, JsonObject about, boolean warning, String reason, String message) {
    /** The greatest length in characters of a text that holds words of others. */
    private static final int LONGEST = 900;

    /** Returns a reference to an object of the cluster; its uid may be empty. */
    public static JsonObject about(String version, String kind, String name, String uid) {
        JsonObject about = new JsonObject();
        about.addProperty("apiVersion", version);
        about.addProperty("kind", kind);
        about.addProperty("name", name);
        if (!uid.isEmpty()) {
            about.addProperty("uid", uid);
        }
        return about;
    }

    /** Returns a reference to an object of a namespace; its uid may be empty. */
    public static JsonObject about(String version, String kind, String namespace, String name, String uid) {
        JsonObject about = about(version, kind, name, uid);
        about.addProperty("namespace", namespace);
        return about;
    }

    /** Returns a text that holds words of others, as an excerpt on one line, and with its code at the start. */
    public static String onOneLine(String text) {
        String quoted = Excerpt.of(text, LONGEST);
        return quoted.substring(1, quoted.length() - 1);
    }

    /** Returns the request that records this as a new event of a namespace. */
    public ApiRequest request(String namespace, Instant now) {
        List<String> path = List.of("api", "v1", "namespaces", namespace, "events");
        JsonObject event = object(namespace, component + "." + UUID.randomUUID(), 1, now);
        return ApiRequest.once(Verb.POST, path, event, "recording an event");
    }

    /** Returns the Event with this name. */
    JsonObject object(String namespace, String name, int count, Instant now) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", name);
        metadata.addProperty("namespace", namespace);
        JsonObject source = new JsonObject();
        source.addProperty("component", component);
        JsonObject event = new JsonObject();
        event.addProperty("apiVersion", "v1");
        event.addProperty("kind", "Event");
        event.add("metadata", metadata);
        event.add("involvedObject", about);
        event.add("source", source);
        event.addProperty("type", warning ? "Warning" : "Normal");
        event.addProperty("reason", reason);
        event.addProperty("message", message);
        event.addProperty("firstTimestamp", time);
        event.addProperty("lastTimestamp", time);
        event.addProperty("count", count);
        return event;
    }
}
