package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
        List<JsonElement> arguments = call.arguments();
        if (call.method() == ApiAction.SERVICE_CONTROL && !call.method().isJob(release)) {
            // One method for each verb, with the service as the first argument; the options were other ones.
            String verb = arguments.getFirst().getAsString().toLowerCase(Locale.ROOT);
            return Optional.of(new ApiSpelling("service." + verb, List.of("service"), List.of(arguments.get(1))));
        }
        List<String> parameters = call.method() instanceof ApiAction action ? action.parameters() : List.of();
        return call.method().name(release).map(name -> new ApiSpelling(name, parameters, new ArrayList<>(arguments)));
    }
}
