package dev.fairlead.adapter.freenas.client.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes the parameters of a REST query of filters and options.
 *
 * <p>A box takes {@code 123}, {@code true} and {@code null} in a query for a number, a truth value and nothing, which
 * no text equals; and it has no way to write a list. So such texts, and lists of texts, go as regular expressions, and
 * so does what is compared in any case of letters, for which CORE has no operator.
 */
final class RestQuery {
    private static final Map<String, String> OPERATORS = Map.ofEntries(
            Map.entry("=", ""),
            Map.entry("!=", "__neq"),
            Map.entry(">", "__gt"),
            Map.entry(">=", "__gte"),
            Map.entry("<", "__lt"),
            Map.entry("<=", "__lte"),
            Map.entry("~", "__regex"),
            Map.entry("^", "__^"),
            Map.entry("$", "__$"),
            Map.entry("rin", "__rin"));

    private static final Pattern TAKEN_OTHERWISE = Pattern.compile("[0-9]+|(?i:true|false|null|none)");
    private static final Pattern SPECIAL = Pattern.compile("[\\\\.\\[\\]{}()*+?^$|#&~\\- ]");

    private RestQuery() {}

    /** @param arguments the filters, and then the options */
    static Map<String, String> of(List<JsonElement> arguments) {
        Map<String, String> query = new LinkedHashMap<>();
        if (!arguments.isEmpty()) {
            arguments.getFirst().getAsJsonArray().forEach(filter -> add(query, filter.getAsJsonArray()));
        }
        if (arguments.size() > 1) {
            options(query, arguments.get(1).getAsJsonObject());
        }
        return query;
    }

    private static void add(Map<String, String> query, JsonArray filter) {
        String field = filter.get(0).getAsString();
        String operator = filter.get(1).getAsString();
        JsonElement value = filter.get(2);
        Optional<String> expression = expression(operator, value);
        String suffix = expression.isPresent() ? "__regex" : OPERATORS.get(operator);
        if (suffix == null) {
            throw new IllegalArgumentException("operator: '" + operator + "' (expected: one that REST has)");
        }
        String text = expression.orElseGet(() -> value.isJsonNull() ? "null" : value.getAsString());
        if (query.putIfAbsent(field + suffix, text) != null) {
            throw new IllegalArgumentException("filters: two for " + field + suffix + " (expected: one)");
        }
    }

    /** Returns the regular expression that stands for a comparison; empty if the box has an operator for it. */
    private static Optional<String> expression(String operator, JsonElement value) {
        return switch (operator) {
            case "in" -> Optional.of(anyOf(value.getAsJsonArray()));
            case "C=" -> Optional.of("(?i)^" + quoted(value.getAsString()) + "$");
            case "=" -> takenOtherwise(value).map(text -> "^" + text + "$");
            case "^" -> takenOtherwise(value).map(text -> "^" + text);
            case "$" -> takenOtherwise(value).map(text -> ".*" + text + "$");
            default -> Optional.empty();
        };
    }

    private static Optional<String> takenOtherwise(JsonElement value) {
        return Optional.of(value)
                .filter(JsonElement::isJsonPrimitive)
                .filter(primitive -> primitive.getAsJsonPrimitive().isString())
                .map(JsonElement::getAsString)
                .filter(text -> TAKEN_OTHERWISE.matcher(text).matches());
    }

    private static String anyOf(JsonArray values) {
        return values.asList().stream()
                .map(JsonElement::getAsJsonPrimitive)
                .map(JsonPrimitive::getAsString)
                .map(RestQuery::quoted)
                .collect(Collectors.joining("|", "^(", ")$"));
    }

    private static String quoted(String text) {
        return SPECIAL.matcher(text).replaceAll("\\\\$0");
    }

    private static void options(Map<String, String> query, JsonObject options) {
        for (String key : List.of("limit", "offset")) {
            if (options.has(key)) {
                query.put(key, options.get(key).getAsString());
            }
        }
        if (options.has("order_by")) {
            query.put(
                    "sort",
                    options.getAsJsonArray("order_by").asList().stream()
                            .map(JsonElement::getAsString)
                            .collect(Collectors.joining(",")));
        }
        if (options.has("extra")) {
            JsonObject extra = options.getAsJsonObject("extra");
            extra.keySet()
                    .forEach(key -> query.put("extra." + key, extra.get(key).toString()));
        }
    }
}
