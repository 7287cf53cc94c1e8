package dev.fairlead.linstor.state;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Collection;
import java.util.List;

/** Makes and reads objects of JSON in few words. */
public final class LinstorJson {
    private LinstorJson() {}

    /** Makes an object of names and values in turn: texts, numbers, flags, lists of texts, and JSON itself. */
    public static JsonObject object(Object... namesAndValues) {
        JsonObject made = new JsonObject();
        for (int at = 0; at + 1 < namesAndValues.length; at += 2) {
            made.add(String.valueOf(namesAndValues[at]), element(namesAndValues[at + 1]));
        }
        return made;
    }

    /** Makes a list. */
    public static JsonArray list(Collection<?> values) {
        JsonArray made = new JsonArray();
        values.forEach(value -> made.add(element(value)));
        return made;
    }

    /** Returns a text, or an empty one. */
    public static String text(JsonObject from, String key) {
        JsonElement found = from.get(key);
        return found != null && found.isJsonPrimitive() ? found.getAsString() : "";
    }

    /** Returns a number, or another one if there is none. */
    public static long number(JsonObject from, String key, long otherwise) {
        JsonElement found = from.get(key);
        return found instanceof JsonPrimitive value && value.isNumber() ? value.getAsLong() : otherwise;
    }

    /** Says whether a flag is set. */
    public static boolean flag(JsonObject from, String key) {
        return text(from, key).equals("true");
    }

    /** Returns the object at a key, or an empty one that is not part of it. */
    public static JsonObject child(JsonObject from, String key) {
        JsonElement found = from.get(key);
        return found instanceof JsonObject object ? object : new JsonObject();
    }

    /** Returns a list of texts, or an empty one. */
    public static List<String> texts(JsonObject from, String key) {
        return from.get(key) instanceof JsonArray array
                ? array.asList().stream()
                        .filter(JsonElement::isJsonPrimitive)
                        .map(JsonElement::getAsString)
                        .toList()
                : List.of();
    }

    private static JsonElement element(Object value) {
        return switch (value) {
            case JsonElement json -> json;
            case Number number -> new JsonPrimitive(number);
            case Boolean flag -> new JsonPrimitive(flag);
            case Collection<?> many -> list(many);
            case String text -> new JsonPrimitive(text);
            default -> JsonNull.INSTANCE;
        };
    }
}
