package dev.fairlead.simulator.engine;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/** Builds and reads JSON in few words. */
public final class JsonTools {
    /** The writer of answers, which keeps nulls. */
    public static final Gson WRITER =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private JsonTools() {}

    /** Builds an object of keys and values in turn. */
    public static JsonObject object(Object... pairs) {
        JsonObject object = new JsonObject();
        for (int i = 0; i < pairs.length; i += 2) object.add((String) pairs[i], of(pairs[i + 1]));
        return object;
    }

    /** Builds an array of the values. */
    public static JsonArray array(Object... values) {
        JsonArray array = new JsonArray();
        for (Object value : values) array.add(of(value));
        return array;
    }

    /** Wraps a value of Java. */
    public static JsonElement of(Object value) {
        return switch (value) {
            case JsonElement element -> element;
            case String text -> new JsonPrimitive(text);
            case Number number -> new JsonPrimitive(number);
            case Boolean flag -> new JsonPrimitive(flag);
            case Optional<?> optional -> optional.isEmpty() ? JsonNull.INSTANCE : of(optional.get());
            case Collection<?> many -> array(many.toArray());
            default -> throw new IllegalArgumentException("No JSON for " + value.getClass());
        };
    }

    /** Wraps an instant as the vendor does. */
    public static JsonObject date(Instant instant) {
        return object("$date", instant.toEpochMilli());
    }

    /** Reads a member that is there and not null. */
    public static Optional<JsonElement> at(JsonObject object, String key) {
        JsonElement element = object.get(key);
        return element == null || element.isJsonNull() ? Optional.empty() : Optional.of(element);
    }

    /** Reads a text, or what stands for it where it is absent, null or no text. */
    public static String text(JsonObject object, String key, String fallback) {
        return at(object, key)
                .filter(JsonElement::isJsonPrimitive)
                .map(JsonElement::getAsString)
                .orElse(fallback);
    }

    /** Reads a text that is there. */
    public static String text(JsonObject object, String key) {
        return text(object, key, "");
    }

    /** Reads a number, or what stands for it where it is absent. */
    public static long number(JsonObject object, String key, long fallback) {
        return at(object, key)
                .filter(JsonTools::isNumber)
                .map(JsonElement::getAsLong)
                .orElse(fallback);
    }

    /** Reads a switch, or what stands for it where it is absent. */
    public static boolean flag(JsonObject object, String key, boolean fallback) {
        return at(object, key)
                .filter(JsonTools::isBoolean)
                .map(JsonElement::getAsBoolean)
                .orElse(fallback);
    }

    /** Reads a list, or an empty one. */
    public static JsonArray list(JsonObject object, String key) {
        return at(object, key)
                .filter(JsonElement::isJsonArray)
                .map(JsonElement::getAsJsonArray)
                .orElseGet(JsonArray::new);
    }

    /** Reads an object, or an empty one. */
    public static JsonObject child(JsonObject object, String key) {
        return at(object, key)
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .orElseGet(JsonObject::new);
    }

    /** Copies an object and sets one member of the copy. */
    public static JsonObject with(JsonObject object, String key, Object value) {
        JsonObject copy = object.deepCopy();
        copy.add(key, of(value));
        return copy;
    }

    /** Copies an object and sets all members of another in the copy. */
    public static JsonObject merged(JsonObject object, JsonObject patch) {
        JsonObject copy = object.deepCopy();
        patch.entrySet().forEach(entry -> copy.add(entry.getKey(), entry.getValue()));
        return copy;
    }

    /** Tells whether it is a number. */
    public static boolean isNumber(JsonElement element) {
        return element.isJsonPrimitive() && element.getAsJsonPrimitive().isNumber();
    }

    /** Tells whether it is a text. */
    public static boolean isText(JsonElement element) {
        return element.isJsonPrimitive() && element.getAsJsonPrimitive().isString();
    }

    /** Tells whether it is a truth value. */
    public static boolean isBoolean(JsonElement element) {
        return element.isJsonPrimitive() && element.getAsJsonPrimitive().isBoolean();
    }
}
