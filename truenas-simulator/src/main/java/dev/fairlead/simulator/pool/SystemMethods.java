package dev.fairlead.simulator.pool;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;

/** Answers the methods of system and pool. */
public final class SystemMethods {
    private final Store store;

    /** Makes them on a state. */
    public SystemMethods(Store store) {
        this.store = store;
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        methods.add(
                Method.of("system.version", call -> new JsonPrimitive(call.box().version())));
        methods.add(Method.of(
                        "system.version_short",
                        call -> new JsonPrimitive(call.box().shortVersion()))
                .since(Profile.SCALE_24_10));
        methods.add(Method.of("system.info", SystemMethods::info).roles("READONLY_ADMIN"));
        methods.add(Method.of("system.product_type", call -> new JsonPrimitive(product(call.box()))));
        methods.add(Method.of("system.ready", call -> new JsonPrimitive(true)).roles("SYSTEM_GENERAL_READ"));
        methods.add(
                Method.of("system.state", call -> new JsonPrimitive("READY")).roles("SYSTEM_GENERAL_READ"));
        methods.addQueries("pool", "POOL_READ", "Pool", (box, api) -> true, this::pools);
    }

    private static String product(Profile box) {
        if (box == Profile.CORE_13_0) return "CORE";
        return box.since(Profile.V25_04) ? "COMMUNITY_EDITION" : "SCALE";
    }

    private static JsonElement info(Call call) {
        return JsonTools.object(
                "version",
                call.box().version(),
                "hostname",
                "truenas",
                "system_product",
                "Simulated",
                "system_serial",
                JsonNull.INSTANCE,
                "license",
                JsonNull.INSTANCE,
                "timezone",
                "UTC",
                "physmem",
                8L << 30,
                "cores",
                4,
                "ecc_memory",
                false);
    }

    private List<JsonObject> pools(Call call) {
        List<JsonObject> all = pools();
        if (call.api().since(Profile.V26_BETA)) all.forEach(pool -> pool.addProperty("all_sed", false));
        return all;
    }

    private List<JsonObject> pools() {
        return store.read(tables -> {
            Space space = new Space(tables);
            return tables.rows("pool").stream()
                    .map(row -> {
                        String name = JsonTools.text(row, "name");
                        return JsonTools.object(
                                "id",
                                row.get("id"),
                                "name",
                                name,
                                "guid",
                                row.get("guid"),
                                "path",
                                "/mnt/" + name,
                                "status",
                                "ONLINE",
                                "healthy",
                                true,
                                "warning",
                                false,
                                "size",
                                row.get("size"),
                                "allocated",
                                space.used(name),
                                "free",
                                space.free(name),
                                "autotrim",
                                JsonTools.object("rawvalue", "off", "value", "off", "parsed", "off"),
                                "scan",
                                JsonNull.INSTANCE,
                                "expand",
                                JsonNull.INSTANCE,
                                "status_code",
                                "OK",
                                "status_detail",
                                JsonNull.INSTANCE,
                                "freeing",
                                0,
                                "fragmentation",
                                "0",
                                "dedup_table_size",
                                0,
                                "dedup_table_quota",
                                "auto",
                                "size_str",
                                row.get("size").getAsString(),
                                "allocated_str",
                                Long.toString(space.used(name)),
                                "free_str",
                                Long.toString(space.free(name)),
                                "freeing_str",
                                "0",
                                "topology",
                                JsonTools.object(
                                        "data", JsonTools.array(),
                                        "log", JsonTools.array(),
                                        "cache", JsonTools.array(),
                                        "spare", JsonTools.array(),
                                        "special", JsonTools.array(),
                                        "dedup", JsonTools.array()));
                    })
                    .toList();
        });
    }
}
