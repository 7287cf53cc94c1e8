package dev.fairlead.simulator.block;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Answers the methods of nvmet.port and nvmet.host. */
public final class FabricMethods extends RowMethods {
    private final boolean host;

    private FabricMethods(Store store, boolean host) {
        super(
                store,
                host ? "nvmet.host" : "nvmet.port",
                host ? NvmeTables.HOSTS : NvmeTables.PORTS,
                host ? "NVMetHost" : "NVMetPort",
                "SHARING_NVME_TARGET");
        this.host = host;
    }

    /** Adds them both. */
    public static void addTo(Methods methods, Store store) {
        for (boolean host : new boolean[] {true, false})
            new FabricMethods(store, host)
                    .add(
                            methods,
                            (box, api) -> api.since(Profile.V25_10_0),
                            host ? "nvmet_host" : "nvmet_port",
                            "options");
        methods.add(Method.of("nvmet.host.generate_key", FabricMethods::key)
                .roles("SHARING_NVME_TARGET_WRITE")
                .takes("dhchap_hash", "nqn")
                .since(Profile.V25_10_0));
        methods.add(Method.of(
                        "nvmet.port.transport_address_choices",
                        call -> JsonTools.object("0.0.0.0", "0.0.0.0", "127.0.0.1", "127.0.0.1", "::", "::"))
                .roles("SHARING_NVME_TARGET_READ")
                .takes("addr_trtype", "force_ana")
                .since(Profile.V25_10_0));
    }

    private static JsonElement key(Call call) {
        byte[] secret = new byte[36];
        new SecureRandom().nextBytes(secret);
        return new JsonPrimitive("DHHC-1:01:" + Base64.getEncoder().encodeToString(secret) + ":");
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return host
                ? JsonTools.object(
                        "id",
                        0,
                        "hostnqn",
                        "",
                        "dhchap_key",
                        JsonNull.INSTANCE,
                        "dhchap_ctrl_key",
                        JsonNull.INSTANCE,
                        "dhchap_dhgroup",
                        JsonNull.INSTANCE,
                        "dhchap_hash",
                        "SHA-256")
                : JsonTools.object(
                        "id",
                        0,
                        "index",
                        0,
                        "addr_trtype",
                        "TCP",
                        "addr_trsvcid",
                        4420,
                        "addr_traddr",
                        "",
                        "addr_adrfam",
                        "IPV4",
                        "inline_data_size",
                        JsonNull.INSTANCE,
                        "max_queue_size",
                        JsonNull.INSTANCE,
                        "pi_enable",
                        JsonNull.INSTANCE,
                        "enabled",
                        true);
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        if (host) return row;
        String family = JsonTools.text(row, "addr_traddr").contains(":") ? "IPV6" : "IPV4";
        return JsonTools.merged(row, JsonTools.object("index", row.get("id"), "addr_adrfam", family));
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = (host ? "nvmet_host_" : "nvmet_port_") + (before.isEmpty() ? "create." : "update.");
        if (host)
            return taken(tables, row, "hostnqn")
                    ? List.of(Violation.of(schema + "hostnqn", "Object with this hostnqn already exists"))
                    : List.of();
        if (JsonTools.text(row, "addr_trtype").equals("RDMA"))
            return List.of(Violation.of(
                    schema + "addr_trtype",
                    "This platform cannot support NVMe-oF(RDMA) or is missing an RDMA capable NIC."));
        boolean same = tables.rows(NvmeTables.PORTS).stream()
                .anyMatch(other -> !other.get("id").equals(row.get("id"))
                        && JsonTools.text(other, "addr_traddr").equals(JsonTools.text(row, "addr_traddr"))
                        && JsonTools.text(other, "addr_trsvcid").equals(JsonTools.text(row, "addr_trsvcid")));
        return same
                ? List.of(Violation.of(
                        schema + "addr_traddr", "There already is a port using the same transport and address"))
                : List.of();
    }

    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        String table = host ? NvmeTables.HOST_LINKS : NvmeTables.PORT_LINKS;
        List<JsonObject> links = NvmeTables.where(
                tables, table, host ? "host_id" : "port_id", row.get("id").getAsLong());
        if (!links.isEmpty() && !JsonTools.flag(call.object(1), "force", false))
            throw ApiFailure.invalid(call.schema() + ".id", used(row, links));
        links.forEach(link -> tables.remove(table, link.get("id").getAsLong()));
    }

    private String used(JsonObject row, List<JsonObject> links) {
        String subsystems = String.join(
                ",",
                links.stream().map(link -> link.get("subsys_id").getAsString()).toList());
        String many = links.size() + " subsystem" + (links.size() == 1 ? "" : "s") + ": " + subsystems;
        return host
                ? "Host " + JsonTools.text(row, "hostnqn") + " used by " + many
                : "Port #" + row.get("index") + " used by " + many;
    }
}
