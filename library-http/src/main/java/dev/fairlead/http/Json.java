package dev.fairlead.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonIOException;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Reads JSON exactly as RFC 8259 says. */
public final class Json {
    private Json() {}

    /** Returns the object that a text is; empty if the text is anything else. */
    public static Optional<JsonObject> object(String text) {
        return element(text).filter(JsonElement::isJsonObject).map(JsonElement::getAsJsonObject);
    }

    /** Returns the one value that a text is, which may be JSON's null; empty if the text is anything else. */
    public static Optional<JsonElement> element(String text) {
        try (JsonReader reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            JsonElement read = JsonParser.parseReader(reader);
            return !text.isBlank() && reader.peek() == JsonToken.END_DOCUMENT ? Optional.of(read) : Optional.empty();
        } catch (IOException | JsonParseException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    /**
     * Hands over the elements of the list that a text is, one after the other, so that a long one never lies in memory
     * as a whole.
     *
     * @param keys the keys that matter, of objects at any depth; all others are passed over. Empty if all matter
     * @return false if the text is anything else, which may show only after some elements
     * @throws IOException if the text cannot be read to its end
     */
    public static boolean each(Reader text, Set<String> keys, Consumer<JsonElement> element) throws IOException {
        try {
            JsonReader reader = new JsonReader(text);
            reader.setStrictness(Strictness.STRICT);
            if (reader.peek() != JsonToken.BEGIN_ARRAY) {
                return false;
            }
            reader.beginArray();
            while (reader.hasNext()) {
                element.accept(keys.isEmpty() ? JsonParser.parseReader(reader) : only(keys, reader));
            }
            reader.endArray();
            return reader.peek() == JsonToken.END_DOCUMENT;
        } catch (JsonIOException e) {
            if (e.getCause() instanceof IOException broken && !isNoJson(broken)) throw broken;
            return false;
        } catch (IOException e) {
            if (!isNoJson(e)) throw e;
            return false;
        } catch (JsonParseException | NumberFormatException _) {
            return false;
        }
    }

    private static boolean isNoJson(IOException thrown) {
        return thrown instanceof MalformedJsonException || thrown instanceof EOFException;
    }

    /** Reads a value without those parts that have other keys; the reader bounds how deep it is. */
    private static JsonElement only(Set<String> keys, JsonReader reader) throws IOException {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> {
                JsonObject object = new JsonObject();
                reader.beginObject();
                while (reader.hasNext()) {
                    String key = reader.nextName();
                    if (keys.contains(key)) object.add(key, only(keys, reader));
                    else reader.skipValue();
                }
                reader.endObject();
                yield object;
            }
            case BEGIN_ARRAY -> {
                JsonArray array = new JsonArray();
                reader.beginArray();
                while (reader.hasNext()) array.add(only(keys, reader));
                reader.endArray();
                yield array;
            }
            default -> JsonParser.parseReader(reader);
        };
    }

    /** Returns the object at this key; an empty one if there is none. */
    public static JsonObject child(JsonObject object, String key) {
        JsonElement found = object.get(key);
        return found != null && found.isJsonObject() ? found.getAsJsonObject() : new JsonObject();
    }

    public static Optional<String> text(JsonObject object, String key) {
        return primitive(object, key).filter(JsonPrimitive::isString).map(JsonPrimitive::getAsString);
    }

    /** Says whether the value at this key is true. */
    public static boolean flag(JsonObject object, String key) {
        return primitive(object, key)
                .filter(JsonPrimitive::isBoolean)
                .map(JsonPrimitive::getAsBoolean)
                .orElse(false);
    }

    public static Optional<Long> number(JsonObject object, String key) {
        try {
            return primitive(object, key).filter(JsonPrimitive::isNumber).map(JsonPrimitive::getAsLong);
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /** Returns the objects of the list at this key, without those elements that are not objects. */
    public static List<JsonObject> objects(JsonObject object, String key) {
        return elements(object, key)
                .filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .toList();
    }

    /** Returns the texts of the list at this key, without those elements that are not texts. */
    public static List<String> texts(JsonObject object, String key) {
        return elements(object, key)
                .filter(JsonElement::isJsonPrimitive)
                .map(JsonElement::getAsJsonPrimitive)
                .filter(JsonPrimitive::isString)
                .map(JsonPrimitive::getAsString)
                .toList();
    }

    private static Stream<JsonElement> elements(JsonObject object, String key) {
        JsonElement found = object.get(key);
        return found != null && found.isJsonArray() ? found.getAsJsonArray().asList().stream() : Stream.empty();
    }

    /** Returns the texts of an object, without those values that are not texts. */
    public static Map<String, String> texts(JsonObject object) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String key : object.keySet()) {
            text(object, key).ifPresent(value -> texts.put(key, value));
        }
        return texts;
    }

    private static Optional<JsonPrimitive> primitive(JsonObject object, String key) {
        JsonElement found = object.get(key);
        return found != null && found.isJsonPrimitive() ? Optional.of(found.getAsJsonPrimitive()) : Optional.empty();
    }
}
