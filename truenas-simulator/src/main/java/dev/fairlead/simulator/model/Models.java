package dev.fairlead.simulator.model;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
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
            return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .getAsJsonObject();
        } catch (IOException e) {
            throw new IllegalStateException("The folder of the simulated box fails", e);
        }
    }
}
