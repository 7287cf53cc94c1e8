package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.ApiSpelling;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.connection.BoxCalls.Made;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Shows one connection a shared session: with its name, within its parents, and with what its callers are told. */
final class TruenasConnection implements TruenasApi {
    private final String connection;
    private final String box;
    private final Jail jail;
    private final BoxCalls calls;
    private final JobWait jobs;
    private final WorkNotes<TruenasRelease> planned = new WorkNotes<>();

    /** Holds by which session each piece of work has read numbers of rows last. */
    private final WorkNotes<WeakReference<Session>> readers = new WorkNotes<>();

    private final Runnable release;

    /** @param release lets go of the session */
    TruenasConnection(String connection, String box, Jail jail, SessionLinks links, Runnable release) {
        this.connection = connection;
        this.box = box;
        this.jail = jail;
        this.calls = new BoxCalls(connection, links);
        this.jobs = new JobWait(connection, calls);
        this.release = release;
    }

    @Override
    public String connection() {
        return connection;
    }

    @Override
    public String box() {
        return box;
    }

    @Override
    public TruenasRelease release(Work work) {
        TruenasRelease release = calls.release(work);
        planned.note(work, release);
        return release;
    }

    @Override
    public ApiResult query(ApiCall call, Work work) {
        if (!call.method().isRead()) {
            throw new IllegalArgumentException(call + ": changes something (expected: a call that reads)");
        }
        checkJail(call);
        Made<ApiResult> made = calls.make(asPlanned(call, work), by -> requireReader(call, by, work), work);
        if (call.method().isOfNumbers()) {
            readers.note(work, new WeakReference<>(made.by()));
        }
        return made.value();
    }

    /**
     * Binds a read to the release that its piece of work asked for last, since the answer means something else on
     * another: where a query tells no user properties by now, what is there would be taken for somebody else's.
     */
    private ApiCall asPlanned(ApiCall call, Work work) {
        return planned.of(work).isPresent() ? guarded(call, calls.release(work), work) : call;
    }

    @Override
    public List<JsonObject> list(ApiCollection collection, ApiQuery query, Work work) {
        JsonElement value = query(ApiCall.query(collection, query), work).orThrow();
        if (!value.isJsonArray() || !value.getAsJsonArray().asList().stream().allMatch(JsonElement::isJsonObject)) {
            throw new StorageException(new Failure.Unintelligible(
                    connection, "a query for " + collection + " is answered by something that is no list of objects"));
        }
        return value.getAsJsonArray().asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    @Override
    public Optional<JsonObject> find(ApiCollection collection, String id, Work work) {
        return found(ApiCall.get(collection, id), work);
    }

    @Override
    public Optional<JsonObject> find(ApiCollection collection, long id, Work work) {
        return found(ApiCall.get(collection, id), work);
    }

    private Optional<JsonObject> found(ApiCall call, Work work) {
        ApiResult result = query(call, work);
        if (result instanceof ApiResult.Refused refused && refused.isAbsent()) {
            return Optional.empty();
        }
        JsonElement value = result.orThrow();
        if (!value.isJsonObject()) {
            throw new StorageException(new Failure.Unintelligible(connection, call + " is answered by no object"));
        }
        return Optional.of(value.getAsJsonObject());
    }

    @Override
    public ApiResult change(ApiCall call, String target, Work work) {
        if (call.method().isRead()) {
            throw new IllegalArgumentException(call + ": only reads (expected: a call that changes something)");
        }
        return effect(
                call,
                target,
                work,
                guarded -> calls.make(guarded, by -> requireReader(call, by, work), work)
                        .value());
    }

    @Override
    public ApiResult run(ApiCall call, String target, Work work) {
        return effect(call, target, work, guarded -> {
            Made<ApiResult> made = calls.make(guarded, work);
            return made.value() instanceof ApiResult.Done done && isJob(call, made)
                    ? jobs.await(begun(call, done.value(), made.by().release()), Optional.of(made.by()), work)
                    : made.value();
        });
    }

    @Override
    public ApiJob start(ApiCall call, String target, Work work) {
        Made<ApiResult> made = effect(call, target, work, guarded -> calls.make(guarded, work));
        return begun(call, made.value().orThrow(), made.by().release());
    }

    /**
     * Asks and sends nothing by another session than the one by which the numbers of rows were read: a box that was
     * restored from an older configuration restarts, and a number may be another row's then. Rows that are read after
     * that do not make up for those that were read before. Over REST no session tells that.
     */
    private void requireReader(ApiCall call, Session by, Work work) {
        boolean isAnother = call.method().isOfNumbers()
                && !by.release().overRest()
                && readers.of(work).filter(reader -> !reader.refersTo(by)).isPresent();
        if (isAnother) {
            readers.forget(work);
            throw new StorageException(new Failure.BackendUnavailable(
                    connection,
                    call.method().word() + " goes by the numbers of rows, which were read before the box was connected"
                            + " to anew and may be other rows' by now; ask again"));
        }
    }

    private static boolean isJob(ApiCall call, Made<ApiResult> made) {
        return call.method().isJob(made.by().release());
    }

    /** Returns the job that a call has begun, by the number that it was answered. */
    private ApiJob begun(ApiCall call, JsonElement value, TruenasRelease release) {
        boolean number = value.isJsonPrimitive() && value.getAsString().matches("[0-9]{1,18}");
        return ApiSpelling.of(call, release)
                .filter(_ -> number)
                .map(spelling -> new ApiJob(value.getAsLong(), spelling.method(), spelling.arguments()))
                .orElseThrow(() -> new StorageException(new Failure.OutcomeUnknown(
                        connection, call.method().word(), "it is answered by no number of a job")));
    }

    @Override
    public ApiResult await(ApiJob job, Work work) {
        return jobs.await(job, Optional.empty(), work);
    }

    private <T> T effect(ApiCall call, String target, Work work, Function<ApiCall, T> action) {
        checkJail(call);
        TruenasRelease now = calls.release(work);
        if (call.method().name(now).isEmpty()) {
            throw new ApiResult.Refused(
                            connection, call.method().word(), ApiErrno.ENOMETHOD, "before anything was sent", List.of())
                    .failure();
        }
        ApiCall guarded = guarded(call, now, work);
        List<T> results = new ArrayList<>(1);
        work.effect(new Effect(call.method().word(), target), () -> results.add(action.apply(guarded)));
        return results.getFirst();
    }

    /** Returns the call for the release that its piece of work asked for last, by which its arguments were made. */
    private ApiCall guarded(ApiCall call, TruenasRelease now, Work work) {
        TruenasRelease wanted = call.release().or(() -> planned.of(work)).orElse(now);
        if (!wanted.equals(now)) {
            planned.forget(work);
            throw calls.changed(now);
        }
        return call.madeFor(wanted);
    }

    private void checkJail(ApiCall call) {
        jail.escaping(call).ifPresent(name -> {
            throw new StorageException(new Failure.BackendRejected(
                    connection,
                    call.method().word() + " names " + dev.fairlead.domain.failure.Excerpt.of(name)
                            + ", which is not below this connection's parent datasets; it was not sent"));
        });
    }

    @Override
    public void close() {
        release.run();
    }
}
