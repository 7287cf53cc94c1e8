package dev.fairlead.simulator.real;

import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.Locale;

/**
 * Says what the kernel's NVMe target is to be for the subsystems of a box: each with its namespaces, hosts and ports.
 */
final class NvmeConfig {
    private static final String ROOT = "/sys/kernel/config/nvmet";

    private final Tables tables;
    private final ConfigTree tree;

    NvmeConfig(Tables tables, ConfigTree tree) {
        this.tables = tables;
        this.tree = tree;
    }

    void add() {
        tables.rows("nvmet_host").forEach(this::host);
        tables.rows("nvmet_subsys").forEach(this::subsystem);
        tables.rows("nvmet_port").forEach(this::port);
    }

    private static String path(JsonObject subsystem) {
        return ROOT + "/subsystems/" + JsonTools.text(subsystem, "subnqn");
    }

    private void host(JsonObject host) {
        String path = ROOT + "/hosts/" + JsonTools.text(host, "hostnqn");
        tree.folder(path);
        JsonTools.at(host, "dhchap_key").ifPresent(key -> tree.value(path + "/dhchap_key", key.getAsString()));
        JsonTools.at(host, "dhchap_ctrl_key")
                .ifPresent(key -> tree.value(path + "/dhchap_ctrl_key", key.getAsString()));
    }

    private void subsystem(JsonObject subsystem) {
        String path = path(subsystem);
        long id = subsystem.get("id").getAsLong();
        tree.folder(path);
        tree.value(path + "/attr_allow_any_host", JsonTools.flag(subsystem, "allow_any_host", false) ? 1 : 0);
        tree.value(path + "/attr_serial", JsonTools.text(subsystem, "serial"));
        tables.rows("nvmet_namespace").stream()
                .filter(row -> JsonTools.number(row, "subsys_id", 0) == id && JsonTools.flag(row, "enabled", true))
                .forEach(row -> namespace(path, row));
        tables.rows("nvmet_host_subsys").stream()
                .filter(link -> JsonTools.number(link, "subsys_id", 0) == id)
                .flatMap(link -> tables.row("nvmet_host", JsonTools.number(link, "host_id", 0)).stream())
                .map(row -> JsonTools.text(row, "hostnqn"))
                .forEach(nqn -> tree.link(path + "/allowed_hosts/" + nqn, ROOT + "/hosts/" + nqn));
    }

    private void namespace(String subsystem, JsonObject row) {
        String path = subsystem + "/namespaces/" + JsonTools.number(row, "nsid", 1);
        String device = "/dev/" + JsonTools.text(row, "device_path").replace(' ', '+');
        tree.device(device);
        tree.folder(path);
        tree.value(path + "/device_path", device);
        tree.value(path + "/device_uuid", JsonTools.text(row, "device_uuid"));
        tree.value(path + "/enable", 1);
    }

    private void port(JsonObject port) {
        if (!JsonTools.flag(port, "enabled", true)) return;
        long id = port.get("id").getAsLong();
        String path = ROOT + "/ports/" + id;
        tree.folder(path);
        tree.value(path + "/addr_trtype", JsonTools.text(port, "addr_trtype").toLowerCase(Locale.ROOT));
        tree.value(path + "/addr_adrfam", JsonTools.text(port, "addr_adrfam").toLowerCase(Locale.ROOT));
        tree.value(path + "/addr_traddr", JsonTools.text(port, "addr_traddr"));
        tree.value(path + "/addr_trsvcid", JsonTools.text(port, "addr_trsvcid"));
        tables.rows("nvmet_port_subsys").stream()
                .filter(link -> JsonTools.number(link, "port_id", 0) == id)
                .flatMap(link -> tables.row("nvmet_subsys", JsonTools.number(link, "subsys_id", 0)).stream())
                .forEach(row -> tree.link(path + "/subsystems/" + JsonTools.text(row, "subnqn"), path(row)));
    }
}
