package dev.fairlead.simulator.block;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.List;

/** Names the tables of NVMe over fabrics. */
final class NvmeTables {
    static final String SUBSYSTEMS = "nvmet_subsys";
    static final String NAMESPACES = "nvmet_namespace";
    static final String PORTS = "nvmet_port";
    static final String HOSTS = "nvmet_host";
    static final String PORT_LINKS = "nvmet_port_subsys";
    static final String HOST_LINKS = "nvmet_host_subsys";

    private NvmeTables() {}

    static List<JsonObject> where(Tables tables, String table, String member, long id) {
        return tables.rows(table).stream()
                .filter(row -> JsonTools.number(row, member, -1) == id)
                .toList();
    }

    static List<Long> ids(List<JsonObject> rows) {
        return rows.stream().map(row -> row.get("id").getAsLong()).toList();
    }
}
