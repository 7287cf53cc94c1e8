package dev.fairlead.simulator.block;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Filters;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;

/** Answers the methods of iscsi.global and nvmet.global. */
public final class GlobalMethods {
    private final Store store;

    /** Makes them on a state. */
    public GlobalMethods(Store store) {
        this.store = store;
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        methods.add(Method.of("iscsi.global.config", this::iscsi).roles("SHARING_ISCSI_GLOBAL_READ"));
        methods.add(Method.of("iscsi.global.update", this::updateIscsi)
                .roles("SHARING_ISCSI_GLOBAL_WRITE")
                .takes("iscsi_update"));
        methods.add(Method.of("iscsi.global.sessions", this::sessions)
                .roles("SHARING_ISCSI_GLOBAL_READ")
                .takes("query_filters", "query_options"));
        methods.add(Method.of("iscsi.global.alua_enabled", call -> new JsonPrimitive(false))
                .roles("SHARING_ISCSI_GLOBAL_READ"));
        methods.add(Method.of("nvmet.global.config", call -> config("nvmet_global"))
                .roles("SHARING_NVME_TARGET_READ")
                .since(Profile.V25_10_0));
        methods.add(Method.of("nvmet.global.update", call -> update(call, "nvmet_global"))
                .roles("SHARING_NVME_TARGET_WRITE")
                .takes("nvmet_update")
                .since(Profile.V25_10_0));
        methods.add(Method.of("nvmet.global.sessions", call -> JsonTools.array())
                .roles("SHARING_NVME_TARGET_READ")
                .takes("filters", "options")
                .since(Profile.V25_10_0));
    }

    private JsonObject config(String table) {
        return store.read(tables -> tables.row(table, "config").orElseThrow());
    }

    private JsonElement iscsi(Call call) {
        JsonObject config = config("iscsi_global").deepCopy();
        if (call.api().before(Profile.V25_04)) config.remove("iser");
        if (call.api().since(Profile.V26_BETA)) {
            if (!config.has("mode")) config.addProperty("mode", 0);
            if (!config.has("direct_config")) config.addProperty("direct_config", true);
        }
        return config;
    }

    private JsonElement updateIscsi(Call call) {
        if (call.api().before(Profile.V26_BETA)) return update(call, "iscsi_global");
        return store.change(tables -> {
            JsonObject before = tables.row("iscsi_global", "config").orElseThrow();
            List<Violation> refused = new ModeRules(tables).refused(before, call.object(0));
            if (!refused.isEmpty()) throw ApiFailure.invalid(refused);
            tables.put("iscsi_global", "config", JsonTools.merged(before, call.object(0)));
            return iscsi(call);
        });
    }

    private JsonElement update(Call call, String table) {
        return store.change(tables -> {
            JsonObject changed = JsonTools.merged(tables.row(table, "config").orElseThrow(), call.object(0));
            tables.put(table, "config", changed);
            return changed;
        });
    }

    private JsonElement sessions(Call call) {
        return Filters.answer(store.read(tables -> tables.rows(TargetMethods.SESSIONS)), call.list(0), call.object(1));
    }
}
