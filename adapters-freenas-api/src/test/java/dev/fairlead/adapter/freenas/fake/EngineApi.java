package dev.fairlead.adapter.freenas.fake;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiCollection;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.ApiJob;
import dev.fairlead.adapter.freenas.client.ApiQuery;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Interruption;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Calls a simulated box without a wire. */
final class EngineApi implements TruenasApi {
    private static final String NAS = "nas";

    private final String connection;
    private final SimulatedBox box;
    private final Consumer<String> before;
    private final Caller caller = new Caller("127.0.0.1", true, _ -> {});

    /** @param before what happens before a call of a method */
    EngineApi(SimulatedBox box, Consumer<String> before) {
        this(NAS, box, before);
    }

    EngineApi(String connection, SimulatedBox box, Consumer<String> before) {
        this.connection = connection;
        this.box = box;
        this.before = before;
        caller.becomes(new Caller.Identity("root", Set.of("FULL_ADMIN"), 0));
    }

    @Override
    public String connection() {
        return connection;
    }

    @Override
    public String box() {
        return NAS;
    }

    private Profile spoken() {
        return box.profile() == Profile.V27 ? Profile.V26 : box.profile();
    }

    @Override
    public TruenasRelease release(Work work) {
        TruenasVersion system = TruenasVersion.parse(box.profile().version()).orElseThrow();
        TruenasVersion api =
                box.profile() == Profile.V27 ? TruenasVersion.parse("v26.0.0").orElseThrow() : system;
        return new TruenasRelease(system, api, !box.profile().rpc());
    }

    @Override
    public ApiResult query(ApiCall call, Work work) {
        try {
            return answer(call, work);
        } catch (Interruption e) {
            throw new StorageException(new Failure.BackendUnavailable(NAS, String.valueOf(e.getMessage())), e);
        }
    }

    @Override
    public List<JsonObject> list(ApiCollection collection, ApiQuery query, Work work) {
        List<JsonObject> all = new ArrayList<>();
        query(ApiCall.query(collection, query), work)
                .orThrow()
                .getAsJsonArray()
                .forEach(each -> all.add(each.getAsJsonObject()));
        return all;
    }

    @Override
    public Optional<JsonObject> find(ApiCollection collection, String id, Work work) {
        return list(collection, ApiQuery.of("id", id), work).stream().findFirst();
    }

    @Override
    public Optional<JsonObject> find(ApiCollection collection, long id, Work work) {
        return list(collection, ApiQuery.of("id", id), work).stream().findFirst();
    }

    @Override
    public ApiResult change(ApiCall call, String target, Work work) {
        var result = new AtomicReference<Optional<ApiResult>>(Optional.empty());
        work.effect(new Effect(call.method().word(), target), () -> {
            try {
                result.set(Optional.of(answer(call, work)));
            } catch (Interruption e) {
                throw unknown(call, e);
            }
        });
        return result.get().orElseThrow(() -> new IllegalStateException("no answer"));
    }

    /** Returns what the client makes of a call that it gave up: of one that is not answered, 26 is told so. */
    private StorageException unknown(ApiCall call, Interruption why) {
        boolean stopped = why.injury() instanceof Fault.Silent
                && release(TestWork.patient()).isAtLeast(26, 0);
        String text = String.valueOf(why.getMessage());
        return new StorageException(
                new Failure.OutcomeUnknown(NAS, call.method().word(), text),
                new SessionException(stopped ? SessionException.Kind.STOPPED : SessionException.Kind.UNKNOWN, text));
    }

    @Override
    public ApiResult run(ApiCall call, String target, Work work) {
        return change(call, target, work);
    }

    @Override
    public ApiJob start(ApiCall call, String target, Work work) {
        throw new IllegalStateException("not needed");
    }

    @Override
    public ApiResult await(ApiJob job, Work work) {
        try {
            return new ApiResult.Done(box.engine().jobs().await(job.id()).deepCopy());
        } catch (ApiFailure e) {
            return refusal(job.method(), e);
        }
    }

    private ApiResult answer(ApiCall call, Work work) {
        String name = call.method()
                .name(release(work))
                .orElseThrow(() -> new StorageException(
                        new Failure.Unsupported(call.method().word(), "another release")));
        if (box.isAway()) {
            throw new StorageException(new Failure.BackendUnavailable(NAS, "the box is away"));
        }
        before.accept(name);
        if (call.isOverdue()) {
            throw new StorageException(new Failure.BackendUnavailable(NAS, "it was not sent in time"));
        }
        var arguments = new JsonArray();
        call.arguments().forEach(each -> arguments.add(each.deepCopy()));
        try {
            Engine.Reply reply = box.engine().call(caller, spoken(), name, arguments);
            JsonElement value =
                    reply.job() ? box.engine().jobs().await(reply.result().getAsLong()) : reply.result();
            return new ApiResult.Done(value.deepCopy());
        } catch (ApiFailure e) {
            return refusal(name, e);
        }
    }

    private static ApiResult refusal(String name, ApiFailure e) {
        return new ApiResult.Refused(
                NAS,
                name,
                ApiErrno.of(e.number()),
                e.reason().replace('\n', ' '),
                e.violations().stream()
                        .map(each ->
                                new FieldError(each.attribute().orElse(""), each.text(), ApiErrno.of(each.number())))
                        .toList());
    }

    @Override
    public void close() {}
}
