package dev.fairlead.simulator.block;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers the methods of nvmet.port_subsys and nvmet.host_subsys. */
public final class FabricLinks extends RowMethods {
    private final boolean host;

    private FabricLinks(Store store, boolean host) {
        super(
                store,
                host ? "nvmet.host_subsys" : "nvmet.port_subsys",
                host ? NvmeTables.HOST_LINKS : NvmeTables.PORT_LINKS,
                host ? "NVMetHostSubsys" : "NVMetPortSubsys",
                "SHARING_NVME_TARGET");
        this.host = host;
    }

    /** Adds them both. */
    public static void addTo(Methods methods, Store store) {
        for (boolean host : new boolean[] {true, false})
            new FabricLinks(store, host)
                    .add(
                            methods,
                            (box, api) -> api.since(Profile.V25_10_0),
                            host ? "nvmet_host_subsys" : "nvmet_port_subsys");
    }

    private String end() {
        return host ? "host_id" : "port_id";
    }

    private String ends() {
        return host ? NvmeTables.HOSTS : NvmeTables.PORTS;
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        return JsonTools.object("id", 0, end(), 0, "subsys_id", 0);
    }

    @Override
    protected JsonObject shown(Tables tables, Call call, JsonObject row) {
        return JsonTools.object(
                "id",
                row.get("id"),
                host ? "host" : "port",
                tables.row(ends(), JsonTools.number(row, end(), 0)).orElseGet(JsonObject::new),
                "subsys",
                tables.row(NvmeTables.SUBSYSTEMS, JsonTools.number(row, "subsys_id", 0))
                        .map(subsys -> SubsystemMethods.shown(tables, subsys, false))
                        .orElseGet(JsonObject::new));
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema =
                (host ? "nvmet_host_subsys_" : "nvmet_port_subsys_") + (before.isEmpty() ? "create." : "update.");
        List<Violation> refused = new ArrayList<>();
        long one = JsonTools.number(row, end(), 0);
        long subsystem = JsonTools.number(row, "subsys_id", 0);
        if (tables.row(ends(), one).isEmpty())
            refused.add(Violation.of(schema + end(), (host ? "No host with ID " : "No port with ID ") + one));
        if (tables.row(NvmeTables.SUBSYSTEMS, subsystem).isEmpty())
            refused.add(Violation.of(schema + "subsys_id", "No subsystem with ID " + subsystem));
        String table = host ? NvmeTables.HOST_LINKS : NvmeTables.PORT_LINKS;
        boolean same = NvmeTables.where(tables, table, end(), one).stream()
                .anyMatch(other ->
                        !other.get("id").equals(row.get("id")) && JsonTools.number(other, "subsys_id", 0) == subsystem);
        if (same)
            refused.add(Violation.of(
                    schema + end(),
                    "This record already exists (Host ID: " + one + "/Subsystem ID: " + subsystem + ")"));
        return refused;
    }
}
