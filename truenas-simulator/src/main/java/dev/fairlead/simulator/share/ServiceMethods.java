package dev.fairlead.simulator.share;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Locale;

/** Answers the methods of service. */
public final class ServiceMethods {
    private static final String SERVICES = "service";
    private static final String[] ROLES = {
        "SERVICE_WRITE",
        "SHARING_NFS_WRITE",
        "SHARING_SMB_WRITE",
        "SHARING_ISCSI_WRITE",
        "SHARING_FTP_WRITE",
        "SHARING_NVME_TARGET_WRITE"
    };

    private final Store store;

    /** Makes them on a state. */
    public ServiceMethods(Store store) {
        this.store = store;
    }

    /** Adds them: single verbs up to 25.10, service.control since then. */
    public void addTo(Methods methods) {
        methods.addQueries(SERVICES, "SERVICE_READ", "Service", (box, api) -> true, this::rows);
        for (String verb : List.of("start", "stop", "restart", "reload"))
            methods.add(Method.of("service." + verb, call -> act(call.text(0), verb))
                    .roles(ROLES)
                    .takes("service", "options")
                    .until(Profile.V26_BETA));
        methods.add(Method.of(
                        "service.control",
                        call -> act(call.text(1), call.text(0).toLowerCase(Locale.ROOT)))
                .roles(ROLES)
                .takes("verb", "service", "options")
                .since(Profile.V25_10_0)
                .asJob(call -> "service_" + call.text(1)));
        methods.add(Method.of("service.started", call -> new JsonPrimitive(running(call.text(0))))
                .roles("SERVICE_READ")
                .takes("service"));
        methods.add(Method.of("service.update", this::update).roles(ROLES).takes("id_or_name", "service_update"));
    }

    private List<JsonObject> rows(Call call) {
        return store.read(tables -> tables.rows(SERVICES).stream()
                .filter(row -> call.box().since(Profile.V25_10_0)
                        || !JsonTools.text(row, "service").equals("nvmet"))
                .map(row -> JsonTools.with(row, "pids", pids(row)))
                .toList());
    }

    private static JsonArray pids(JsonObject row) {
        JsonArray pids = new JsonArray();
        if (JsonTools.text(row, "state").equals("RUNNING")) pids.add(1000 + JsonTools.number(row, "id", 0));
        return pids;
    }

    private JsonObject find(Tables tables, String name) {
        return tables.rows(SERVICES).stream()
                .filter(row -> JsonTools.text(row, "service").equals(name)
                        || row.get("id").getAsString().equals(name))
                .findFirst()
                .orElseThrow(() -> ApiFailure.call("Service " + name + " does not exist"));
    }

    private boolean running(String name) {
        return store.read(tables -> JsonTools.text(find(tables, name), "state").equals("RUNNING"));
    }

    private JsonElement act(String name, String verb) {
        return store.change(tables -> {
            JsonObject row = find(tables, name);
            String state =
                    verb.equals("stop") ? "STOPPED" : verb.equals("reload") ? JsonTools.text(row, "state") : "RUNNING";
            tables.put(SERVICES, JsonTools.with(row, "state", state));
            return new JsonPrimitive(true);
        });
    }

    private JsonElement update(Call call) {
        return store.change(tables -> {
            JsonObject row = find(tables, call.text(0));
            tables.put(SERVICES, JsonTools.merged(row, call.object(1)));
            return row.get("id");
        });
    }
}
