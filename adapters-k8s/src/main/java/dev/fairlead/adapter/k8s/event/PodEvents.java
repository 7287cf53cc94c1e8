package dev.fairlead.adapter.k8s.event;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.api.ApiAnswer;
import dev.fairlead.adapter.k8s.api.ApiClient;
import dev.fairlead.adapter.k8s.api.ApiFailures;
import dev.fairlead.adapter.k8s.api.ApiRequest;
import dev.fairlead.adapter.k8s.api.ApiRequest.Verb;
import dev.fairlead.adapter.k8s.event.Waiting.Topic;
import dev.fairlead.application.port.out.cluster.Announcement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Records {@code v1} events on this pod, as {@code kubectl describe pod} shows them.
 *
 * <p>What happens again is counted in the existing event, as long as the server keeps it. For use by one thread.
 */
public final class PodEvents {
    /** The patience with one request: a slow server gets few events rather than a queue that never empties. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int MOST_REMEMBERED = 256;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_MESSAGE = 1024;

    private final ApiClient api;
    private final EventSettings pod;
    private final InstantSource wall;
    private final SequencedMap<Topic, Recorded> recorded = new LinkedHashMap<>();

    public PodEvents(ApiClient api, EventSettings pod, InstantSource wall) {
        this.api = api;
        this.pod = pod;
        this.wall = wall;
    }

    /** Describes an event that is on the server. */
    private record Recorded(String name, long count) {}

    /** @throws dev.fairlead.domain.failure.StorageException if the server did not take it */
    synchronized void record(Announcement announcement, int times) {
        Topic topic = Topic.of(announcement);
        Recorded before = recorded.remove(topic);
        Recorded now = before != null && counted(before, announcement, times)
                ? new Recorded(before.name(), before.count() + times)
                : made(announcement, times);
        recorded.putLast(topic, now);
        if (recorded.size() > MOST_REMEMBERED) {
            recorded.pollFirstEntry();
        }
    }

    /** Counts an event on the server; returns false if the server has forgotten it, as it does after an hour. */
    private boolean counted(Recorded before, Announcement announcement, int times) {
        JsonObject change = new JsonObject();
        change.addProperty("count", before.count() + times);
        change.addProperty("lastTimestamp", now());
        change.addProperty("message", message(announcement));
        ApiRequest request = ApiRequest.repeatable(Verb.PATCH, path(before.name()), change, "counting an event");
        return switch (api.ask(request, PATIENCE)) {
            case ApiAnswer.Done _ -> true;
            case ApiAnswer.Refused refused when refused.isNotFound() -> false;
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    private Recorded made(Announcement announcement, int times) {
        String shortPod = pod.pod().substring(0, Math.min(pod.pod().length(), LONGEST_NAME));
        String name = shortPod + "." + UUID.randomUUID().toString().replace("-", "");
        ApiRequest request =
                ApiRequest.repeatable(Verb.POST, path(), event(name, announcement, times), "recording an event");
        return switch (api.ask(request, PATIENCE)) {
            case ApiAnswer.Done _ -> new Recorded(name, times);
            // The name is new and this process's alone: an earlier attempt got through, and its answer did not.
            case ApiAnswer.Refused refused when refused.isThereAlready() -> new Recorded(name, times);
            case ApiAnswer.Refused refused -> throw ApiFailures.refused(request.what(), refused);
        };
    }

    private List<String> path(String... below) {
        return Stream.concat(Stream.of("api", "v1", "namespaces", pod.namespace(), "events"), Stream.of(below))
                .toList();
    }

    private JsonObject event(String name, Announcement announcement, int times) {
        JsonObject about = EventRecord.about("v1", "Pod", pod.namespace(), pod.pod(), pod.uid());
        Announcement.Kind kind = announcement.kind();
        return new EventRecord("fairlead", about, isWarning(kind), reason(kind), message(announcement))
                .object(pod.namespace(), name, times, wall.instant());
    }

    private static boolean isWarning(Announcement.Kind kind) {
        return switch (kind) {
            case CONNECTION_RECOVERED, VOLUME_RECOVERED, POOL_RECOVERED -> false;
            case CONNECTION_REJECTED,
                    CONNECTION_REMOVED,
                    FOLDER_TROUBLED,
                    ATTACHMENT_LEFT_OVER,
                    VOLUME_ABNORMAL,
                    POOL_ABNORMAL,
                    POOL_ON_SYSTEM_DISK,
                    POOL_ELSEWHERE -> true;
        };
    }

    private static String reason(Announcement.Kind kind) {
        return switch (kind) {
            case CONNECTION_REJECTED -> "ConnectionRejected";
            case CONNECTION_RECOVERED -> "ConnectionRecovered";
            case CONNECTION_REMOVED -> "ConnectionRemoved";
            case FOLDER_TROUBLED -> "ConnectionFolderTroubled";
            case ATTACHMENT_LEFT_OVER -> "AttachmentLeftOver";
            case VOLUME_ABNORMAL -> "VolumeAbnormal";
            case VOLUME_RECOVERED -> "VolumeRecovered";
            case POOL_ABNORMAL -> "PoolAbnormal";
            case POOL_ON_SYSTEM_DISK -> "PoolOnSystemDisk";
            case POOL_RECOVERED -> "PoolRecovered";
            case POOL_ELSEWHERE -> "PoolElsewhere";
        };
    }

    private static String message(Announcement announcement) {
        return cut(announcement.text());
    }

    /** Returns a text, cut to the greatest length in bytes that the server takes. */
    static String cut(String whole) {
        String text = whole;
        while (text.getBytes(StandardCharsets.UTF_8).length > LONGEST_MESSAGE) {
            text = text.substring(0, Math.max(0, text.length() * 9 / 10 - 1)) + "…";
        }
        return text;
    }

    private String now() {
        return wall.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
