package dev.fairlead.simulator.model;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** Holds the payload models of the releases, by method. */
public final class Models {
    private final Map<Profile, JsonObject> byRelease = new EnumMap<>(Profile.class);

    /** Finds the model of a method's arguments, where a release has one. */
    public synchronized Optional<JsonObject> find(Profile api, String method) {
        return Optional.ofNullable(byRelease.computeIfAbsent(api, Models::load).getAsJsonObject(method));
    }

    private static JsonObject load(Profile api) {
        if (api.models().isEmpty()) return new JsonObject();
        try (InputStream in = Models.class.getResourceAsStream("models-" + api.models() + ".json")) {
            if (in == null) throw new IllegalStateException("No models for " + api);
            JsonObject models = JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .getAsJsonObject();
            if (api == Profile.V27) takeLio(models);
            return models;
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated box fails", e);
        }
    }

    // The box knows LIO as mode 2 since 26, and its API takes 0 and 1 alone; the invented successor's takes it.
    private static void takeLio(JsonObject models) {
        JsonObject definitions = JsonTools.child(models.getAsJsonObject("iscsi.global.update"), "$defs");
        JsonObject fields = JsonTools.child(JsonTools.child(definitions, "ISCSIGlobalUpdateArgs"), "properties");
        fields.getAsJsonObject("mode").addProperty("maximum", 2);
    }
}
