package dev.fairlead.simulator.share;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.encryption.LockedDatasets;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Roles;
import dev.fairlead.simulator.engine.RowMethods;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers the methods of sharing.smb: flat up to 25.04, with a purpose and its options since 25.10. */
public final class SmbMethods extends RowMethods {
    /** The table of shares. */
    public static final String SHARES = "smb_share";

    private static final Set<String> FLAT = Set.of(
            "path_suffix",
            "home",
            "recyclebin",
            "guestok",
            "hostsallow",
            "hostsdeny",
            "auxsmbconf",
            "aapl_name_mangling",
            "acl",
            "durablehandle",
            "streams",
            "timemachine",
            "timemachine_quota",
            "vuid",
            "shadowcopy",
            "fsrvp",
            "afp");
    private static final Map<String, String> RENAMED =
            Map.of("ro", "readonly", "abe", "access_based_share_enumeration");

    /** Makes them on a state. */
    public SmbMethods(Store store) {
        super(store, "sharing.smb", SHARES, "SharingSMB", "SHARING_SMB");
    }

    /** Adds them, and that shares go before their dataset. */
    public void addTo(Methods methods, Attachments attachments) {
        add(methods, (box, api) -> true, "data");
        SmbSessions.addTo(methods, store());
        attachments.add((tables, dataset) -> tables.rows(SHARES).stream()
                .filter(row -> Attachments.isOn(JsonTools.text(row, "path"), dataset))
                .forEach(row -> {
                    SmbSessions.close(tables, row);
                    tables.remove(SHARES, row.get("id").getAsLong());
                }));
    }

    @Override
    protected JsonObject defaults(Tables tables, Call call) {
        boolean flat = call.api().before(Profile.V25_10_0);
        return JsonTools.object(
                "id",
                0,
                "purpose",
                flat ? "LEGACY_SHARE" : "DEFAULT_SHARE",
                "name",
                "",
                "path",
                "",
                "enabled",
                true,
                "comment",
                "",
                "readonly",
                false,
                "browsable",
                true,
                "access_based_share_enumeration",
                false,
                "locked",
                false,
                "audit",
                JsonTools.object("enable", false, "watch_list", new JsonArray(), "ignore_list", new JsonArray()),
                "options",
                new JsonObject());
    }

    /** Keeps flat attributes as the options that an upgrade makes of them. */
    @Override
    protected JsonObject kept(Call call, JsonObject payload) {
        if (call.api().since(Profile.V25_10_0)) return withPurpose(payload);
        JsonObject kept = new JsonObject();
        JsonObject options = new JsonObject();
        payload.entrySet().forEach(each -> {
            String key = each.getKey();
            if (FLAT.contains(key)) options.add(key, each.getValue());
            else if (key.equals("purpose")) kept.add("preset", each.getValue());
            else kept.add(RENAMED.getOrDefault(key, key), each.getValue());
        });
        if (!options.isEmpty() || call.method().endsWith("create")) kept.add("options", options);
        return kept;
    }

    private static JsonObject withPurpose(JsonObject payload) {
        JsonObject kept = payload.deepCopy();
        if (payload.has("options") && payload.get("options").isJsonNull()) kept.remove("options");
        return kept;
    }

    @Override
    protected JsonObject stored(Tables tables, JsonObject row) {
        JsonObject options = JsonTools.child(row, "options").deepCopy();
        options.add("purpose", row.get("purpose"));
        tables.row(SHARES, row.get("id").getAsLong())
                .filter(before -> endsSessions(before, row))
                .ifPresent(before -> SmbSessions.close(tables, before));
        return JsonTools.with(row, "options", options);
    }

    /**
     * Says whether a change ends sessions. Samba looks who may use a share when a host connects: other hosts in its
     * lists end none.
     */
    private static boolean endsSessions(JsonObject before, JsonObject now) {
        return !JsonTools.text(before, "name").equals(JsonTools.text(now, "name"))
                || (JsonTools.flag(before, "enabled", true) && !JsonTools.flag(now, "enabled", true));
    }

    @Override
    protected void removing(Tables tables, Call call, JsonObject row) {
        SmbSessions.close(tables, row);
    }

    @Override
    protected JsonObject shown(Tables tables, Call call, JsonObject row) {
        JsonObject shown = JsonTools.with(row, "locked", LockedDatasets.holdsPath(tables, JsonTools.text(row, "path")));
        if (call.api().since(Profile.V25_10_0)) {
            JsonObject options = JsonTools.child(shown, "options");
            for (String list : List.of("hostsallow", "hostsdeny"))
                if (!options.has(list) && takesHosts(call.api(), JsonTools.text(row, "purpose")))
                    options.add(list, new JsonArray());
            if (call.api().since(Profile.V26_BETA)) {
                shown.addProperty("dataset", JsonTools.text(row, "path").replaceFirst("^/mnt/", ""));
                shown.addProperty("relative_path", "");
            }
            shown.remove("preset");
            return shown;
        }
        RENAMED.forEach((old, now) -> shown.add(old, shown.remove(now)));
        JsonObject options = JsonTools.child(row, "options");
        for (String key : FLAT) shown.add(key, options.has(key) ? options.get(key) : flatDefault(key));
        shown.add("purpose", JsonTools.at(row, "preset").orElse(JsonTools.of("NO_PRESET")));
        shown.remove("options");
        shown.remove("preset");
        return shown;
    }

    private static boolean takesHosts(Profile api, String purpose) {
        return api.since(Profile.V25_10) ? !purpose.equals("EXTERNAL_SHARE") : purpose.equals("LEGACY_SHARE");
    }

    /** Returns a row without the options that say what a box takes if nothing is said; they mean the same. */
    public static JsonObject withoutDefaults(JsonObject row) {
        JsonObject options = JsonTools.child(row, "options").deepCopy();
        for (String key : FLAT)
            if (!key.startsWith("hosts") && flatDefault(key).equals(options.get(key))) options.remove(key);
        JsonObject told = JsonTools.with(row, "options", options);
        if (JsonTools.text(told, "preset").equals("NO_PRESET")) told.remove("preset");
        return told;
    }

    /**
     * Returns a row as that of a share that is off if it denies everybody: a revocation whose end was cut may leave
     * either.
     */
    public static JsonObject withoutDenial(JsonObject row) {
        JsonObject options = JsonTools.child(row, "options").deepCopy();
        boolean isDenied = JsonTools.list(options, "hostsdeny").contains(JsonTools.of("ALL"))
                && JsonTools.list(options, "hostsallow").isEmpty();
        if (!isDenied) return row;
        options.add("hostsdeny", new JsonArray());
        return JsonTools.with(JsonTools.with(row, "options", options), "enabled", JsonTools.of(false));
    }

    private static JsonElement flatDefault(String key) {
        return switch (key) {
            case "hostsallow", "hostsdeny" -> new JsonArray();
            case "path_suffix", "auxsmbconf", "vuid" -> JsonTools.of("");
            case "timemachine_quota" -> JsonTools.of(0);
            default ->
                JsonTools.of(
                        Set.of("acl", "durablehandle", "streams", "shadowcopy").contains(key));
        };
    }

    @Override
    protected List<Violation> refused(Tables tables, Call call, JsonObject row, Optional<JsonObject> before) {
        String schema = before.isEmpty() ? "sharingsmb_create." : "sharingsmb_update.";
        List<Violation> refused = new ArrayList<>();
        nameViolation(tables, call, schema, row).ifPresent(refused::add);
        String path = JsonTools.text(row, "path");
        boolean external = JsonTools.text(row, "purpose").equals("EXTERNAL_SHARE");
        if (!external && tables.row("dataset", path.replaceFirst("^/mnt/", "")).isEmpty())
            refused.add(Violation.of(schema + "path", "The path must reside within a pool mount point"));
        boolean home = tables.rows(SHARES).stream()
                .anyMatch(other -> !other.get("id").equals(row.get("id"))
                        && JsonTools.flag(JsonTools.child(other, "options"), "home", false));
        if (home && JsonTools.flag(JsonTools.child(row, "options"), "home", false))
            refused.add(Violation.of(schema + "home", "Only one share is allowed to be a home share."));
        String conf = auxiliary(row);
        if (!conf.equals(before.map(SmbMethods::auxiliary).orElse(""))
                && !call.caller().identity().roles().contains(Roles.FULL_ADMIN))
            refused.add(Violation.of(
                    schema + "auxsmbconf",
                    "Changes to auxiliary parameters for SMB shares are restricted to users with full administrative"
                            + " privileges."));
        return refused;
    }

    private static String auxiliary(JsonObject row) {
        return JsonTools.text(JsonTools.child(row, "options"), "auxsmbconf");
    }

    private static Optional<Violation> nameViolation(Tables tables, Call call, String schema, JsonObject row) {
        boolean taken = tables.rows(SHARES).stream()
                .anyMatch(other -> !other.get("id").equals(row.get("id"))
                        && JsonTools.text(other, "name").equalsIgnoreCase(JsonTools.text(row, "name")));
        if (!taken) return Optional.empty();
        return Optional.of(
                call.box().since(Profile.V25_10_0)
                        ? Violation.of(schema + "name", "Share names are case-insensitive and must be unique")
                        : new Violation(
                                Optional.of(schema + "name"),
                                "Share with this name already exists.",
                                ErrorNumber.EEXIST));
    }
}
