package dev.fairlead.adapter.freenas.client.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiMethod.OnCollection;
import dev.fairlead.adapter.freenas.client.ApiMethod.Verb;
import dev.fairlead.adapter.freenas.client.ApiSpelling;
import dev.fairlead.http.HttpRequest;
import dev.fairlead.http.HttpRequest.Body;
import dev.fairlead.http.HttpRequest.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a request of REST of a call: the namespace is the path, filters are the query, the rest is the body. */
final class RestRoute {
    static final List<String> ROOT = List.of("api", "v2.0");
    private static final String FILTERS = "query-filters";
    private static final String CONFIG = ".config";

    /** The actions on one object, whose id is in the path. */
    private static final Set<ApiAction> ON_ITEM = Set.of(ApiAction.DATASET_PROMOTE);

    private RestRoute() {}

    static HttpRequest of(ApiCall call, ApiSpelling spelling) {
        List<JsonElement> arguments = spelling.arguments();
        return switch (call.method()) {
            case OnCollection(var _, Verb verb) -> onCollection(verb, namespace(spelling.method()), spelling);
            case ApiAction action when ON_ITEM.contains(action) -> onItem(spelling);
            case ApiAction _
            when spelling.parameters().indexOf(FILTERS) == 0 ->
                get(path(spelling.method()), RestQuery.of(arguments), spelling);
            case ApiAction _
            when spelling.parameters().isEmpty() -> get(path(withoutConfig(spelling.method())), Map.of(), spelling);
            case ApiAction action ->
                new HttpRequest(
                        Method.POST,
                        path(spelling.method()),
                        Map.of(),
                        Optional.of(Body.json(body(spelling))),
                        spelling.method(),
                        action.isRead());
        };
    }

    private static HttpRequest onCollection(Verb verb, String namespace, ApiSpelling spelling) {
        List<JsonElement> arguments = spelling.arguments();
        List<String> path = path(namespace);
        return switch (verb) {
            case QUERY -> get(path, RestQuery.of(arguments), spelling);
            case GET -> get(item(path, arguments.getFirst()), Map.of(), spelling);
            case CREATE -> change(Method.POST, path, Optional.of(arguments.getFirst()), spelling);
            case UPDATE ->
                change(Method.PUT, item(path, arguments.getFirst()), Optional.of(arguments.get(1)), spelling);
            case DELETE ->
                change(
                        Method.DELETE,
                        item(path, arguments.getFirst()),
                        arguments.size() > 1 ? Optional.of(arguments.get(1)) : Optional.empty(),
                        spelling);
        };
    }

    private static HttpRequest onItem(ApiSpelling spelling) {
        List<JsonElement> arguments = spelling.arguments();
        String method = spelling.method();
        List<String> path = new ArrayList<>(item(path(namespace(method)), arguments.getFirst()));
        path.add(method.substring(method.lastIndexOf('.') + 1));
        Optional<JsonElement> body = arguments.size() > 1 ? Optional.of(arguments.get(1)) : Optional.empty();
        return change(Method.POST, path, body, spelling);
    }

    private static HttpRequest get(List<String> path, Map<String, String> query, ApiSpelling spelling) {
        return HttpRequest.get(path, query, spelling.method());
    }

    private static HttpRequest change(
            Method method, List<String> path, Optional<JsonElement> body, ApiSpelling spelling) {
        return new HttpRequest(method, path, Map.of(), body.map(Body::json), spelling.method(), false);
    }

    /** Returns the only argument itself; several with their names, in one object. */
    private static JsonElement body(ApiSpelling spelling) {
        List<JsonElement> arguments = spelling.arguments();
        if (spelling.parameters().size() == 1) {
            return arguments.isEmpty() ? new JsonArray() : arguments.getFirst();
        }
        var body = new JsonObject();
        for (int i = 0; i < arguments.size(); i++) {
            body.add(spelling.parameters().get(i), arguments.get(i));
        }
        return body;
    }

    private static String namespace(String method) {
        return method.substring(0, method.lastIndexOf('.'));
    }

    /** Returns the path of a group of settings, which REST reads by the namespace alone. */
    private static String withoutConfig(String method) {
        return method.endsWith(CONFIG) ? method.substring(0, method.length() - CONFIG.length()) : method;
    }

    private static List<String> path(String dotted) {
        List<String> path = new ArrayList<>(ROOT);
        path.addAll(List.of(dotted.split("\\.")));
        return path;
    }

    private static List<String> item(List<String> path, JsonElement id) {
        List<String> item = new ArrayList<>(path);
        item.add("id");
        item.add(id.getAsString());
        return item;
    }
}
