package dev.fairlead.simulator.wire;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.profile.Profile;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** Turns URLs, queries and bodies into methods and their arguments. */
final class RestRoutes {
    private static final Map<String, String> OPERATORS =
            Map.of("eq", "=", "neq", "!=", "gt", ">", "lt", "<", "gte", ">=", "lte", "<=", "regex", "~");
    private static final Set<String> OPTIONS = Set.of("limit", "offset", "count", "sort", "get");

    private final Engine engine;

    RestRoutes(Engine engine) {
        this.engine = engine;
    }

    /**
     * A method that a URL names.
     *
     * @param item the id in the URL, for a method of one row
     * @param query whether its arguments are filters and options in the query
     */
    record Route(String method, Optional<JsonElement> item, boolean query) {}

    /** The signal that a body does not fit its method, with what is answered. */
    static final class Misfit extends RuntimeException {
        private final transient JsonObject body;

        Misfit(JsonObject body) {
            super(body.toString());
            this.body = body;
        }

        static Misfit of(String message) {
            return new Misfit(JsonTools.object("message", message));
        }

        JsonObject body() {
            return body;
        }
    }

    Optional<Route> find(String verb, String path) {
        List<String> parts = Arrays.stream(path.split("/"))
                .filter(part -> !part.isEmpty())
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
        int id = parts.indexOf("id");
        if (id > 0 && id + 1 < parts.size()) return item(verb, parts, id);
        String name = String.join(".", parts);
        if (has(name + ".query"))
            return switch (verb) {
                case "GET" -> route(name + ".query", true);
                case "POST" -> route(name + ".create", false);
                default -> Optional.empty();
            };
        if (has(name + ".config"))
            return switch (verb) {
                case "GET" -> route(name + ".config", false);
                case "PUT" -> route(name + ".update", false);
                default -> Optional.empty();
            };
        return plain(verb, name);
    }

    private Optional<Route> plain(String verb, String name) {
        Optional<Method> method = engine.method(name, engine.box());
        if (method.isEmpty()) return Optional.empty();
        boolean filterable = method.get().parameters().equals(List.of("filters", "options"));
        boolean get = filterable || method.get().parameters().isEmpty();
        return verb.equals(get ? "GET" : "POST") ? route(name, filterable) : Optional.empty();
    }

    private Optional<Route> item(String verb, List<String> parts, int id) {
        String name = String.join(".", parts.subList(0, id));
        Optional<JsonElement> item = Optional.of(RestHandler.value(parts.get(id + 1)));
        if (parts.size() == id + 3) {
            String method = name + "." + parts.get(id + 2);
            return has(method) ? Optional.of(new Route(method, item, false)) : Optional.empty();
        }
        String method = switch (verb) {
            case "GET" -> name + ".query";
            case "PUT" -> name + ".update";
            case "DELETE" -> name + ".delete";
            default -> "";
        };
        return has(method) ? Optional.of(new Route(method, item, verb.equals("GET"))) : Optional.empty();
    }

    private Optional<Route> route(String method, boolean query) {
        return has(method) ? Optional.of(new Route(method, Optional.empty(), query)) : Optional.empty();
    }

    // The old name of snapshots has no URL since 25.10.
    private boolean has(String method) {
        if (method.startsWith("zfs.snapshot.") && engine.box().since(Profile.V25_10_0)) return false;
        return engine.method(method, engine.box()).isPresent();
    }

    JsonArray arguments(Route route, Request request, JsonElement body) {
        if (route.query()) return query(route, Request.extractQueryParameters(request));
        Method method = engine.method(route.method(), engine.box()).orElseThrow();
        JsonArray arguments = new JsonArray();
        List<String> names = method.parameters();
        if (route.item().isPresent()) {
            arguments.add(route.item().get());
            names = names.subList(Math.min(1, names.size()), names.size());
        }
        if (names.size() == 1) {
            if (!body.isJsonNull()) arguments.add(body);
        } else if (names.size() > 1) byName(names, body).forEach(arguments::add);
        return arguments;
    }

    private static JsonArray byName(List<String> names, JsonElement body) {
        if (body.isJsonNull()) return new JsonArray();
        if (!body.isJsonObject()) throw Misfit.of("Endpoint accepts multiple params, object/dict expected.");
        JsonObject given = body.getAsJsonObject();
        List<String> unknown = new ArrayList<>(given.keySet());
        unknown.removeAll(names);
        if (!unknown.isEmpty())
            throw Misfit.of("The following attributes are not expected: "
                    + unknown.stream().sorted().collect(Collectors.joining(", ")));
        JsonArray arguments = new JsonArray();
        int last = -1;
        for (int i = 0; i < names.size(); i++) if (given.has(names.get(i))) last = i;
        for (int i = 0; i <= last; i++) {
            if (!given.has(names.get(i))) throw Misfit.of(names.get(i) + " attribute expected.");
            arguments.add(given.get(names.get(i)));
        }
        return arguments;
    }

    private static JsonArray query(Route route, Fields fields) {
        JsonArray filters = new JsonArray();
        JsonObject options = new JsonObject();
        JsonObject extra = new JsonObject();
        for (Fields.Field field : fields) {
            String name = field.getName();
            String value = field.getValue();
            if (name.startsWith("extra.")) extra.add(name.substring("extra.".length()), json(value));
            else if (name.equals("sort")) options.add("order_by", JsonTools.array((Object[]) value.split(",")));
            else if (OPTIONS.contains(name)) options.add(name, RestHandler.value(value));
            else filters.add(filter(name, value));
        }
        if (options.has("count")) options.addProperty("count", true);
        options.add("extra", extra);
        route.item().ifPresent(id -> {
            filters.add(JsonTools.array("id", "=", id));
            options.addProperty("get", true);
        });
        return JsonTools.array(filters, options);
    }

    private static JsonElement json(String value) {
        try {
            return JsonParser.parseString(value);
        } catch (com.google.gson.JsonParseException e) {
            return value.equals("null") ? JsonNull.INSTANCE : new JsonPrimitive(value);
        }
    }

    private static JsonArray filter(String name, String value) {
        int at = name.lastIndexOf("__");
        if (at < 0) return JsonTools.array(name, "=", RestHandler.value(value));
        String operator = name.substring(at + 2);
        JsonElement wanted = RestHandler.value(value);
        if (Set.of("in", "nin").contains(operator)) {
            JsonArray many = new JsonArray();
            for (String each : value.split(",", -1)) many.add(RestHandler.value(each));
            wanted = many;
        }
        return JsonTools.array(name.substring(0, at), OPERATORS.getOrDefault(operator, operator), wanted);
    }
}
