package dev.fairlead.simulator;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.share.SmbMethods;
import dev.fairlead.simulator.share.SpareGroups;
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
    private static final Set<String> MOMENTS = Set.of(
            "guid", "createtxg", "creation", "born", "naa", "serial", "uuid", "device_uuid", "device_nguid", "copied");
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

    /**
     * Returns the notes of calls that may come late (ADR 39), which are no part of the state: a dataset, and what the
     * call is about, for each.
     */
    public static Set<String> callNotes(JsonObject dump) {
        return notes(dump, StateRows.CALL_NOTE);
    }

    /** Returns the notes of copies that a job may still make (ADR 43), each with its dataset. */
    public static Set<String> copyNotes(JsonObject dump) {
        return notes(dump, StateRows.COPY_NOTE);
    }

    private static Set<String> notes(JsonObject dump, String prefix) {
        Set<String> notes = new TreeSet<>();
        new BoxState(dump)
                .rows("dataset")
                .forEach((name, row) -> row.getAsJsonObject("user").asMap().forEach((key, value) -> {
                    if (key.startsWith(prefix)) {
                        notes.add(name + " " + key + "=" + value.getAsString());
                    }
                }));
        return notes;
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
                    if (!isSpare(table, key, row) && !lines.add(line)) {
                        twins.add("twin of " + line);
                    }
                });
            }
        }
        return String.join("\n", Stream.concat(lines.stream(), twins.stream()).toList());
    }

    /**
     * Says whether a row is a group of initiators that no target names and that {@code Simulator.lateAccess} judges:
     * one that a late call may still give to its target stays (ADR 44). Any other group is part of the state.
     */
    private boolean isSpare(String table, String key, JsonObject row) {
        return table.equals("iscsi_initiator")
                && SpareGroups.isOurs(row)
                && rows("iscsi_target").values().stream()
                        .flatMap(target -> target.getAsJsonArray("groups").asList().stream())
                        .map(group -> group.getAsJsonObject().get("initiator"))
                        .noneMatch(number ->
                                number.isJsonPrimitive() && number.getAsString().equals(key));
    }

    private Map<String, JsonObject> rows(String table) {
        Map<String, JsonObject> rows = new TreeMap<>();
        dump.getAsJsonObject(table).asMap().forEach((key, row) -> rows.put(key, row.getAsJsonObject()));
        if (table.equals(SmbMethods.SHARES)) {
            rows.replaceAll((_, row) -> SmbMethods.withoutDenial(SmbMethods.withoutDefaults(row)));
        }
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
            // Notes of calls and of copies are judged by their age, which is no part of the state.
            boolean noted = key.startsWith(StateRows.CALL_NOTE) || key.startsWith(StateRows.COPY_NOTE);
            if (!MOMENTS.contains(key) && !key.equals("id") && !noted) {
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
