package dev.fairlead.adapter.freenas.fake;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.List;

/** Adds the rows that a simulated box has before anything is made on it. */
final class BoxRows {
    private BoxRows() {}

    /** Adds a pool and the datasets in which volumes are made. */
    static void addParents(Tables tables) {
        tables.put("pool", JsonTools.object("id", 1, "name", "tank", "guid", "12", "size", 1L << 40));
        for (String name : List.of("tank", "tank/k8s", SimulatedBox.PARENT)) {
            addDataset(tables, name, "FILESYSTEM", new JsonObject());
        }
    }

    /** Adds a dataset as an administrator makes it. */
    static void addDataset(Tables tables, String name, String type, JsonObject user) {
        JsonObject own = type.equals("VOLUME") ? JsonTools.object("volsize", 1L << 30) : new JsonObject();
        JsonObject row = JsonTools.object("name", name, "type", type, "props", own, "user", user, "origin", "");
        row.addProperty("data", 98304L);
        row.addProperty("guid", "1");
        row.addProperty("createtxg", tables.nextId("txg"));
        row.addProperty("creation", 1700000000L);
        row.add("perm", JsonTools.object("uid", 0, "gid", 0, "mode", 0x1ed, "acl", false));
        tables.put("dataset", name, row);
    }

    /** Adds what an administrator has set up of iSCSI and NVMe. */
    static void addExports(Tables tables) {
        tables.put("iscsi_global", "config", JsonTools.object("id", 1, "basename", "iqn.2005-10.org.freenas.ctl"));
        for (String address : List.of("10.0.0.100", "fd00::100")) {
            tables.put(
                    "iscsi_portal",
                    JsonTools.object(
                            "id",
                            tables.nextId("iscsi_portal"),
                            "tag",
                            7,
                            "comment",
                            "",
                            "listen",
                            JsonTools.array(JsonTools.object("ip", address, "port", 3260))));
            tables.put(
                    "nvmet_port",
                    JsonTools.object(
                            "id",
                            tables.nextId("nvmet_port"),
                            "addr_trtype",
                            "TCP",
                            "addr_trsvcid",
                            4420,
                            "addr_traddr",
                            address,
                            "enabled",
                            true));
        }
        tables.put("nvmet_global", "config", JsonTools.object("id", 1, "basenqn", "nqn.2011-06.com.truenas:uuid:0-1"));
    }
}
