package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonElement;
import java.util.List;
import java.util.Optional;

/**
 * Spells a call as one release takes it.
 *
 * @param method the method's name
 * @param parameters the names of the arguments, as REST takes them
 */
public record ApiSpelling(String method, List<String> parameters, List<JsonElement> arguments) {
    public ApiSpelling {
        parameters = List.copyOf(parameters);
        arguments = List.copyOf(arguments);
    }

    /** Returns the spelling; empty if the release has no such method. */
    public static Optional<ApiSpelling> of(ApiCall call, TruenasRelease release) {
        List<String> parameters = call.method() instanceof ApiAction action ? action.parameters() : List.of();
        return call.method().name(release).map(name -> new ApiSpelling(name, parameters, call.arguments()));
    }
}
