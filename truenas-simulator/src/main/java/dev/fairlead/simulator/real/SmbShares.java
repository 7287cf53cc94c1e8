package dev.fairlead.simulator.real;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the shares by SMB as a section of smb.conf(5) each. */
final class SmbShares {
    private SmbShares() {}

    static String of(Tables tables) {
        return tables.rows("smb_share").stream()
                .filter(row -> JsonTools.flag(row, "enabled", true))
                .map(SmbShares::section)
                .collect(Collectors.joining());
    }

    static List<String> names(Tables tables) {
        return tables.rows("smb_share").stream()
                .filter(row -> JsonTools.flag(row, "enabled", true))
                .map(row -> JsonTools.text(row, "name"))
                .toList();
    }

    private static String section(JsonObject row) {
        JsonObject options = JsonTools.child(row, "options");
        return "[" + JsonTools.text(row, "name") + "]\n"
                + "  path = " + JsonTools.text(row, "path") + "\n"
                + "  read only = " + word(JsonTools.flag(row, "readonly", false)) + "\n"
                + "  browseable = " + word(JsonTools.flag(row, "browsable", true)) + "\n"
                + "  guest ok = " + word(JsonTools.flag(options, "guestok", false)) + "\n"
                + hosts("hosts allow", options, "hostsallow")
                + hosts("hosts deny", options, "hostsdeny");
    }

    private static String word(boolean on) {
        return on ? "yes" : "no";
    }

    private static String hosts(String parameter, JsonObject options, String list) {
        String hosts = JsonTools.list(options, list).asList().stream()
                .map(JsonElement::getAsString)
                .collect(Collectors.joining(" "));
        return hosts.isEmpty() ? "" : "  " + parameter + " = " + hosts + "\n";
    }
}
