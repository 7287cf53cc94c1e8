package dev.fairlead.simulator.core;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Events;
import dev.fairlead.simulator.engine.Filters;
import dev.fairlead.simulator.engine.Jobs;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;

/** Answers the methods of core. */
public final class CoreMethods {
    private final Methods methods;
    private final Jobs jobs;
    private final Events events;

    /** Makes them on the jobs and subscriptions of a box. */
    public CoreMethods(Methods methods, Jobs jobs, Events events) {
        this.methods = methods;
        this.jobs = jobs;
        this.events = events;
    }

    /** Adds them. */
    public void addTo() {
        methods.add(Method.of("core.ping", call -> new JsonPrimitive("pong")).forAnybody());
        methods.add(Method.of("core.get_jobs", this::jobs).takes("filters", "options"));
        methods.add(Method.of("core.job_wait", call -> jobs.await(call.number(0)))
                .takes("id")
                .asJob());
        methods.add(Method.of("core.job_abort", call -> JsonNull.INSTANCE).takes("id"));
        methods.add(Method.of("core.subscribe", this::subscribe).takes("event"));
        methods.add(Method.of("core.unsubscribe", this::unsubscribe).takes("id_"));
        methods.add(Method.of("core.get_services", this::services).takes("target"));
        methods.add(Method.of("core.get_methods", this::names).takes("service", "target"));
    }

    private JsonElement jobs(Call call) {
        return Filters.answer(jobs.seenBy(call.caller()), call.list(0), call.object(1));
    }

    private JsonElement subscribe(Call call) {
        return new JsonPrimitive(events.subscribe(call.caller(), call.text(0)));
    }

    private JsonElement unsubscribe(Call call) {
        events.unsubscribe(call.text(0));
        return JsonNull.INSTANCE;
    }

    private JsonElement services(Call call) {
        JsonObject services = new JsonObject();
        methods.all().stream()
                .filter(method -> method.offered().test(call.box(), call.api()))
                .map(method -> method.name().substring(0, method.name().lastIndexOf('.')))
                .forEach(name -> services.add(name, kind(name)));
        return services;
    }

    private JsonObject kind(String namespace) {
        String type = "service";
        if (methods.has(namespace + ".create")) type = "crud";
        if (methods.has(namespace + ".config")) type = "config";
        return JsonTools.object("type", type, "has_conditional_dashboard", false);
    }

    private JsonElement names(Call call) {
        JsonObject names = new JsonObject();
        methods.all().stream()
                .filter(method -> method.offered().test(call.box(), call.api()))
                .filter(method -> call.text(0).isEmpty() || method.name().startsWith(call.text(0) + "."))
                .forEach(method -> names.add(
                        method.name(),
                        JsonTools.object(
                                "job", method.lock().isPresent(),
                                "roles", method.roles(),
                                "no_auth_required", method.open())));
        return names;
    }
}
