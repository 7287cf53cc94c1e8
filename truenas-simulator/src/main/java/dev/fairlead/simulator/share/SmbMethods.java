package dev.fairlead.simulator.share;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Attachments;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.engine.Roles;
import dev.fairlead.simulator.engine.Store;
import dev.fairlead.simulator.engine.Tables;
import dev.fairlead.simulator.engine.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The methods of sharing.smb: flat up to 25.04, by purposes since 25.10. */
public final class SmbMethods {
    static final String SHARES = "smb_share";
    private static final Set<String> COMMON =
            Set.of("purpose", "name", "path", "enabled", "comment", "browsable", "locked", "id");
    private static final String LEGACY = "LEGACY_SHARE";

    private final Store store;

    /** Makes them on a state. */
    public SmbMethods(Store store) {
        this.store = store;
    }

    /** Adds them, and that shares go before their dataset. */
    public void addTo(Methods methods, Attachments attachments) {
        methods.addQueries("sharing.smb", "SHARING_SMB_READ", "SharingSMB", (box, api) -> true, this::rows);
        methods.add(Method.of("sharing.smb.create", this::create)
                .roles("SHARING_SMB_WRITE")
                .takes("data"));
        methods.add(Method.of("sharing.smb.update", this::update)
                .roles("SHARING_SMB_WRITE")
                .takes("id", "data"));
        methods.add(Method.of("sharing.smb.delete", this::delete)
                .roles("SHARING_SMB_WRITE")
                .takes("id"));
        attachments.add((tables, dataset) -> tables.rows(SHARES).stream()
                .filter(row -> Attachments.isOn(JsonTools.text(row, "path"), dataset))
                .forEach(row -> tables.remove(SHARES, JsonTools.number(row, "id", 0))));
    }

    private List<JsonObject> rows(Call call) {
        return store.read(tables -> tables.rows(SHARES).stream()
                .map(row -> shown(call.api(), row))
                .toList());
    }

    private static boolean flat(Profile profile) {
        return profile.before(Profile.V25_10_0);
    }

    /** Returns the options that a purpose has in a release. */
    private static JsonObject options(Profile box, String purpose) {
        JsonObject options = JsonTools.object("purpose", purpose, "aapl_name_mangling", false);
        boolean hosts = purpose.equals(LEGACY) || (box.since(Profile.V25_10) && !purpose.equals("EXTERNAL_SHARE"));
        if (hosts) {
            options.add("hostsallow", new JsonArray());
            options.add("hostsdeny", new JsonArray());
        }
        if (purpose.equals(LEGACY)) legacy().entrySet().forEach(each -> options.add(each.getKey(), each.getValue()));
        if (purpose.equals("TIMEMACHINE_SHARE")) options.addProperty("timemachine_quota", 0);
        return options;
    }

    private static JsonObject legacy() {
        JsonObject options = JsonTools.object(
                "recyclebin",
                false,
                "path_suffix",
                JsonNull.INSTANCE,
                "guestok",
                false,
                "streams",
                true,
                "durablehandle",
                true,
                "shadowcopy",
                true,
                "fsrvp",
                false,
                "home",
                false,
                "acl",
                true,
                "afp",
                false,
                "timemachine",
                false);
        return JsonTools.merged(
                options, JsonTools.object("timemachine_quota", 0, "vuid", JsonNull.INSTANCE, "auxsmbconf", ""));
    }

    /** Shows a share in the attributes of a release; a row of an older one is a share of the old kind. */
    private static JsonObject shown(Profile api, JsonObject row) {
        JsonObject shown = row.deepCopy();
        if (flat(api) == !row.has("options")) return shown;
        if (flat(api)) {
            JsonTools.child(row, "options").entrySet().stream()
                    .filter(each -> !each.getKey().equals("purpose"))
                    .forEach(each -> shown.add(each.getKey(), each.getValue()));
            shown.add("ro", row.get("readonly"));
            shown.add("abe", row.get("access_based_share_enumeration"));
            for (String key : List.of("options", "readonly", "access_based_share_enumeration", "audit"))
                shown.remove(key);
            shown.addProperty("purpose", "NO_PRESET");
            return shown;
        }
        return purposeful(api, row);
    }

    private static JsonObject purposeful(Profile api, JsonObject row) {
        JsonObject options = options(api, LEGACY);
        for (Map.Entry<String, JsonElement> each : row.entrySet())
            if (options.has(each.getKey()) && !each.getKey().equals("purpose"))
                options.add(each.getKey(), each.getValue());
        JsonObject now = JsonTools.object(
                "readonly", JsonTools.flag(row, "ro", false),
                "access_based_share_enumeration", JsonTools.flag(row, "abe", false),
                "audit", audit(),
                "options", options);
        for (String key : COMMON) now.add(key, row.get(key));
        now.addProperty("purpose", LEGACY);
        return now;
    }

    private static JsonObject audit() {
        return JsonTools.object("enable", false, "watch_list", new JsonArray(), "ignore_list", new JsonArray());
    }

    private static JsonObject defaults(Profile box) {
        JsonObject row = JsonTools.object("enabled", true, "comment", "", "browsable", true, "locked", false);
        if (!flat(box))
            return JsonTools.merged(
                    row,
                    JsonTools.object(
                            "purpose",
                            "DEFAULT_SHARE",
                            "readonly",
                            false,
                            "access_based_share_enumeration",
                            false,
                            "audit",
                            audit()));
        JsonObject old = JsonTools.merged(
                legacy(), JsonTools.object("purpose", "NO_PRESET", "ro", false, "abe", false, "aapl_name_mangling", false));
        old.add("hostsallow", new JsonArray());
        old.add("hostsdeny", new JsonArray());
        return JsonTools.merged(old, row);
    }

    private JsonElement create(Call call) {
        return store.change(tables -> {
            JsonObject row = JsonTools.merged(defaults(call.box()), call.object(0));
            row.addProperty("id", tables.nextId(SHARES));
            return checked(tables, call, "sharingsmb_create.", call.object(0), row);
        });
    }

    private JsonElement update(Call call) {
        return store.change(tables -> {
            JsonObject old = find(tables, call);
            JsonObject changes = call.object(1);
            if (!flat(call.box()) && changes.has("purpose") != changes.has("options"))
                throw ApiFailure.invalid("sharingsmb_update.purpose", "purpose and options must be changed together");
            JsonObject row = JsonTools.merged(shown(call.box(), old), changes);
            return checked(tables, call, "sharingsmb_update.", changes, row);
        });
    }

    private static JsonElement checked(Tables tables, Call call, String schema, JsonObject asked, JsonObject row) {
        List<Violation> violations = new ArrayList<>();
        unknown(call, asked, row, violations);
        String name = JsonTools.text(row, "name");
        boolean taken = tables.rows(SHARES).stream()
                .anyMatch(other -> JsonTools.number(other, "id", 0) != JsonTools.number(row, "id", 0)
                        && JsonTools.text(other, "name").equalsIgnoreCase(name));
        if (taken)
            violations.add(Violation.of(schema + "name", "Share names are case-insensitive and must be unique"));
        String dataset = JsonTools.text(row, "path").replaceFirst("^/mnt/", "");
        if (tables.row("dataset", dataset).isEmpty())
            violations.add(Violation.of(schema + "path", "This path does not exist."));
        if (JsonTools.text(auxiliary(row), "auxsmbconf").length() > 0
                && call.box().since(Profile.V25_04)
                && !Roles.allow(call.caller().identity().roles(), Set.of(Roles.FULL_ADMIN)))
            violations.add(Violation.of(
                    schema + "auxsmbconf",
                    "Changes to auxiliary parameters for SMB shares are restricted to users with full administrative"
                            + " privileges."));
        if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
        tables.put(SHARES, row);
        return shown(call.api(), row);
    }

    private static JsonObject auxiliary(JsonObject row) {
        return row.has("options") ? JsonTools.child(row, "options") : row;
    }

    /** Refuses attributes that the release or the purpose lacks, and fills in the options that nobody names. */
    private static void unknown(Call call, JsonObject asked, JsonObject row, List<Violation> violations) {
        JsonObject known = defaults(call.box());
        for (String key : asked.keySet())
            if (!known.has(key) && !key.equals("options") && !COMMON.contains(key))
                violations.add(Violation.of("data." + key, "Extra inputs are not permitted"));
        if (flat(call.box())) {
            if (asked.has("options"))
                violations.add(Violation.of("sharingsmb_create.options", "Field was not expected"));
            return;
        }
        JsonObject given = JsonTools.child(row, "options");
        JsonObject options = options(call.box(), JsonTools.text(row, "purpose"));
        for (String key : given.keySet())
            if (!options.has(key))
                violations.add(Violation.of(
                        "data.options." + JsonTools.text(row, "purpose") + "." + key,
                        "Extra inputs are not permitted"));
        row.add("options", JsonTools.merged(options, given));
    }

    private JsonElement delete(Call call) {
        store.update(tables ->
                tables.remove(SHARES, JsonTools.number(find(tables, call), "id", 0)));
        return new JsonPrimitive(true);
    }

    private static JsonObject find(Tables tables, Call call) {
        return tables.row(SHARES, call.number(0))
                .orElseThrow(() -> ApiFailure.absent("SharingSMB " + call.text(0) + " does not exist"));
    }
}
