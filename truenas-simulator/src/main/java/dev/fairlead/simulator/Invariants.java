package dev.fairlead.simulator;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.JsonTools;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds what is left half-made or behind in the state of a box. */
final class Invariants {
    private final JsonObject dump;
    private final List<String> broken = new ArrayList<>();

    Invariants(JsonObject dump) {
        this.dump = dump;
    }

    List<String> broken() {
        Set<String> paths = new HashSet<>();
        for (JsonObject share : rows("nfs_share"))
            if (!paths.add(JsonTools.text(share, "path")))
                broken.add("a second NFS share of " + JsonTools.text(share, "path"));
        for (String table : List.of("nfs_share", "smb_share"))
            for (JsonObject share : rows(table))
                missing("dataset", JsonTools.text(share, "path").replaceFirst("^/mnt/", ""), table);
        iscsi();
        nvme();
        snapshots();
        return broken;
    }

    private void iscsi() {
        for (JsonObject link : rows("iscsi_targetextent")) {
            missing("iscsi_target", link.get("target").getAsString(), "iscsi_targetextent");
            missing("iscsi_extent", link.get("extent").getAsString(), "iscsi_targetextent");
        }
        for (JsonObject extent : rows("iscsi_extent")) {
            missing("dataset", Attachments.volume(JsonTools.text(extent, "disk")), "iscsi_extent");
            unlinked("iscsi_extent", extent, "iscsi_targetextent", "extent");
        }
        for (JsonObject target : rows("iscsi_target")) unlinked("iscsi_target", target, "iscsi_targetextent", "target");
    }

    private void nvme() {
        for (JsonObject namespace : rows("nvmet_namespace")) {
            missing("dataset", Attachments.volume(JsonTools.text(namespace, "device_path")), "nvmet_namespace");
            missing("nvmet_subsys", namespace.get("subsys_id").getAsString(), "nvmet_namespace");
        }
        for (JsonObject subsystem : rows("nvmet_subsys")) {
            unlinked("nvmet_subsys", subsystem, "nvmet_namespace", "subsys_id");
            unlinked("nvmet_subsys", subsystem, "nvmet_port_subsys", "subsys_id");
        }
    }

    // A snapshot that a copy was made from stays only while a clone needs it.
    private void snapshots() {
        for (JsonObject snapshot : rows("snapshot")) {
            String name = JsonTools.text(snapshot, "name");
            boolean temporary = JsonTools.text(snapshot, "snapshot_name").startsWith("volume-source-for-");
            boolean needed = rows("dataset").stream()
                    .anyMatch(dataset -> JsonTools.text(dataset, "origin").equals(name));
            if (temporary && !needed) broken.add("a temporary snapshot " + name);
        }
    }

    private void missing(String table, String key, String from) {
        if (!JsonTools.child(dump, table).has(key)) broken.add("a row of " + from + " names " + table + " " + key);
    }

    private void unlinked(String table, JsonObject row, String links, String member) {
        boolean linked = rows(links).stream().anyMatch(link -> link.get(member).equals(row.get("id")));
        if (!linked) broken.add(table + " " + JsonTools.text(row, "name") + " is in no " + links);
    }

    private List<JsonObject> rows(String table) {
        return JsonTools.child(dump, table).entrySet().stream()
                .map(Map.Entry::getValue)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }
}
