package dev.fairlead.adapter.k8s.api;

import com.google.gson.JsonObject;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps up with all objects of one kind: it lists them once, and then watches. A watch that ends or breaks goes on from
 * the last version that it told; only if the server has forgotten that version are they listed again.
 *
 * @param <T> what is kept of each object
 */
public final class ObjectFeed<T> {
    private static final Logger log = LoggerFactory.getLogger(ObjectFeed.class);
    private static final int EXPIRED = 410;

    private final ApiClient api;
    private final List<String> kind;
    private final Function<JsonObject, Optional<T>> taking;
    private final Times times;
    private final Consumer<String> changed;
    private final LongSupplier nanos;
    private final Map<String, T> kept = new ConcurrentHashMap<>();
    private volatile String version = "";
    private final AtomicLong lists = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();
    private volatile long heard;

    /**
     * Says how long things may take.
     *
     * @param watch the time after which the server ends a watch, which then goes on anew
     * @param silence the time after which what is kept counts as outdated if the server says nothing; it sends a
     *     bookmark about each minute
     * @param least a watch that ends sooner is not begun again without a pause, which grows if that goes on
     */
    public record Times(Duration patience, Duration watch, Duration silence, Backoff backoff, Duration least) {
        public static final Times USUAL = new Times(
                Duration.ofSeconds(30),
                Duration.ofMinutes(4),
                Duration.ofSeconds(150),
                new Backoff(Duration.ofMillis(500), Duration.ofSeconds(20)),
                Duration.ofSeconds(1));
    }

    /**
     * @param kind the path of the list
     * @param taking what to keep of an object; empty if nothing, and then it is as if it were not there
     * @param changed is told the name of each object that came, went or changed; the empty text after a list
     */
    public ObjectFeed(
            ApiClient api,
            List<String> kind,
            Function<JsonObject, Optional<T>> taking,
            Times times,
            Consumer<String> changed) {
        this(api, kind, taking, times, changed, System::nanoTime);
    }

    ObjectFeed(
            ApiClient api,
            List<String> kind,
            Function<JsonObject, Optional<T>> taking,
            Times times,
            Consumer<String> changed,
            LongSupplier nanos) {
        this.api = api;
        this.kind = List.copyOf(kind);
        this.taking = taking;
        this.times = times;
        this.changed = changed;
        this.nanos = nanos;
    }

    /** Returns what is kept now, by the object's name; empty if it was never listed, or is outdated. */
    public Optional<Map<String, T>> all() {
        return isKnown() ? Optional.of(Map.copyOf(kept)) : Optional.empty();
    }

    /** Says whether they were listed, and what is kept is not outdated. */
    public boolean isKnown() {
        return !version.isEmpty() && nanos.getAsLong() - heard < times.silence().toNanos();
    }

    public Optional<T> get(String name) {
        return Optional.ofNullable(kept.get(name));
    }

    /** Returns a number that is another one once anything that is kept has changed. */
    public long changes() {
        return changes.get();
    }

    /** Returns how many times all of them were listed. */
    public long lists() {
        return lists.get();
    }

    /** Keeps up until the thread is interrupted. */
    public void run() {
        for (int failures = 0; !Thread.currentThread().isInterrupted(); ) {
            long began = nanos.getAsLong();
            boolean ended = false;
            try {
                follow();
                ended = true;
            } catch (StorageException e) {
                log.atDebug().addKeyValue("reason", e.failure().message()).log("a watch of {} broke", kind.getLast());
            } catch (RuntimeException e) {
                log.atError().setCause(e).log("an error of the program in a watch of {}; it goes on", kind.getLast());
            }
            // Something on the way may cut every watch after a while; that is no reason to hear of changes later and
            // later.
            boolean lasted = nanos.getAsLong() - began > times.least().toNanos();
            failures = lasted ? 0 : failures + 1;
            if (!lasted || !ended) {
                rest(failures);
            }
        }
    }

    /** Lists if need be, and watches once. */
    void follow() {
        // What is outdated is of no use: a server that refuses its version for ever gets no other chance.
        if (!isKnown()) {
            list();
        }
        String what = "watching " + kind.getLast();
        Map<String, String> query = Map.of(
                "watch",
                "true",
                "allowWatchBookmarks",
                "true",
                "resourceVersion",
                version,
                "timeoutSeconds",
                Long.toString(times.watch().toSeconds()));
        // The server ends it in time; one that is frozen does not.
        Duration longest = times.watch().plus(times.patience());
        long began = nanos.getAsLong();
        Optional<ApiAnswer.Refused> refused = api.watch(ApiRequest.get(kind, query, what), longest, this::take);
        if (refused.isPresent()) {
            expired(refused.get().status(), what, refused.get().message());
        }
        // Who ends a watch at once has told nothing.
        if (nanos.getAsLong() - began > times.least().toNanos()) {
            heard = nanos.getAsLong();
        }
    }

    /** Lists all of them. */
    public void list() {
        String what = "listing " + kind.getLast();
        ApiPages.TakenList<Map.Entry<String, T>> listing = new ApiPages(api, times.patience())
                .list(kind, what, object -> taking.apply(object).map(one -> Map.entry(name(object), one)))
                .orElseThrow(() ->
                        new StorageException(new Failure.ClusterUnintelligible(what, "that there are none such")));
        Map<String, T> now = new ConcurrentHashMap<>();
        listing.taken().forEach(entry -> now.put(entry.getKey(), entry.getValue()));
        kept.keySet().retainAll(now.keySet());
        kept.putAll(now);
        lists.incrementAndGet();
        heard = nanos.getAsLong();
        version = listing.version();
        changes.incrementAndGet();
        changed.accept("");
    }

    private void take(JsonObject event) {
        JsonObject object = Json.child(event, "object");
        String name = name(object);
        String type = Json.text(event, "type").orElse("");
        if (!type.equals("ERROR")) {
            heard = nanos.getAsLong();
        }
        switch (type) {
            case "ADDED", "MODIFIED" -> {
                taking.apply(object).ifPresentOrElse(one -> kept.put(name, one), () -> kept.remove(name));
                changes.incrementAndGet();
                reached(object);
                changed.accept(name);
            }
            case "DELETED" -> {
                kept.remove(name);
                changes.incrementAndGet();
                reached(object);
                changed.accept(name);
            }
            case "BOOKMARK" -> reached(object);
            case "ERROR" ->
                expired(
                        Json.number(object, "code").orElse(0L).intValue(),
                        "watching " + kind.getLast(),
                        Json.text(object, "message").orElse(""));
            default -> {}
        }
    }

    private void reached(JsonObject object) {
        Json.text(Json.child(object, "metadata"), "resourceVersion").ifPresent(reached -> version = reached);
    }

    private void expired(int status, String what, String message) {
        if (status == EXPIRED) {
            version = "";
            throw new StorageException(new Failure.ClusterUnavailable(what, "the server forgot the version"));
        }
        throw new StorageException(new Failure.ClusterUnavailable(what, "status " + status + ", " + message));
    }

    private static String name(JsonObject object) {
        return Json.text(Json.child(object, "metadata"), "name").orElse("");
    }

    private void rest(int attempt) {
        try {
            Backoff.pause(times.backoff().after(attempt));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
