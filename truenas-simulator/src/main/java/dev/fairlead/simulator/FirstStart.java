package dev.fairlead.simulator;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.core.UserAccounts;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.profile.SimulatorSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Sets up what an administrator has set up before: a pool, an administrator with a key, a portal of iSCSI and one of
 * NVMe.
 */
final class FirstStart {
    private static final List<String> SERVICES = List.of("cifs", "iscsitarget", "nfs", "nvmet", "ssh");

    private FirstStart() {}

    static void seed(Store store, UserAccounts accounts, SimulatorSettings settings, Map<String, Long> pools) {
        if (store.read(tables -> !tables.rows("pool").isEmpty())) return;
        accounts.user("root", Box.ROOT_PASSWORD, Set.of("FULL_ADMIN"));
        String key = accounts.key("root");
        store.update(tables -> {
            tables.put("secret", "root_key", JsonTools.object("text", key));
            if (pools.isEmpty()) pool(tables, "tank", settings.poolSize(), settings);
            pools.forEach((name, size) -> pool(tables, name, size, settings));
            for (int i = 0; i < SERVICES.size(); i++)
                tables.put(
                        "service",
                        JsonTools.object("id", i + 1, "service", SERVICES.get(i), "enable", true, "state", "RUNNING"));
            block(tables);
        });
    }

    static void pool(Tables tables, String name, long size, SimulatorSettings settings) {
        tables.put(
                "pool",
                JsonTools.object(
                        "id",
                        tables.nextId("pool"),
                        "name",
                        name,
                        "guid",
                        Long.toUnsignedString(UUID.randomUUID().getMostSignificantBits()),
                        "size",
                        size));
        tables.put(
                "dataset",
                name,
                JsonTools.object(
                        "name",
                        name,
                        "type",
                        "FILESYSTEM",
                        "props",
                        new JsonObject(),
                        "user",
                        new JsonObject(),
                        "origin",
                        "",
                        "data",
                        98304L,
                        "guid",
                        "1",
                        "createtxg",
                        tables.nextId("txg"),
                        "creation",
                        settings.clock().instant().getEpochSecond(),
                        "perm",
                        JsonTools.object("uid", 0, "gid", 0, "mode", 0x1ed, "acl", false)));
    }

    private static void block(Tables tables) {
        tables.put(
                "iscsi_portal",
                JsonTools.object(
                        "id",
                        tables.nextId("iscsi_portal"),
                        "tag",
                        1,
                        "comment",
                        "",
                        "listen",
                        JsonTools.array(JsonTools.object("ip", "0.0.0.0", "port", 3260))));
        tables.put(
                "iscsi_global",
                "config",
                JsonTools.object(
                        "id",
                        1,
                        "basename",
                        "iqn.2005-10.org.freenas.ctl",
                        "isns_servers",
                        JsonTools.array(),
                        "listen_port",
                        3260,
                        "pool_avail_threshold",
                        JsonNull.INSTANCE,
                        "alua",
                        false,
                        "iser",
                        false));
        tables.put(
                "nvmet_global",
                "config",
                JsonTools.object(
                        "id",
                        1,
                        "basenqn",
                        "nqn.2011-06.com.truenas:uuid:00000000-1111-2222-3333-444444444444",
                        "kernel",
                        true,
                        "ana",
                        false,
                        "rdma",
                        false,
                        "xport_referral",
                        true));
        tables.put(
                "nvmet_port",
                JsonTools.object(
                        "id",
                        tables.nextId("nvmet_port"),
                        "index",
                        1,
                        "addr_trtype",
                        "TCP",
                        "addr_trsvcid",
                        4420,
                        "addr_traddr",
                        "0.0.0.0",
                        "addr_adrfam",
                        "IPV4",
                        "inline_data_size",
                        JsonNull.INSTANCE,
                        "max_queue_size",
                        JsonNull.INSTANCE,
                        "pi_enable",
                        JsonNull.INSTANCE,
                        "enabled",
                        true));
    }
}
