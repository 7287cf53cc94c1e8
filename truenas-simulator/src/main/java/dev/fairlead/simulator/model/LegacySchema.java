package dev.fairlead.simulator.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The schemas before the models: they refuse attributes that nobody knows, and null where it may not be. */
final class LegacySchema {
    private static final Map<String, Set<String>> MORE = Map.of(
            "sharing.smb.create",
            Set.of(
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
                    "afp",
                    "ro",
                    "abe"),
            "sharing.nfs.create",
            Set.of("paths", "alldirs", "quiet"));
    private static final Set<String> NEVER_NULL = Set.of("name", "type", "volsize", "create_ancestors", "share_type");

    private LegacySchema() {}

    static List<Violation> violations(Models models, Call call) {
        boolean checked = call.method().endsWith(".create") || call.method().endsWith(".update");
        if (!checked || call.api().since(Profile.V25_10_0)) return List.of();
        int last = call.method().endsWith(".create") ? 0 : 1;
        Set<String> known = known(models, call.method());
        if (known.isEmpty()) return List.of();
        List<Violation> found = new ArrayList<>();
        String schema = call.schema().replace("sharing_", "sharing") + ".";
        for (Map.Entry<String, JsonElement> each : call.object(last).entrySet()) {
            if (!known.contains(each.getKey()))
                found.add(Violation.of(schema + each.getKey(), "Field was not expected"));
            else if (each.getValue().isJsonNull() && NEVER_NULL.contains(each.getKey()))
                found.add(Violation.of(schema + each.getKey(), "null not allowed"));
        }
        return found;
    }

    // The attributes that the first models took over, and those that they dropped.
    private static Set<String> known(Models models, String method) {
        Optional<JsonObject> model =
                models.find(Profile.V25_04, method).or(() -> models.find(Profile.V25_10_0, method));
        Set<String> known = new HashSet<>();
        model.ifPresent(found -> JsonTools.child(found, "$defs").entrySet().forEach(definition -> {
            String name = definition.getKey();
            if (!name.endsWith("Opt") && !name.endsWith("Config") && !name.endsWith("Options"))
                known.addAll(JsonTools.child(definition.getValue().getAsJsonObject(), "properties")
                        .keySet());
        }));
        if (!known.isEmpty()) known.addAll(MORE.getOrDefault(method.replace(".update", ".create"), Set.of()));
        return known;
    }
}
