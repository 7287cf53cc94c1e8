package dev.fairlead.simulator.core;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.JsonTools;
import java.util.function.Supplier;

/** The login by which a key stays with its owner, since 26. */
public final class Scram {
    JsonElement answer(Call call, JsonObject data, Supplier<JsonElement> success) {
        return JsonTools.object("response_type", "AUTH_ERR");
    }
}
