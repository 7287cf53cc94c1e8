package dev.fairlead.simulator.real;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.List;
import java.util.Optional;

/**
 * Says what the kernel's iSCSI target (LIO) is to be for the targets of a box: each with its portals and initiators.
 */
final class IscsiConfig {
    private static final String ROOT = "/sys/kernel/config/target";

    private final Tables tables;
    private final ConfigTree tree;

    IscsiConfig(Tables tables, ConfigTree tree) {
        this.tables = tables;
        this.tree = tree;
    }

    void add() {
        tables.rows("iscsi_extent").forEach(this::extent);
        tables.rows("iscsi_target").forEach(this::target);
    }

    private static String backstore(JsonObject extent) {
        return ROOT + "/core/iblock_" + extent.get("id").getAsLong() + "/"
                + JsonTools.text(extent, "name").replace('/', '-');
    }

    private static boolean isServed(JsonObject extent) {
        return JsonTools.flag(extent, "enabled", true)
                && JsonTools.text(extent, "disk").startsWith("zvol/");
    }

    private void extent(JsonObject extent) {
        if (!isServed(extent)) return;
        String backstore = backstore(extent);
        String device = "/dev/" + JsonTools.text(extent, "disk");
        tree.device(device);
        tree.folder(backstore.substring(0, backstore.lastIndexOf('/')));
        tree.folder(backstore);
        tree.value(backstore + "/control", "udev_path=" + device);
        tree.value(backstore + "/udev_path", device);
        tree.value(backstore + "/wwn/vpd_unit_serial", JsonTools.text(extent, "serial"));
        tree.value(backstore + "/enable", 1);
    }

    private void target(JsonObject target) {
        String name = JsonTools.text(target, "name");
        String base = tables.row("iscsi_global", "config")
                .map(row -> JsonTools.text(row, "basename"))
                .orElse("");
        String iqn = name.startsWith("iqn.") ? name : base + ":" + name;
        String group = ROOT + "/iscsi/" + iqn + "/tpgt_1";
        List<JsonObject> groups = JsonTools.list(target, "groups").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
        tree.folder(ROOT + "/iscsi/" + iqn);
        tree.folder(group);
        boolean everybody = groups.stream().anyMatch(each -> initiators(each).isEmpty());
        boolean chap = groups.stream().anyMatch(each -> credential(each).isPresent());
        tree.value(group + "/attrib/authentication", chap ? 1 : 0);
        tree.value(group + "/attrib/generate_node_acls", everybody ? 1 : 0);
        tree.value(group + "/attrib/demo_mode_write_protect", 0);
        portals(groups).forEach(portal -> listen(group, portal));
        luns(group, target);
        for (JsonObject each : groups) {
            if (initiators(each).isEmpty()) credential(each).ifPresent(row -> secret(group + "/auth", row));
            initiators(each).forEach(initiator -> admit(group, target, each, initiator));
        }
        tree.value(group + "/enable", 1);
    }

    /** Returns the portals of the groups; a target without groups is heard at all, and lets nobody in. */
    private List<JsonObject> portals(List<JsonObject> groups) {
        if (groups.isEmpty()) return tables.rows("iscsi_portal");
        return groups.stream()
                .flatMap(each -> tables.row("iscsi_portal", JsonTools.number(each, "portal", 0)).stream())
                .toList();
    }

    private void listen(String group, JsonObject portal) {
        JsonTools.list(portal, "listen").forEach(each -> {
            String address = JsonTools.text(each.getAsJsonObject(), "ip");
            String host = address.contains(":") ? "[" + address + "]" : address;
            tree.folder(group + "/np/" + host + ":" + JsonTools.number(each.getAsJsonObject(), "port", 3260));
        });
    }

    private List<JsonObject> links(JsonObject target) {
        long id = target.get("id").getAsLong();
        return tables.rows("iscsi_targetextent").stream()
                .filter(link -> JsonTools.number(link, "target", 0) == id)
                .filter(link -> extentOf(link).filter(IscsiConfig::isServed).isPresent())
                .toList();
    }

    private Optional<JsonObject> extentOf(JsonObject link) {
        return tables.row("iscsi_extent", JsonTools.number(link, "extent", 0));
    }

    private static String lun(String above, JsonObject link) {
        return above + "/lun_" + JsonTools.number(link, "lunid", 0);
    }

    private void luns(String group, JsonObject target) {
        for (JsonObject link : links(target)) {
            String lun = lun(group + "/lun", link);
            tree.folder(lun);
            tree.link(lun + "/backstore", backstore(extentOf(link).orElseThrow()));
        }
    }

    private void admit(String group, JsonObject target, JsonObject of, String initiator) {
        String entry = group + "/acls/" + initiator;
        tree.folder(entry);
        credential(of).ifPresent(row -> secret(entry + "/auth", row));
        for (JsonObject link : links(target)) {
            String mapped = lun(entry, link);
            tree.folder(mapped);
            tree.link(mapped + "/lun", lun(group + "/lun", link));
            if (JsonTools.flag(extentOf(link).orElseThrow(), "ro", false)) tree.value(mapped + "/write_protect", 1);
        }
    }

    /** Returns who is named; a group that is gone or empty names nobody, and then everybody is let in. */
    private List<String> initiators(JsonObject group) {
        return tables.row("iscsi_initiator", JsonTools.number(group, "initiator", 0))
                .map(row -> JsonTools.list(row, "initiators").asList().stream()
                        .map(JsonElement::getAsString)
                        .toList())
                .orElse(List.of());
    }

    private Optional<JsonObject> credential(JsonObject group) {
        long tag = JsonTools.number(group, "auth", 0);
        if (JsonTools.text(group, "authmethod", "NONE").equals("NONE")) return Optional.empty();
        return tables.rows("iscsi_auth").stream()
                .filter(row -> JsonTools.number(row, "tag", 0) == tag)
                .findFirst();
    }

    private void secret(String folder, JsonObject row) {
        tree.value(folder + "/userid", JsonTools.text(row, "user"));
        tree.value(folder + "/password", JsonTools.text(row, "secret"));
        if (JsonTools.text(row, "peeruser").isEmpty()) return;
        tree.value(folder + "/userid_mutual", JsonTools.text(row, "peeruser"));
        tree.value(folder + "/password_mutual", JsonTools.text(row, "peersecret"));
    }
}
