package dev.fairlead.simulator.engine;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** The jobs since the last start; like the vendor's, they are forgotten with it and begin again at 1. */
public final class Jobs {
    private static final int KEPT = 1000;

    private final TreeMap<Long, JsonObject> jobs = new TreeMap<>();
    private final Map<Long, CompletableFuture<JsonElement>> ends = new ConcurrentHashMap<>();
    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();
    private final ThreadFactory threads;
    private final Clock clock;
    private final Duration delay;
    private final BiConsumer<String, JsonObject> announce;

    /** Makes the queue; the announcer hears "added" and "changed" with the job. */
    public Jobs(ThreadFactory threads, Clock clock, Duration delay, BiConsumer<String, JsonObject> announce) {
        this.threads = threads;
        this.clock = clock;
        this.delay = delay;
        this.announce = announce;
    }

    /** Starts a job and returns its number at once. */
    public long start(Call call, JsonArray concealed, String lock, Supplier<JsonElement> body) {
        long id = last.incrementAndGet();
        JsonObject job = JsonTools.object(
                "id", id, "message_ids", new JsonArray(), "method", call.method(), "arguments", concealed);
        job = JsonTools.merged(
                job,
                JsonTools.object(
                        "transient",
                        false,
                        "description",
                        JsonNull.INSTANCE,
                        "abortable",
                        false,
                        "logs_path",
                        JsonNull.INSTANCE,
                        "logs_excerpt",
                        JsonNull.INSTANCE,
                        "progress",
                        progress(0, ""),
                        "result",
                        JsonNull.INSTANCE,
                        "result_encoding_error",
                        JsonNull.INSTANCE,
                        "error",
                        JsonNull.INSTANCE,
                        "exception",
                        JsonNull.INSTANCE,
                        "exc_info",
                        JsonNull.INSTANCE,
                        "state",
                        "WAITING",
                        "time_started",
                        JsonTools.date(clock.instant()),
                        "time_finished",
                        JsonNull.INSTANCE,
                        "credentials",
                        credentials(call.caller())));
        ends.putIfAbsent(id, new CompletableFuture<>());
        keep("added", job);
        JsonObject waiting = job;
        threads.newThread(() -> run(waiting, lock, body)).start();
        return id;
    }

    private CompletableFuture<JsonElement> end(long id) {
        return ends.computeIfAbsent(id, ignored -> new CompletableFuture<>());
    }

    private static JsonObject credentials(Caller caller) {
        return JsonTools.object(
                "type",
                "API_KEY",
                "data",
                JsonTools.object("username", caller.identity().user()));
    }

    private static JsonObject progress(int percent, String text) {
        return JsonTools.object("percent", percent, "description", text, "extra", JsonNull.INSTANCE);
    }

    private void run(JsonObject job, String lock, Supplier<JsonElement> body) {
        ReentrantLock held = locks.computeIfAbsent(
                lock.isEmpty() ? "job " + job.get("id") : lock, ignored -> new ReentrantLock(true));
        held.lock();
        try {
            JsonObject running = JsonTools.with(job, "state", "RUNNING");
            keep("changed", running);
            pause();
            finish(running, body);
        } finally {
            held.unlock();
        }
    }

    private void finish(JsonObject running, Supplier<JsonElement> body) {
        long id = running.get("id").getAsLong();
        JsonObject done;
        try {
            JsonElement result = body.get();
            done = JsonTools.merged(
                    running, JsonTools.object("state", "SUCCESS", "result", result, "progress", progress(100, "")));
            end(done);
            end(id).complete(result);
        } catch (ApiFailure e) {
            end(JsonTools.merged(running, failure(e)));
            end(id).completeExceptionally(e);
        } catch (NoReturn e) {
            return;
        }
    }

    // An aborted job has no error: nothing was raised in it.
    private static JsonObject failure(ApiFailure e) {
        if (e.kind() == ApiFailure.Kind.ABORTED) return JsonTools.object("state", "ABORTED");
        JsonArray extra = new JsonArray();
        e.violations().forEach(v -> extra.add(JsonTools.array(v.attribute(), v.text(), v.number())));
        return JsonTools.object(
                "state",
                "FAILED",
                "error",
                e.reason(),
                "exception",
                "Traceback (most recent call last):\n" + e.reason(),
                "exc_info",
                JsonTools.object(
                        "repr",
                        e.reason(),
                        "type",
                        e.violations().isEmpty() ? "CallError" : "VALIDATION",
                        "errno",
                        e.number(),
                        "extra",
                        extra.isEmpty() ? JsonNull.INSTANCE : extra));
    }

    private void end(JsonObject job) {
        keep("changed", JsonTools.with(job, "time_finished", JsonTools.date(clock.instant())));
    }

    private void keep(String event, JsonObject job) {
        synchronized (jobs) {
            jobs.put(job.get("id").getAsLong(), job);
            while (jobs.size() > KEPT) jobs.pollFirstEntry();
        }
        announce.accept(event, job);
    }

    /** Waits for the end of a job and returns its result, or throws how it failed. */
    public JsonElement await(long id) {
        CompletableFuture<JsonElement> end = ends.get(id);
        if (end == null) throw ApiFailure.absent("Job " + id + " does not exist");
        try {
            return end.join();
        } catch (java.util.concurrent.CompletionException e) {
            if (e.getCause() instanceof ApiFailure failure) throw failure;
            throw e;
        }
    }

    /** Returns the jobs that a caller sees: its own, or all for an administrator. */
    public List<JsonObject> seenBy(Caller caller) {
        synchronized (jobs) {
            return jobs.values().stream()
                    .filter(job -> Roles.seesAllJobs(caller.identity().roles())
                            || JsonTools.text(JsonTools.child(JsonTools.child(job, "credentials"), "data"), "username")
                                    .equals(caller.identity().user()))
                    .toList();
        }
    }

    private void pause() {
        try {
            Thread.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
