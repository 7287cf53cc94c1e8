package dev.fairlead.simulator.real;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the shares by NFS as a line of exports(5) each. */
final class NfsExports {
    /** The numbers of the users and groups that a box has; others are nobody. */
    private static final Map<String, Integer> NUMBERS = Map.of("root", 0, "wheel", 0);

    private static final int NOBODY = 65534;

    private NfsExports() {}

    static String of(Tables tables) {
        StringBuilder text = new StringBuilder();
        for (JsonObject row : tables.rows("nfs_share")) {
            if (!JsonTools.flag(row, "enabled", true)) continue;
            for (String path : paths(row)) text.append(line(path, row)).append('\n');
        }
        return text.toString();
    }

    private static List<String> paths(JsonObject row) {
        return row.has("path")
                ? List.of(JsonTools.text(row, "path"))
                : JsonTools.list(row, "paths").asList().stream()
                        .map(JsonElement::getAsString)
                        .toList();
    }

    private static String line(String path, JsonObject row) {
        List<String> clients = Stream.of("hosts", "networks")
                .flatMap(list -> JsonTools.list(row, list).asList().stream())
                .map(JsonElement::getAsString)
                .toList();
        StringBuilder line = new StringBuilder("\"").append(path).append('"');
        for (String client : clients.isEmpty() ? List.of("*") : clients)
            line.append(' ').append(client).append('(').append(options(row)).append(')');
        return line.toString();
    }

    private static String options(JsonObject row) {
        List<String> options = new ArrayList<>();
        List<String> security = JsonTools.list(row, "security").asList().stream()
                .map(each -> each.getAsString().toLowerCase(java.util.Locale.ROOT))
                .toList();
        options.add("sec=" + (security.isEmpty() ? "sys" : String.join(":", security)));
        options.add(JsonTools.flag(row, "ro", false) ? "ro" : "rw");
        options.add("no_subtree_check");
        String all = JsonTools.text(row, "mapall_user");
        String root = JsonTools.text(row, "maproot_user");
        if (!all.isEmpty()) {
            options.add("all_squash");
            anonymous(options, all, JsonTools.text(row, "mapall_group"));
        } else if (root.equals("root")) {
            options.add("no_root_squash");
        } else if (!root.isEmpty()) {
            anonymous(options, root, JsonTools.text(row, "maproot_group"));
        }
        return String.join(",", options);
    }

    private static void anonymous(List<String> options, String user, String group) {
        options.add("anonuid=" + NUMBERS.getOrDefault(user, NOBODY));
        if (!group.isEmpty()) options.add("anongid=" + NUMBERS.getOrDefault(group, NOBODY));
    }
}
