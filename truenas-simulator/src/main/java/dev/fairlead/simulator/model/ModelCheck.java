package dev.fairlead.simulator.model;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.error.Violation;
import dev.fairlead.simulator.profile.Profile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Holds arguments to the models of the path's release, or to the older schemas where it has none. */
public final class ModelCheck implements Engine.Arguments {
    private final Models models = new Models();

    @Override
    public JsonArray checked(Method method, Call call) {
        Optional<JsonObject> model = models.find(call.api(), method.name());
        List<Violation> violations = model.isPresent()
                ? violations(call.api(), model.get(), method.name(), Validators.emptied(method.name(), call.params()))
                : LegacySchema.violations(models, call);
        if (!violations.isEmpty()) throw ApiFailure.invalid(violations);
        return call.params();
    }

    /** Lists what a model refuses of arguments. */
    static List<Violation> violations(Profile api, JsonObject model, String method, JsonArray params) {
        JsonArray order = JsonTools.list(model, "order");
        if (params.size() > order.size())
            return List.of(Violation.of(
                    "", "Too many arguments (expected " + order.size() + ", found " + params.size() + ")"));
        Validator validator = new Validator(api, JsonTools.child(model, "$defs"));
        List<Violation> found = new ArrayList<>();
        JsonArray required = JsonTools.list(model, "required");
        for (int i = 0; i < order.size(); i++) {
            String name = order.get(i).getAsString();
            if (i < params.size()) {
                JsonElement given = prepared(method, params.get(i));
                JsonObject schema = JsonTools.child(JsonTools.child(model, "properties"), name);
                List<Violation> own = validator.check(schema, given, name);
                found.addAll(own.isEmpty() ? Validators.after(method, name, given) : own);
            } else if (required.contains(JsonTools.of(name))) found.add(Violation.of(name, "Field required"));
        }
        return api.since(Profile.V26_BETA)
                ? merged(Validators.reworded(method, params, found))
                : Validators.reworded(method, params, found);
    }

    // The model of an SMB share fills in the purpose that its options are told apart by.
    private static JsonElement prepared(String method, JsonElement given) {
        if (!method.startsWith("sharing.smb.") || !given.isJsonObject()) return given;
        JsonObject payload = given.getAsJsonObject();
        if (method.endsWith("update") && !payload.has("purpose") && !payload.has("options")) return given;
        JsonObject options = JsonTools.child(payload, "options").deepCopy();
        if (!options.has("purpose"))
            options.add("purpose", JsonTools.at(payload, "purpose").orElse(JsonTools.of("DEFAULT_SHARE")));
        return payload.has("options")
                        && !payload.get("options").isJsonObject()
                        && !payload.get("options").equals(JsonNull.INSTANCE)
                ? given
                : JsonTools.with(payload, "options", options);
    }

    // Since 26 what several members of a union refuse at one place is one text.
    private static List<Violation> merged(List<Violation> found) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Violation each : found) {
            String at = each.attribute().orElse("").replaceAll("\\.[a-z-]+\\[.*\\]$", "");
            texts.merge(at, each.text(), (left, right) -> left.equals(right) ? left : left + " or " + right);
        }
        List<Violation> merged = new ArrayList<>();
        texts.forEach((at, text) -> merged.add(Violation.of(at, text)));
        return merged;
    }
}
