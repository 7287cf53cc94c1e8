package dev.fairlead.adapter.freenas.client.rest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiSpelling;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.client.rest.RestReplies.Rest;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.CallTurns;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.HttpRequest;
import dev.fairlead.http.HttpSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes calls over REST. The box is asked for its release anew once a minute, since an upgrade cuts nothing here. */
public final class RestSession implements Session {
    private static final int AT_ONCE = 10;
    private static final Duration FRESH = Duration.ofSeconds(60);
    private static final Duration JOB_PATIENCE = Duration.ofSeconds(10);

    /** The pauses between looks at a job, of which most end at once. */
    private static final Backoff LOOKS = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final HttpClient<Rest> http;
    private final TruenasRelease release;
    private final BoxWords words;
    private final InstantSource clock;
    private final Instant until;
    private final CallTurns turns = new CallTurns(AT_ONCE);
    private final AtomicBoolean lost = new AtomicBoolean();

    private RestSession(HttpClient<Rest> http, TruenasRelease release, BoxWords words, InstantSource clock) {
        this.http = http;
        this.release = release;
        this.words = words;
        this.clock = clock;
        this.until = clock.instant().plus(FRESH);
    }

    /** Says that a box sends elsewhere, and what to do about it. */
    public static String elsewhere(int status) {
        return "it sends elsewhere (status " + status + "); if it wants TLS, set httpConnection.protocol to https";
    }

    /** Opens a session: asks the box for its version, by which the credential is tried too. */
    public static Session open(HttpSettings settings, TruenasLogin login, InstantSource clock, Duration patience)
            throws SessionException {
        var replies = new RestReplies(BoxWords.without(login));
        var http = new HttpClient<>("truenas", settings, replies, new RestFailures(), HttpClient.USUAL_BACKOFF);
        HttpRequest request = HttpRequest.get(List.of("api", "v2.0", "system", "version"), Map.of(), "system.version");
        Reply reply = ask(http, request, patience, new AtomicBoolean());
        Optional<TruenasVersion> version = reply instanceof Reply.Done(JsonElement value) && value.isJsonPrimitive()
                ? TruenasVersion.parse(value.getAsString())
                : Optional.empty();
        TruenasVersion known = version.orElseThrow(
                () -> new SessionException(Kind.UNINTELLIGIBLE, "the box does not tell its version"));
        return new RestSession(http, new TruenasRelease(known, known, true), BoxWords.without(login), clock);
    }

    @Override
    public TruenasRelease release() {
        return release;
    }

    @Override
    public boolean isOpen() {
        return !lost.get() && clock.instant().isBefore(until);
    }

    @Override
    public Reply call(ApiCall call, Duration patience, Runnable between) throws SessionException, InterruptedException {
        Optional<ApiSpelling> spelling = ApiSpelling.of(call, release);
        if (spelling.isEmpty()) {
            return new Reply.Refusal(
                    ApiErrno.ENOMETHOD,
                    release.shown() + " has no " + call.method().word());
        }
        HttpRequest request = RestRoute.of(call, spelling.get());
        long end = System.nanoTime() + patience.toNanos();
        turns.take(call.method(), patience, between);
        try {
            between.run();
            if (call.isOverdue()) {
                throw new SessionException(Kind.NOT_DONE, "it was not sent in time");
            }
            Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
            return words.without(spelling.get().arguments()).shown(ask(http, request, left, lost));
        } finally {
            turns.giveBack(call.method());
        }
    }

    private static Reply ask(HttpClient<Rest> http, HttpRequest request, Duration patience, AtomicBoolean lost)
            throws SessionException {
        try {
            return switch (http.ask(request, patience)) {
                case Rest.Said(Reply reply) -> reply;
                case Rest.NotLetIn(String text) -> {
                    lost.set(true);
                    boolean revoked = text.contains("revoked") || text.contains("expired");
                    throw new SessionException(revoked ? Kind.REVOKED : Kind.WRONG, text);
                }
                case Rest.TooLong(String text) -> throw new SessionException(Kind.TOO_LONG, text);
                case Rest.Gone() -> {
                    lost.set(true);
                    throw new SessionException(Kind.NOT_DONE, "it has no REST at " + request);
                }
                case Rest.Elsewhere(int status) -> {
                    lost.set(true);
                    throw new SessionException(Kind.NOT_DONE, elsewhere(status));
                }
            };
        } catch (StorageException e) {
            lost.set(true); // what answers next may be another release, which is asked for before the next call
            throw translated(e, !request.repeatable());
        }
    }

    private static SessionException translated(StorageException thrown, boolean changes) {
        return switch (thrown.failure()) {
            case Failure.BackendUnavailable(String _, String detail) -> new SessionException(Kind.NOT_DONE, detail);
            case Failure.OutcomeUnknown(String _, String _, String detail) ->
                new SessionException(Kind.UNKNOWN, detail);
            case Failure.Unintelligible(String _, String detail) -> new SessionException(Kind.UNINTELLIGIBLE, detail);
            case Failure.Cancelled _ when changes -> new SessionException(Kind.UNKNOWN, "nobody waited for its end");
            default -> throw thrown;
        };
    }

    @Override
    public Optional<JsonObject> job(long id, Duration patience, Runnable between)
            throws SessionException, InterruptedException {
        ApiCall asked = ApiCall.query(ApiAction.JOBS, ApiQuery.of("id", id));
        long end = System.nanoTime() + patience.toNanos();
        for (int look = 0; ; look++) {
            Reply reply = call(asked, JOB_PATIENCE, between);
            Optional<JsonObject> job = reply instanceof Reply.Done(JsonElement value) && value.isJsonArray()
                    ? value.getAsJsonArray().asList().stream()
                            .filter(JsonElement::isJsonObject)
                            .map(JsonElement::getAsJsonObject)
                            .findFirst()
                    : Optional.empty();
            boolean over = job.isEmpty() || !isAtWork(job.get());
            Duration pause = LOOKS.after(look);
            if (over || System.nanoTime() + pause.toNanos() >= end) {
                return job;
            }
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            between.run();
        }
    }

    private static boolean isAtWork(JsonObject job) {
        String state = job.has("state") ? job.get("state").getAsString() : "";
        return state.equals("WAITING") || state.equals("RUNNING");
    }

    @Override
    public void retire() {
        close(); // which ends no call that is under way
    }

    @Override
    public void close() {
        lost.set(true);
        http.idle();
    }
}
