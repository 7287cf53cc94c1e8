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
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Shows one connection a shared session: with its name, within its parents, and with what its callers are told. */
final class TruenasConnection implements TruenasApi {
    private final String connection;
    private final Jail jail;
    private final BoxCalls calls;
    private final JobWait jobs;
    private final Runnable release;

    /** @param release lets go of the session */
    TruenasConnection(String connection, Jail jail, SessionLink link, Runnable release) {
        this.connection = connection;
        this.jail = jail;
        this.calls = new BoxCalls(connection, link);
        this.jobs = new JobWait(connection, calls);
        this.release = release;
    }

    @Override
    public String connection() {
        return connection;
    }

    @Override
    public TruenasRelease release(Work work) {
        return calls.release(work);
    }

    @Override
    public ApiResult query(ApiCall call, Work work) {
        if (!call.method().isRead()) {
            throw new IllegalArgumentException(call + ": changes something (expected: a call that reads)");
        }
        checkJail(call);
        return calls.make(call, work);
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
        return effect(call, target, work, () -> calls.make(call, work));
    }

    @Override
    public ApiResult run(ApiCall call, String target, Work work) {
        return effect(call, target, work, () -> {
            ApiResult begun = calls.make(call, work);
            Optional<ApiJob> job = begun(call, begun, work);
            return job.isPresent() ? jobs.await(job.get(), work) : begun;
        });
    }

    @Override
    public ApiJob start(ApiCall call, String target, Work work) {
        ApiResult begun = effect(call, target, work, () -> calls.make(call, work));
        begun.orThrow();
        return begun(call, begun, work)
                .orElseThrow(() -> new StorageException(
                        new Failure.Unintelligible(connection, call + " is answered by no number of a job")));
    }

    /** Returns the job that a call has begun; empty if it was refused, or is no job in this release. */
    private Optional<ApiJob> begun(ApiCall call, ApiResult result, Work work) {
        TruenasRelease now = calls.release(work);
        boolean number = result instanceof ApiResult.Done(JsonElement value)
                && value.isJsonPrimitive()
                && value.getAsJsonPrimitive().isNumber();
        return number && call.method().isJob(now)
                ? ApiSpelling.of(call, now)
                        .map(spelling -> new ApiJob(result.orThrow().getAsLong(), spelling.method()))
                : Optional.empty();
    }

    @Override
    public ApiResult await(ApiJob job, Work work) {
        return jobs.await(job, work);
    }

    private ApiResult effect(ApiCall call, String target, Work work, java.util.function.Supplier<ApiResult> action) {
        checkJail(call);
        if (call.method().name(calls.release(work)).isEmpty()) {
            throw new ApiResult.Refused(
                            connection, call.method().word(), ApiErrno.ENOMETHOD, "before anything was sent", List.of())
                    .failure();
        }
        List<ApiResult> results = new ArrayList<>(1);
        work.effect(new Effect(call.method().word(), target), () -> results.add(action.get()));
        return results.getFirst();
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
