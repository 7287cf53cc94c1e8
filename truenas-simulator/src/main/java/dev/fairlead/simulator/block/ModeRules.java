package dev.fairlead.simulator.block;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Says what a box has to be like before its iSCSI target becomes another: SCST in modes 0 and 1, LIO in mode 2. */
final class ModeRules {
    private static final String SCHEMA = "iscsiglobal_update.mode";
    private static final long LIO = 2;

    private final Tables tables;

    ModeRules(Tables tables) {
        this.tables = tables;
    }

    /** Lists what is in the way of a change; nothing if the mode stays. */
    List<Violation> refused(JsonObject before, JsonObject update) {
        List<Violation> refused = new ArrayList<>();
        long old = JsonTools.number(before, "mode", 0);
        long mode = JsonTools.number(update, "mode", old);
        if (mode == old) return refused;
        if (mode >= LIO && old < LIO) incompatible(before).forEach(text -> refused.add(Violation.of(SCHEMA, text)));
        boolean runs = tables.rows("service").stream()
                .anyMatch(row -> JsonTools.text(row, "service").equals("iscsitarget")
                        && JsonTools.text(row, "state").equals("RUNNING"));
        if (runs) refused.add(Violation.of(SCHEMA, "Cannot switch iSCSI mode while the service is running."));
        return refused;
    }

    private List<String> incompatible(JsonObject config) {
        List<String> texts = new ArrayList<>();
        List<JsonObject> discovery = tables.rows("iscsi_auth").stream()
                .filter(row -> !JsonTools.text(row, "discovery_auth", "NONE").equals("NONE"))
                .toList();
        if (discovery.size() > 1)
            texts.add("LIO supports only one discovery authentication credential. " + discovery.size()
                    + " entries have discovery_auth configured (tags: "
                    + discovery.stream()
                            .map(row -> row.get("tag").getAsString())
                            .collect(Collectors.joining(", "))
                    + "). Remove all but one before switching to LIO mode.");
        String nameless = names(group -> isChap(group) && initiators(group) == 0, _ -> "");
        if (!nameless.isEmpty())
            texts.add(
                    "LIO requires static initiator ACLs (specific IQNs) for CHAP authentication. The following targets"
                            + " have CHAP configured with an open or absent initiator group and cannot authenticate initiators"
                            + " under LIO: " + nameless
                            + ". Assign a named initiator group with at least one IQN to each of"
                            + " these targets before switching.");
        String many = names(
                group -> isChap(group) && credentials(group) > 1,
                group -> " (tag " + JsonTools.number(group, "auth", 0) + ")");
        if (!many.isEmpty())
            texts.add("LIO supports only one CHAP credential per auth tag. The following targets reference an auth tag"
                    + " with multiple credentials: " + many
                    + ". Reduce each referenced tag to a single credential entry"
                    + " before switching to LIO mode.");
        if (!JsonTools.list(config, "isns_servers").isEmpty())
            texts.add("LIO does not support iSNS. iSNS servers are currently configured; initiators that use iSNS for"
                    + " target discovery will lose visibility of targets after switching to LIO mode. Remove all iSNS"
                    + " server entries before switching.");
        String limited = tables.rows(TargetMethods.TARGETS).stream()
                .filter(target -> !JsonTools.list(target, "auth_networks").isEmpty())
                .map(target -> JsonTools.text(target, "name"))
                .collect(Collectors.joining(", "));
        if (!limited.isEmpty())
            texts.add("LIO does not enforce auth_networks (source-IP access control). The following targets have"
                    + " auth_networks configured and would become reachable from all IPs under LIO: " + limited
                    + ". Remove the auth_networks restrictions or implement equivalent filtering before switching.");
        return texts;
    }

    /** Joins the names of the targets that have such a group, each with what is said of the first one. */
    private String names(Predicate<JsonObject> wanted, Function<JsonObject, String> said) {
        List<String> names = new ArrayList<>();
        for (JsonObject target : tables.rows(TargetMethods.TARGETS))
            JsonTools.list(target, "groups").asList().stream()
                    .map(JsonElement::getAsJsonObject)
                    .filter(wanted)
                    .findFirst()
                    .ifPresent(group -> names.add(JsonTools.text(target, "name") + said.apply(group)));
        return String.join(", ", names);
    }

    private static boolean isChap(JsonObject group) {
        return !JsonTools.text(group, "authmethod", "NONE").equals("NONE");
    }

    private int initiators(JsonObject group) {
        return tables.row("iscsi_initiator", JsonTools.number(group, "initiator", 0))
                .map(row -> JsonTools.list(row, "initiators").size())
                .orElse(0);
    }

    private long credentials(JsonObject group) {
        return tables.rows("iscsi_auth").stream()
                .filter(row -> JsonTools.number(row, "tag", 0) == JsonTools.number(group, "auth", 0))
                .count();
    }
}
