package dev.fairlead.simulator.wire;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.error.ErrorNumber;
import dev.fairlead.simulator.profile.Profile;
import java.util.Locale;

/** Builds the answers of JSON-RPC. */
final class JsonRpcReplies {
    private JsonRpcReplies() {}

    static JsonObject result(JsonElement id, JsonElement result) {
        return JsonTools.object("jsonrpc", "2.0", "result", result, "id", id);
    }

    static JsonObject error(JsonElement id, int code, String message) {
        return JsonTools.object(
                "jsonrpc", "2.0", "error", JsonTools.object("code", code, "message", message), "id", id);
    }

    static JsonObject failure(JsonElement id, ApiFailure failure, Profile box) {
        JsonObject error = switch (failure.kind()) {
            case METHODLESS -> JsonTools.object("code", -32601, "message", "Method does not exist");
            case VALIDATIONS, VALIDATION, ABSENT -> JsonTools.object("code", -32602, "message", "Invalid params");
            default -> JsonTools.object("code", -32001, "message", "Method call error");
        };
        if (failure.kind() == ApiFailure.Kind.METHODLESS) error.add("data", JsonNull.INSTANCE);
        else error.add("data", data(failure, box));
        return JsonTools.object("jsonrpc", "2.0", "error", error, "id", id);
    }

    static JsonObject data(ApiFailure failure, Profile box) {
        return JsonTools.object(
                "error", failure.number(),
                "errname", ErrorNumber.name(failure.number()),
                "reason", failure.reason(),
                "trace", trace(failure, box),
                "extra", extra(failure));
    }

    private static JsonElement extra(ApiFailure failure) {
        if (failure.violations().isEmpty()) return failure.extra();
        JsonArray extra = new JsonArray();
        failure.violations().forEach(v -> extra.add(JsonTools.array(v.attribute(), v.text(), v.number())));
        return extra;
    }

    private static JsonObject trace(ApiFailure failure, Profile box) {
        String name = switch (failure.kind()) {
            case VALIDATIONS -> "ValidationErrors";
            case VALIDATION -> "ValidationError";
            case ABSENT -> "InstanceNotFound";
            case MATCHLESS -> "MatchNotFound";
            default -> "CallError";
        };
        JsonObject trace = JsonTools.object(
                "class", name,
                "formatted", "Traceback (most recent call last):\n" + name.toLowerCase(Locale.ROOT) + "\n",
                "repr", name + "()");
        if (box.before(Profile.V26_BETA)) trace.add("frames", new JsonArray());
        return trace;
    }
}
