package dev.fairlead.adapter.freenas.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes which objects of a collection are wanted; all filters hold together.
 *
 * <p>Filters and paging work the same by both transports. By REST, whole objects come back whatever {@code select}
 * says.
 *
 * @param filters by field, operator and value; the operators are those of a box that both transports have: {@code = !=
 *     > >= < <= ~ in ^ $}, {@code rin} for a list that has the value, and {@code C=} for texts in any case of letters
 * @param options {@code select}, {@code order_by}, {@code limit} and {@code offset}
 * @param extra options of the one collection, such as {@code retrieve_children}
 */
public record ApiQuery(List<Filter> filters, Map<String, JsonElement> options, Map<String, JsonElement> extra) {
    /** Compares one field, which may be a path with dots such as {@code snapshot.dataset}. */
    public record Filter(String field, String operator, JsonElement value) {
        JsonArray json() {
            var json = new JsonArray();
            json.add(field);
            json.add(operator);
            json.add(value);
            return json;
        }
    }

    public ApiQuery {
        filters = List.copyOf(filters);
        options = Map.copyOf(options);
        extra = Map.copyOf(extra);
    }

    public static ApiQuery all() {
        return new ApiQuery(List.of(), Map.of(), Map.of());
    }

    /** Returns the query of those whose field has this text. */
    public static ApiQuery of(String field, String value) {
        return all().where(field, "=", new JsonPrimitive(value));
    }

    public static ApiQuery of(String field, long value) {
        return all().where(field, "=", new JsonPrimitive(value));
    }

    public ApiQuery where(String field, String operator, JsonElement value) {
        var more = new ArrayList<>(filters);
        more.add(new Filter(field, operator, value));
        return new ApiQuery(more, options, extra);
    }

    /** Asks for these fields alone, which keeps answers short. */
    public ApiQuery select(String... fields) {
        return with("select", texts(fields));
    }

    /** Sorts by these fields; a minus before a name turns the order round. */
    public ApiQuery orderBy(String... fields) {
        return with("order_by", texts(fields));
    }

    /** Asks for a page of at most {@code limit} objects, beginning after so many. */
    public ApiQuery page(int offset, int limit) {
        return with("offset", new JsonPrimitive(offset)).with("limit", new JsonPrimitive(limit));
    }

    public ApiQuery extra(String key, JsonElement value) {
        var more = new LinkedHashMap<>(extra);
        more.put(key, value);
        return new ApiQuery(filters, options, more);
    }

    public ApiQuery extra(String key, boolean value) {
        return extra(key, new JsonPrimitive(value));
    }

    private ApiQuery with(String key, JsonElement value) {
        var more = new LinkedHashMap<>(options);
        more.put(key, value);
        return new ApiQuery(filters, more, extra);
    }

    private static JsonArray texts(String... texts) {
        var array = new JsonArray();
        for (String text : texts) {
            array.add(text);
        }
        return array;
    }

    /** Returns {@code query-filters}. */
    JsonArray filtersJson() {
        var json = new JsonArray();
        filters.forEach(filter -> json.add(filter.json()));
        return json;
    }

    /** Returns {@code query-options}. */
    JsonObject optionsJson() {
        var json = new JsonObject();
        options.forEach(json::add);
        if (!extra.isEmpty()) {
            var more = new JsonObject();
            extra.forEach(more::add);
            json.add("extra", more);
        }
        return json;
    }
}
