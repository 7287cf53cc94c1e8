package dev.fairlead.simulator.share;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Lists what the middleware refuses of an NFS share. */
final class NfsRules {
    private static final Set<String> USERS = Set.of("root", "nobody", "apps");
    private static final Set<String> GROUPS = Set.of("root", "wheel", "nogroup", "apps");

    private final Tables tables;
    private final Profile box;
    private final String schema;
    private final List<Violation> violations = new ArrayList<>();

    NfsRules(Tables tables, Profile box, String schema) {
        this.tables = tables;
        this.box = box;
        this.schema = schema;
    }

    List<Violation> of(JsonObject row) {
        for (String path : NfsMethods.paths(row)) path(path);
        if (NfsMethods.paths(row).isEmpty()) refuse("paths", "This field is required");
        mapping(row, "maproot");
        mapping(row, "mapall");
        if (!JsonTools.text(row, "maproot_user").isEmpty()
                && !JsonTools.text(row, "mapall_user").isEmpty())
            refuse("mapall_user", "maproot_user disqualifies mapall_user");
        for (JsonElement host : JsonTools.list(row, "hosts"))
            if (host.getAsString().endsWith(".invalid"))
                refuse("hosts", "Unable to resolve host '" + host.getAsString() + "'");
        if (box.since(Profile.SCALE_24_10)) conflicts(row);
        else overlaps(row);
        return violations;
    }

    private void path(String path) {
        if (!path.startsWith("/mnt/") || dataset(path).isEmpty())
            refuse(box == Profile.CORE_13_0 ? "paths" : "path", "The path must reside within a pool mount point");
    }

    private String dataset(String path) {
        String at = path.replaceFirst("^/mnt/", "");
        while (!at.isEmpty() && tables.row("dataset", at).isEmpty())
            at = at.contains("/") ? at.substring(0, at.lastIndexOf('/')) : "";
        return at;
    }

    private void mapping(JsonObject row, String kind) {
        String user = JsonTools.text(row, kind + "_user");
        String group = JsonTools.text(row, kind + "_group");
        if (!user.isEmpty() && !USERS.contains(user)) refuse(kind + "_user", "User not found: " + user);
        if (!group.isEmpty() && user.isEmpty())
            refuse(kind + "_user", "This field is required when map group is specified");
        if (!group.isEmpty() && !GROUPS.contains(group)) refuse(kind + "_group", "Group not found: " + group);
    }

    // On CORE two shares of one filesystem live together unless they name the same, or the checked one names nobody.
    private void overlaps(JsonObject row) {
        Set<String> used = new HashSet<>();
        for (JsonObject other : tables.rows(NfsMethods.SHARES))
            if (!other.get("id").equals(row.get("id")) && filesystem(other).equals(filesystem(row))) {
                if (named(other).isEmpty()) used.add("0.0.0.0/0");
                used.addAll(named(other));
            }
        for (String list : List.of("hosts", "networks"))
            for (JsonElement each : JsonTools.list(row, list))
                if (used.contains(each.getAsString()))
                    refuse(list, "Another NFS share already exports this dataset for " + each.getAsString());
        if (named(row).isEmpty() && !used.isEmpty())
            refuse("networks", "Another NFS share already exports this dataset for some network");
    }

    private static Set<String> named(JsonObject row) {
        Set<String> named = new HashSet<>();
        for (String list : List.of("hosts", "networks"))
            JsonTools.list(row, list).forEach(each -> named.add(each.getAsString()));
        return named;
    }

    private String filesystem(JsonObject row) {
        List<String> paths = NfsMethods.paths(row);
        return paths.isEmpty() ? "" : dataset(paths.getFirst());
    }

    // Two shares of one path live together unless they name the same hosts or networks.
    private void conflicts(JsonObject row) {
        String path = JsonTools.text(row, "path");
        for (JsonObject other : tables.rows(NfsMethods.SHARES)) {
            if (other.get("id").equals(row.get("id"))
                    || !NfsMethods.paths(other).contains(path)) continue;
            Set<String> hosts = common(row, other, "hosts");
            Set<String> networks = common(row, other, "networks");
            if (!hosts.isEmpty())
                refuse(
                        "path",
                        "ERROR - Export conflict. Another share with the same path exports " + path + " for "
                                + pythonSet(hosts));
            hosts.forEach(
                    host -> refuse("hosts", "ERROR - Another NFS share already exports " + path + " for host " + host));
            networks.forEach(network -> refuse(
                    "networks", "ERROR - Another NFS share already exports " + path + " for network " + network));
            everybody(row, other, path);
        }
    }

    // A share for everybody counts as all networks of the world.
    private void everybody(JsonObject row, JsonObject other, String path) {
        boolean open = JsonTools.list(other, "hosts").isEmpty()
                && JsonTools.list(other, "networks").isEmpty();
        if (!open) return;
        for (JsonElement network : JsonTools.list(row, "networks"))
            refuse(
                    "networks",
                    "ERROR - This or another NFS share exports " + path + " to "
                            + (network.getAsString().contains(":") ? "::/0" : "0.0.0.0/0") + " and overlaps network "
                            + network.getAsString());
    }

    private static Set<String> common(JsonObject one, JsonObject other, String member) {
        Set<String> common = new HashSet<>();
        JsonTools.list(one, member).forEach(each -> {
            if (JsonTools.list(other, member).contains(each)) common.add(each.getAsString());
        });
        return common;
    }

    private static String pythonSet(Set<String> members) {
        return "{"
                + String.join(
                        ", ",
                        members.stream().sorted().map(each -> "'" + each + "'").toList()) + "}";
    }

    private void refuse(String attribute, String text) {
        violations.add(Violation.of(schema + attribute, text));
    }
}
