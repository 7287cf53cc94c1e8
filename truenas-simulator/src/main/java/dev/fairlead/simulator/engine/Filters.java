package dev.fairlead.simulator.engine;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.error.ErrorNumber;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Answers queries in the vendor's language: filters, order, selection and pages. */
public final class Filters {
    private Filters() {}

    /** Answers a query over rows. */
    public static JsonElement answer(List<JsonObject> rows, JsonArray filters, JsonObject options) {
        List<JsonObject> found =
                new ArrayList<>(rows.stream().filter(row -> all(row, filters)).toList());
        if (JsonTools.flag(options, "count", false)) return new JsonPrimitive(found.size());
        JsonArray order = JsonTools.list(options, "order_by");
        for (int i = order.size() - 1; i >= 0; i--)
            found.sort(comparator(order.get(i).getAsString()));
        if (JsonTools.flag(options, "get", false)) {
            if (found.isEmpty()) throw ApiFailure.matchless();
            return selected(found.getFirst(), JsonTools.list(options, "select"));
        }
        long limit = JsonTools.number(options, "limit", 0);
        JsonArray page = new JsonArray();
        found.stream()
                .skip(JsonTools.number(options, "offset", 0))
                .limit(limit == 0 ? Long.MAX_VALUE : limit)
                .forEach(row -> page.add(selected(row, JsonTools.list(options, "select"))));
        return page;
    }

    /** Tells whether a row matches all filters. */
    public static boolean all(JsonObject row, JsonArray filters) {
        return StreamSupport.stream(filters.spliterator(), false).allMatch(filter -> matches(row, filter));
    }

    private static boolean matches(JsonObject row, JsonElement filter) {
        if (!filter.isJsonArray() || filter.getAsJsonArray().size() < 2)
            throw ApiFailure.call(ErrorNumber.EINVAL, "Invalid filter " + filter);
        JsonArray parts = filter.getAsJsonArray();
        if (parts.size() == 2 && parts.get(0).getAsString().equals("OR"))
            return StreamSupport.stream(parts.get(1).getAsJsonArray().spliterator(), false)
                    .anyMatch(part -> isFilter(part) ? matches(row, part) : all(row, part.getAsJsonArray()));
        if (parts.size() != 3) throw ApiFailure.call(ErrorNumber.EINVAL, "Invalid filter " + filter);
        return holds(value(row, parts.get(0).getAsString()), parts.get(1).getAsString(), parts.get(2));
    }

    private static boolean isFilter(JsonElement part) {
        return part.isJsonArray()
                && !part.getAsJsonArray().isEmpty()
                && JsonTools.isText(part.getAsJsonArray().get(0));
    }

    private static boolean holds(JsonElement value, String operator, JsonElement wanted) {
        if (operator.startsWith("C")) return holds(lower(value), operator.substring(1), lower(wanted));
        return switch (operator) {
            case "=" -> same(value, wanted);
            case "!=" -> !same(value, wanted);
            case ">" -> !value.isJsonNull() && compare(value, wanted) > 0;
            case ">=" -> !value.isJsonNull() && compare(value, wanted) >= 0;
            case "<" -> !value.isJsonNull() && compare(value, wanted) < 0;
            case "<=" -> !value.isJsonNull() && compare(value, wanted) <= 0;
            case "~" ->
                !value.isJsonNull()
                        && Pattern.compile(wanted.getAsString())
                                .matcher(value.getAsString())
                                .lookingAt();
            case "in" -> contains(wanted, value);
            case "nin" -> !contains(wanted, value);
            case "rin" -> !value.isJsonNull() && contains(value, wanted);
            case "rnin" -> !value.isJsonNull() && !contains(value, wanted);
            case "^" -> !value.isJsonNull() && value.getAsString().startsWith(wanted.getAsString());
            case "!^" -> !value.isJsonNull() && !value.getAsString().startsWith(wanted.getAsString());
            case "$" -> !value.isJsonNull() && value.getAsString().endsWith(wanted.getAsString());
            case "!$" -> !value.isJsonNull() && !value.getAsString().endsWith(wanted.getAsString());
            default -> throw ApiFailure.call(ErrorNumber.EINVAL, "Invalid operation: " + operator);
        };
    }

    private static JsonElement lower(JsonElement value) {
        if (JsonTools.isText(value))
            return new JsonPrimitive(value.getAsString().toLowerCase(Locale.ROOT));
        if (!value.isJsonArray()) return value;
        JsonArray lower = new JsonArray();
        value.getAsJsonArray().forEach(each -> lower.add(lower(each)));
        return lower;
    }

    private static boolean same(JsonElement value, JsonElement wanted) {
        return (JsonTools.isNumber(value) && JsonTools.isNumber(wanted))
                ? value.getAsDouble() == wanted.getAsDouble()
                : value.equals(wanted);
    }

    private static boolean contains(JsonElement many, JsonElement one) {
        if (JsonTools.isText(many))
            return JsonTools.isText(one) && many.getAsString().contains(one.getAsString());
        return many.isJsonArray()
                && StreamSupport.stream(many.getAsJsonArray().spliterator(), false)
                        .anyMatch(each -> same(each, one));
    }

    private static int compare(JsonElement left, JsonElement right) {
        if (JsonTools.isNumber(left) && JsonTools.isNumber(right))
            return Double.compare(left.getAsDouble(), right.getAsDouble());
        return left.toString().compareTo(right.toString());
    }

    private static Comparator<JsonObject> comparator(String key) {
        boolean down = key.startsWith("-");
        String name = down ? key.substring(1) : key;
        Comparator<JsonObject> order = (left, right) -> compare(value(left, name), value(right, name));
        return down ? Collections.reverseOrder(order) : order;
    }

    /** Reads a value by its dotted name; a name with dots of its own is tried whole first. */
    static JsonElement value(JsonElement row, String name) {
        if (!row.isJsonObject()) return JsonNull.INSTANCE;
        JsonObject object = row.getAsJsonObject();
        if (object.has(name)) return object.get(name);
        int dot = name.indexOf('.');
        if (dot < 0 || !object.has(name.substring(0, dot))) return JsonNull.INSTANCE;
        return value(object.get(name.substring(0, dot)), name.substring(dot + 1));
    }

    private static JsonElement selected(JsonObject row, JsonArray names) {
        if (names.isEmpty()) return row;
        JsonObject selected = new JsonObject();
        for (JsonElement name : names) {
            String path = name.isJsonArray() ? name.getAsJsonArray().get(0).getAsString() : name.getAsString();
            String as = name.isJsonArray() ? name.getAsJsonArray().get(1).getAsString() : path;
            JsonElement value = value(row, path);
            if (!value.isJsonNull() || row.has(path)) put(selected, as, value);
        }
        return selected;
    }

    private static void put(JsonObject target, String path, JsonElement value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            target.add(path, value);
            return;
        }
        String head = path.substring(0, dot);
        if (!target.has(head)) target.add(head, new JsonObject());
        put(target.getAsJsonObject(head), path.substring(dot + 1), value);
    }
}
