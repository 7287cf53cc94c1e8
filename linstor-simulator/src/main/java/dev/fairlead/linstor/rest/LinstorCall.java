package dev.fairlead.linstor.rest;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * Holds a call of the API.
 *
 * @param parts what stands for the variable parts of the path
 */
record LinstorCall(String method, String path, List<String> parts, Map<String, List<String>> query, JsonObject body) {
    String part(int at) {
        return parts.get(at);
    }

    List<String> all(String name) {
        return query.getOrDefault(name, List.of());
    }

    boolean is(String name) {
        return all(name).contains("true");
    }

    int number(String name, int otherwise) {
        List<String> given = all(name);
        return given.isEmpty() || !given.getFirst().matches("[0-9]{1,9}")
                ? otherwise
                : Integer.parseInt(given.getFirst());
    }
}
