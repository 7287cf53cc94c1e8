package dev.fairlead.simulator.engine;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.profile.Profile;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** Holds all methods by name, of all releases. */
public final class Methods {
    private final Map<String, Method> methods = new TreeMap<>();

    /** Adds a method. */
    public void add(Method method) {
        methods.put(method.name(), method);
    }

    /** Finds a method that a box offers at a path. */
    public Optional<Method> find(String name, Profile box, Profile api) {
        return Optional.ofNullable(methods.get(name))
                .filter(method -> method.offered().test(box, api));
    }

    /** Returns all methods. */
    public Collection<Method> all() {
        return methods.values();
    }

    /**
     * Adds the queries of a kind of rows: query, get_instance, and nothing that changes.
     *
     * @param singular how the vendor names one row in "x does not exist"
     */
    public void addQueries(
            String namespace,
            String role,
            String singular,
            BiPredicate<Profile, Profile> offered,
            Function<Call, List<JsonObject>> rows) {
        add(Method.of(namespace + ".query", call -> Filters.answer(rows.apply(call), call.list(0), call.object(1)))
                .roles(role)
                .takes("filters", "options")
                .when(offered));
        add(Method.of(namespace + ".get_instance", call -> instance(call, singular, rows))
                .roles(role)
                .takes("id", "options")
                .when(offered));
    }

    private static JsonElement instance(Call call, String singular, Function<Call, List<JsonObject>> rows) {
        JsonElement id = call.argument(0);
        Call query = call.with(JsonTools.array(JsonTools.array(JsonTools.array("id", "=", id)), call.object(1)));
        return rows.apply(query).stream()
                .filter(row -> row.get("id").equals(id) || (JsonTools.isNumber(id) && sameNumber(row.get("id"), id)))
                .findFirst()
                .map(JsonElement.class::cast)
                .orElseThrow(() -> ApiFailure.absent(singular + " " + call.text(0) + " does not exist"));
    }

    private static boolean sameNumber(JsonElement left, JsonElement right) {
        return JsonTools.isNumber(left) && left.getAsLong() == right.getAsLong();
    }

    /** Tells whether a namespace has a collection, a configuration, or neither. */
    public boolean has(String name) {
        return methods.containsKey(name);
    }

    /** Reads a number that an id is, which clients send as text too. */
    public static JsonElement id(String text) {
        return text.matches("[0-9]{1,18}") ? new JsonPrimitive(Long.parseLong(text)) : new JsonPrimitive(text);
    }
}
