package dev.fairlead.adapter.freenas.testkit;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Shows the state of a box as lines in which equal states are equal: numbers of rows are replaced by what the rows are
 * about, and times and other marks of the moment are left out.
 */
public final class BoxState {
    private static final Set<String> PASSING = Set.of("sequence", "api_key", "user", "secret", "txg");
    private static final Set<String> MOMENTS =
            Set.of("guid", "createtxg", "creation", "born", "naa", "serial", "uuid", "device_uuid", "device_nguid");
    private static final List<String> NAMES =
            List.of("name", "path", "subnqn", "hostnqn", "device_path", "disk", "service", "comment");

    private final JsonObject dump;
    private final Map<String, Map<String, String>> labels = new TreeMap<>();

    private BoxState(JsonObject dump) {
        this.dump = dump;
    }

    /** Returns the lines of a dump, in order. */
    public static String of(JsonObject dump) {
        return new BoxState(dump).text();
    }

    private String text() {
        for (String table : dump.keySet()) {
            Map<String, String> named = new TreeMap<>();
            rows(table).forEach((key, row) -> named.put(key, label(key, row)));
            labels.put(table, named);
        }
        Set<String> lines = new TreeSet<>();
        List<String> twins = new ArrayList<>();
        for (String table : dump.keySet()) {
            if (!PASSING.contains(table)) {
                rows(table).forEach((key, row) -> {
                    String line = table + " " + label(key, row) + " " + shown(table, row);
                    if (!lines.add(line)) {
                        twins.add("twin of " + line);
                    }
                });
            }
        }
        return String.join(
                "\n",
                Stream.concat(lines.stream(), twins.stream().skip(spare(twins))).toList());
    }

    /**
     * Returns how many of these twins are none: a group of initiators that a late call may still give stays beside the
     * one that its target names, at most two of them, and lets in whom that one does (ADR 44).
     */
    private static long spare(List<String> twins) {
        return twins.stream().allMatch(twin -> twin.startsWith("twin of iscsi_initiator ")) && twins.size() <= 2
                ? twins.size()
                : 0;
    }

    private Map<String, JsonObject> rows(String table) {
        Map<String, JsonObject> rows = new TreeMap<>();
        dump.getAsJsonObject(table).asMap().forEach((key, row) -> rows.put(key, row.getAsJsonObject()));
        return rows;
    }

    private static String label(String key, JsonObject row) {
        return NAMES.stream()
                .filter(name -> row.has(name) && row.get(name).isJsonPrimitive())
                .map(name -> row.get(name).getAsString())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(key.matches("[0-9]+") ? "" : key);
    }

    private String shown(String table, JsonObject row) {
        Map<String, String> shown = new TreeMap<>();
        row.asMap().forEach((key, value) -> {
            // Whether a call was cut is noted for those who come after, with what it was about or its parent.
            if (!MOMENTS.contains(key) && !key.equals("id") && !key.startsWith("dev.fairlead:call.")) {
                shown.put(key, value(table, key, value));
            }
        });
        return shown.toString();
    }

    private String value(String table, String key, JsonElement value) {
        String referred = referred(table, key);
        if (!referred.isEmpty() && value instanceof JsonPrimitive) {
            return "#" + labels.getOrDefault(referred, Map.of()).getOrDefault(value.getAsString(), "gone");
        }
        if (value.isJsonObject()) {
            return shown(table, value.getAsJsonObject());
        }
        if (value.isJsonArray()) {
            return value.getAsJsonArray().asList().stream()
                    .map(each -> value(table, "", each))
                    .sorted()
                    .toList()
                    .toString();
        }
        return value.toString();
    }

    /** Returns the table whose number an attribute or a property holds, or nothing. */
    private static String referred(String table, String key) {
        return switch (key) {
            case "target", "democratic-csi:freenas_iscsi_target_id" ->
                table.equals("iscsi_session") ? "" : "iscsi_target";
            case "extent", "democratic-csi:freenas_iscsi_extent_id" -> "iscsi_extent";
            case "democratic-csi:freenas_iscsi_targettoextent_id" -> "iscsi_targetextent";
            case "initiator" -> "iscsi_initiator";
            case "portal" -> "iscsi_portal";
            case "subsys_id", "democratic-csi:freenas_nvmeof_subsystem_id" -> "nvmet_subsys";
            case "democratic-csi:freenas_nvmeof_namespace_id" -> "nvmet_namespace";
            case "host_id" -> "nvmet_host";
            case "port_id" -> "nvmet_port";
            case "democratic-csi:freenas_nfs_share_id" -> "nfs_share";
            case "democratic-csi:freenas_smb_share_id" -> "smb_share";
            default -> "";
        };
    }
}
