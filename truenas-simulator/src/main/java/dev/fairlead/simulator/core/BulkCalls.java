package dev.fairlead.simulator.core;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Roles;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.failure.Interruption;
import dev.fairlead.simulator.profile.Profile;

/** Answers core.bulk: a job that makes a list of calls one after another, whatever becomes of each of them. */
public final class BulkCalls {
    private final Engine engine;

    /** Makes it for the calls of an engine. */
    public BulkCalls(Engine engine) {
        this.engine = engine;
    }

    /** Adds it. */
    public void addTo(Methods methods) {
        methods.add(Method.of("core.bulk", this::bulk)
                .takes("method", "params", "description")
                .asJob(call -> "bulk:" + call.text(0)));
    }

    // The arguments are those of the box's own release, whatever the path is.
    private JsonElement bulk(Call call) {
        String name = call.text(0);
        Method method = engine.method(name, call.box()).orElseThrow(() -> unknown(name));
        if (!Roles.allow(call.caller().identity().roles(), method.roles()))
            throw ApiFailure.call(ErrorNumber.EPERM, "Not authorized");
        JsonArray results = new JsonArray();
        for (JsonElement arguments : call.list(1)) results.add(result(call, name, arguments.getAsJsonArray()));
        return results;
    }

    private static ApiFailure unknown(String name) {
        int dot = name.lastIndexOf('.');
        return ApiFailure.call(
                ErrorNumber.ENOMETHOD,
                "Method '" + name.substring(dot + 1) + "' not found in '" + name.substring(0, Math.max(0, dot)) + "'");
    }

    private JsonObject result(Call call, String name, JsonArray arguments) {
        JsonElement job = JsonNull.INSTANCE;
        try {
            Engine.Reply reply = engine.call(call.caller(), call.box(), name, arguments);
            if (!reply.job()) return shown(call, job, reply.result(), JsonNull.INSTANCE);
            job = reply.result();
            return shown(call, job, engine.jobs().await(job.getAsLong()), JsonNull.INSTANCE);
        } catch (ApiFailure e) {
            return shown(call, job, JsonNull.INSTANCE, JsonTools.of(e.reason()));
        } catch (Interruption e) {
            return shown(call, job, JsonNull.INSTANCE, JsonTools.of(String.valueOf(e.getMessage())));
        }
    }

    // Before 25.10 only a job's result tells of a job.
    private static JsonObject shown(Call call, JsonElement job, JsonElement result, JsonElement error) {
        JsonObject shown = JsonTools.object("result", result, "error", error);
        if (!job.isJsonNull() || call.box().since(Profile.V25_10_0)) shown.add("job_id", job);
        return shown;
    }
}
