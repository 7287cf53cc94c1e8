package dev.fairlead.adapter.freenas.client.socket;

import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Hands the ends of jobs, of which the box tells by events, to those who wait for them. The event may come before the
 * reply that tells the job's number, so the last ends are kept for a while.
 */
final class JobEvents {
    private static final Set<String> ENDS = Set.of("SUCCESS", "FAILED", "ABORTED");
    private static final int KEPT = 256;

    /** The most characters of an event that is kept; of a longer one the end of the job is asked for. */
    private static final int LONGEST = 1 << 14;

    private final Map<Long, JsonObject> ended = new LinkedHashMap<>();
    private final Map<Long, CompletableFuture<JsonObject>> awaited = new HashMap<>();

    /** Takes a message that is no reply, and that had so many characters. */
    void told(JsonObject message, int length) {
        JsonObject params = Json.child(message, "params");
        if (Json.text(params, "collection").filter("core.get_jobs"::equals).isPresent()) {
            changed(Json.child(params, "fields"), length <= LONGEST);
        }
    }

    private void changed(JsonObject job, boolean isKept) {
        Optional<Long> id = Json.number(job, "id");
        if (id.isEmpty() || !isEnd(job)) {
            return;
        }
        Optional<CompletableFuture<JsonObject>> waiting = end(id.get(), job, isKept);
        waiting.ifPresent(future -> future.complete(job));
    }

    private synchronized Optional<CompletableFuture<JsonObject>> end(long id, JsonObject job, boolean isKept) {
        if (isKept) {
            ended.put(id, job);
        }
        if (ended.size() > KEPT) {
            ended.remove(ended.keySet().iterator().next());
        }
        return Optional.ofNullable(awaited.remove(id));
    }

    static boolean isEnd(JsonObject job) {
        return Json.text(job, "state").filter(ENDS::contains).isPresent();
    }

    /** Returns what is done once the job has ended. */
    synchronized CompletableFuture<JsonObject> end(long id) {
        JsonObject known = ended.get(id);
        return known != null
                ? CompletableFuture.completedFuture(known)
                : awaited.computeIfAbsent(id, _ -> new CompletableFuture<>());
    }

    /** Forgets who waits for a job. */
    synchronized void leave(long id) {
        awaited.remove(id);
    }
}
