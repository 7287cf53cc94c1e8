package dev.fairlead.simulator.engine;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.failure.CallLog;
import dev.fairlead.simulator.failure.CallSteps;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Faults;
import dev.fairlead.simulator.failure.Interruption;
import dev.fairlead.simulator.failure.RowsRead;
import dev.fairlead.simulator.profile.Profile;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Takes a call from any wire: finds its method, checks the caller and the arguments, and does it or fails as armed. */
public final class Engine {
    private final Profile box;
    private final Methods methods;
    private final Arguments arguments;
    private final Jobs jobs;
    private final Faults faults;
    private final CallLog log;
    private final ThreadFactory threads;
    private final ChangeListener changes;

    /** Makes the engine of a box. */
    public Engine(
            Profile box,
            Methods methods,
            Arguments arguments,
            Jobs jobs,
            Faults faults,
            CallLog log,
            ThreadFactory threads,
            ChangeListener changes) {
        this.box = box;
        this.methods = methods;
        this.arguments = arguments;
        this.jobs = jobs;
        this.faults = faults;
        this.log = log;
        this.threads = threads;
        this.changes = changes;
    }

    /** Checks arguments by the models of a release, and fills in what was left out. */
    public interface Arguments {
        /** Returns the arguments with their defaults, or refuses them. */
        JsonArray checked(Method method, Call call);
    }

    /** Learns which calls have changed something. */
    public interface ChangeListener {
        /** Learns that a call of this method was done. */
        void changed(String method);
    }

    /** Says what a call came to: an answer, or the number of a job. */
    public record Reply(JsonElement result, boolean job) {}

    /** Returns the release of this box. */
    public Profile box() {
        return box;
    }

    /** Returns the jobs since the start. */
    public Jobs jobs() {
        return jobs;
    }

    /** Finds a method that is offered at a path. */
    public Optional<Method> method(String name, Profile api) {
        return methods.find(name, box, api);
    }

    /** Carries out a call, or throws how it failed. */
    public Reply call(Caller caller, Profile api, String name, JsonArray params) {
        JsonArray concealed = CallLog.concealed(name, params);
        Optional<Fault.Injury> injury = faults.strike(name, params.toString());
        Call call = new Call(box, api, caller, name, params, steps(injury), new RowsRead());
        try {
            Reply reply = injured(call, concealed, injury);
            record(call, concealed, "ok");
            return reply;
        } catch (ApiFailure e) {
            record(call, concealed, e.reason());
            throw e;
        } catch (Interruption e) {
            record(call, concealed, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private void record(Call call, JsonArray concealed, String outcome) {
        log.add(new CallLog.Entry(
                call.method(),
                call.caller().identity().user(),
                concealed,
                outcome,
                call.steps().done(),
                call.read()));
    }

    // Up to 25.10 a call outlives its connection; 26 stops it.
    private CallSteps steps(Optional<Fault.Injury> injury) {
        return box.since(Profile.V26_BETA) && injury.isPresent() && injury.get() instanceof Fault.Stopped stopped
                ? CallSteps.until(stopped)
                : CallSteps.all();
    }

    private Reply injured(Call call, JsonArray concealed, Optional<Fault.Injury> injury) {
        if (injury.isEmpty()) return done(call, concealed, Optional.empty());
        Fault.Injury what = injury.get();
        return switch (what) {
            case Fault.CutBefore ignored -> throw new Interruption(what);
            case Fault.CutAfter ignored -> doneThen(call, concealed, what);
            case Fault.Stopped ignored -> stopped(call, concealed, what);
            case Fault.Late late -> later(call, concealed, late);
            case Fault.Slow slow -> {
                Reply reply = done(call, concealed, injury);
                pause(slow.by().toMillis());
                yield reply;
            }
            case Fault.Hesitant hesitant -> {
                pause(hesitant.by().toMillis());
                if (box.since(Profile.V26_BETA) && call.caller().gone()) throw new Interruption(what);
                yield done(call, concealed, Optional.empty());
            }
            case Fault.Result result -> new Reply(JsonParser.parseString(result.json()), false);
            case Fault.Unloaded unloaded -> {
                written(call, concealed, Optional.empty());
                if (unloaded.cut()) throw new Interruption(what);
                throw ApiFailure.call("The service failed to reload");
            }
            case Fault.Silent ignored -> doneThen(call, concealed, what);
            case Fault.Page page when page.effect() -> doneThen(call, concealed, what);
            case Fault.Close close when close.effect() -> doneThen(call, concealed, what);
            case Fault.Page ignored -> throw new Interruption(what);
            case Fault.Close ignored -> throw new Interruption(what);
            case Fault.Answer ignored -> throw new Interruption(what);
            case Fault.Refusal refusal -> {
                if (refusal.effect()) done(call, concealed, Optional.empty());
                throw ApiFailure.call(refusal.number(), refusal.text());
            }
            case Fault.Invalid invalid ->
                throw ApiFailure.single(invalid.attribute(), invalid.text(), invalid.number());
            case Fault.Lie ignored -> new Reply(new JsonPrimitive(true), false);
            default -> done(call, concealed, injury);
        };
    }

    private Reply doneThen(Call call, JsonArray concealed, Fault.Injury what) {
        done(call, concealed, Optional.empty());
        throw new Interruption(what);
    }

    private Reply stopped(Call call, JsonArray concealed, Fault.Injury what) {
        try {
            written(call, concealed, Optional.empty());
        } catch (Interruption e) {
            if (call.steps().areLoaded()) changes.changed(call.method());
            throw e;
        }
        changes.changed(call.method());
        throw new Interruption(what);
    }

    // Up to 25.10 a call outlives its connection; 26 cancels it.
    private Reply later(Call call, JsonArray concealed, Fault.Late late) {
        if (box.before(Profile.V26_BETA))
            threads.newThread(() -> {
                        pause(late.after().toMillis());
                        quietly(call, concealed);
                    })
                    .start();
        throw new Interruption(late);
    }

    private void quietly(Call call, JsonArray concealed) {
        String outcome = "late effect";
        try {
            done(call, concealed, Optional.empty());
        } catch (ApiFailure e) {
            outcome = "late failure: " + e.reason();
        } catch (NoReturn e) {
            outcome = "switched off before the effect";
        }
        record(call, concealed, outcome);
    }

    private Reply done(Call call, JsonArray concealed, Optional<Fault.Injury> injury) {
        Reply reply = written(call, concealed, injury);
        changes.changed(call.method());
        return reply;
    }

    private Reply written(Call raw, JsonArray concealed, Optional<Fault.Injury> injury) {
        Method method = methods.find(raw.method(), box, raw.api()).orElseThrow(ApiFailure::methodless);
        Caller caller = raw.caller();
        if (!method.open() && !caller.known()) throw ApiFailure.anonymous();
        if (!method.open() && !Roles.allow(caller.identity().roles(), method.roles())) throw ApiFailure.forbidden();
        Call call = raw.with(arguments.checked(method, raw));
        if (method.lock().isEmpty())
            return new Reply(Disturbance.of(injury, method.handler().answer(call)), false);
        String lock = method.lock().get().apply(call);
        long id = jobs.start(
                call,
                concealed,
                lock,
                () -> Disturbance.job(injury, () -> method.handler().answer(call)));
        return new Reply(new JsonPrimitive(id), true);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
