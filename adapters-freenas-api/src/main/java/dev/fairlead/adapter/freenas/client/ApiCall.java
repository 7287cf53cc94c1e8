package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiMethod.OnCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Describes one call to a box: a method and its arguments, in the order and with the field names of JSON-RPC in the
 * release that is spoken; by REST the client makes path, query and body of them. The arguments may hold secrets, so
 * {@link #toString} does not show them.
 *
 * @param release the release for which the arguments were made, if they differ by release: should the box be another
 *     one by then, nothing is sent, and the caller is told {@code BackendUnavailable}
 * @param latest the time of {@code System.nanoTime} after which it is not sent any more, for whatever it has waited
 */
public record ApiCall(
        ApiMethod method, List<JsonElement> arguments, Optional<TruenasRelease> release, OptionalLong latest) {
    public ApiCall {
        arguments = List.copyOf(arguments);
    }

    public ApiCall(ApiMethod method, List<JsonElement> arguments) {
        this(method, arguments, Optional.empty(), OptionalLong.empty());
    }

    /** Returns the same call for boxes of this release alone. */
    public ApiCall madeFor(TruenasRelease wanted) {
        return new ApiCall(method, arguments, Optional.of(wanted), latest);
    }

    /** Returns the same call, which is sent within this time or not at all. */
    public ApiCall sentWithin(Duration left) {
        return new ApiCall(method, arguments, release, OptionalLong.of(System.nanoTime() + left.toNanos()));
    }

    /** Says whether it is too late to send it. */
    public boolean isOverdue() {
        return latest.isPresent() && latest.getAsLong() - System.nanoTime() < 0;
    }

    public static ApiCall query(ApiCollection collection, ApiQuery query) {
        return new ApiCall(new OnCollection(collection, Verb.QUERY), List.of(query.filtersJson(), query.optionsJson()));
    }

    /** Returns the query by an action that takes filters, such as {@link ApiAction#JOBS}. */
    public static ApiCall query(ApiAction action, ApiQuery query) {
        return new ApiCall(action, List.of(query.filtersJson(), query.optionsJson()));
    }

    /** Returns the question who uses shares of SMB now, without the names of users, which a box would look up. */
    public static ApiCall smbShareUses(ApiQuery query) {
        var options = new JsonObject();
        options.addProperty("resolve_uids", false);
        return of(ApiAction.SMB_STATUS, new JsonPrimitive("SHARES"), query.filtersJson(), query.optionsJson(), options);
    }

    public static ApiCall get(ApiCollection collection, String id) {
        return new ApiCall(new OnCollection(collection, Verb.GET), List.of(new JsonPrimitive(id)));
    }

    public static ApiCall get(ApiCollection collection, long id) {
        return new ApiCall(new OnCollection(collection, Verb.GET), List.of(new JsonPrimitive(id)));
    }

    public static ApiCall create(ApiCollection collection, JsonObject fields) {
        return new ApiCall(new OnCollection(collection, Verb.CREATE), List.of(fields));
    }

    public static ApiCall update(ApiCollection collection, String id, JsonObject fields) {
        return new ApiCall(new OnCollection(collection, Verb.UPDATE), List.of(new JsonPrimitive(id), fields));
    }

    public static ApiCall update(ApiCollection collection, long id, JsonObject fields) {
        return new ApiCall(new OnCollection(collection, Verb.UPDATE), List.of(new JsonPrimitive(id), fields));
    }

    public static ApiCall delete(ApiCollection collection, String id, JsonElement... options) {
        return new ApiCall(new OnCollection(collection, Verb.DELETE), withFirst(new JsonPrimitive(id), options));
    }

    public static ApiCall delete(ApiCollection collection, long id, JsonElement... options) {
        return new ApiCall(new OnCollection(collection, Verb.DELETE), withFirst(new JsonPrimitive(id), options));
    }

    /** Returns the call of an action with these arguments. */
    public static ApiCall of(ApiAction action, JsonElement... arguments) {
        return new ApiCall(action, List.of(arguments));
    }

    private static List<JsonElement> withFirst(JsonElement first, JsonElement... others) {
        var all = new java.util.ArrayList<JsonElement>();
        all.add(first);
        all.addAll(List.of(others));
        return all;
    }

    @Override
    public String toString() {
        return method.word();
    }
}
