package dev.fairlead.linstor.check;

import static dev.fairlead.linstor.state.LinstorJson.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Compares an answer with a recorded one: status, media type, the words and codes of messages in any order, and the
 * fields of objects with their kinds. What differs from run to run is not compared: identifiers, times, sizes and
 * paths.
 */
public final class AnswerComparison {
    private static final Set<String> DIFFERENT_EACH_TIME = Set.of(
            "created_at",
            "uuid",
            "UUID",
            "error_report_ids",
            "device_path",
            "free_capacity",
            "total_capacity",
            "allocated_size_kib",
            "usable_size_kib",
            "create_timestamp",
            "DrbdCurrentGi",
            "free_space_mgr_name",
            "storage_providers",
            "unsupported_providers",
            "unsupported_layers",
            "resource_layers",
            "os_variant");
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final String PROVIDERS = "Supported storage providers: ";
    private static final int LONG = 100;

    private final boolean exact;
    private final List<String> found = new ArrayList<>();

    private AnswerComparison(boolean exact) {
        this.exact = exact;
    }

    /**
     * Returns what differs, in words.
     *
     * @param exact whether names and numbers are those of the recording; otherwise, only kinds are compared and what
     *     satellites say is left out
     */
    public static List<String> differences(
            RecordedAnswer recorded, int status, String type, String text, boolean exact) {
        AnswerComparison comparison = new AnswerComparison(exact);
        if (status != recorded.status()) comparison.say("status", recorded.status(), status);
        if (!type.startsWith(recorded.type())) comparison.say("media type", recorded.type(), type);
        try {
            comparison.compare("answer", recorded.answer(), JsonParser.parseString(text));
        } catch (JsonParseException _) {
            comparison.say("answer", "JSON", text);
        }
        return comparison.found;
    }

    private void compare(String place, JsonElement wanted, JsonElement got) {
        if (wanted instanceof JsonArray many && got instanceof JsonArray those) {
            if (isMessages(many)) messages(place, many, those);
            else list(place, many, those);
        } else if (wanted instanceof JsonObject one && got instanceof JsonObject that) {
            for (String key : one.keySet()) {
                if (!that.has(key)) say(place + "." + key, "a value", "nothing");
                else field(place + "." + key, key, one.get(key), that.get(key));
            }
        } else if (!kind(wanted).equals(kind(got))) {
            say(place, kind(wanted), kind(got));
        } else if (exact && wanted.isJsonPrimitive() && !words(wanted).equals(words(got))) {
            say(place, words(wanted), words(got));
        }
    }

    private void field(String place, String key, JsonElement wanted, JsonElement got) {
        if (!DIFFERENT_EACH_TIME.contains(key)) compare(place, wanted, got);
        else if (!kind(wanted).equals(kind(got))) say(place, kind(wanted), kind(got));
    }

    private void list(String place, JsonArray wanted, JsonArray got) {
        if (exact && wanted.size() != got.size()) say(place, wanted.size() + " entries", got.size() + " entries");
        for (int at = 0; at < Math.min(wanted.size(), got.size()); at++) {
            compare(place + "[" + at + "]", wanted.get(at), got.get(at));
        }
    }

    private void messages(String place, JsonArray wanted, JsonArray got) {
        Set<String> recorded = told(wanted);
        Set<String> told = told(got);
        for (String each : recorded) if (!told.contains(each)) say(place, each, "no such message");
        for (String each : told) if (exact && !recorded.contains(each)) say(place, "no such message", each);
    }

    private Set<String> told(JsonArray messages) {
        Set<String> told = new TreeSet<>();
        for (JsonElement each : messages) {
            JsonObject message = each.getAsJsonObject().deepCopy();
            message.remove("created_at");
            message.remove("error_report_ids");
            if (text(message, "details").startsWith(PROVIDERS)) message.remove("details");
            // Satellites answer as they like: what one says of the others is left out unless all is alike.
            if (!exact && text(message, "message").contains("node-")) continue;
            JsonObject sorted = new JsonObject();
            new TreeSet<>(message.keySet()).forEach(key -> sorted.add(key, sorted(message.get(key))));
            told.add(UUID.matcher(sorted.toString()).replaceAll("UUID"));
        }
        return told;
    }

    private static JsonElement sorted(JsonElement value) {
        if (!(value instanceof JsonObject object)) return value;
        JsonObject sorted = new JsonObject();
        new TreeSet<>(object.keySet()).forEach(key -> sorted.add(key, object.get(key)));
        return sorted;
    }

    private static boolean isMessages(JsonArray list) {
        return !list.isEmpty() && list.get(0) instanceof JsonObject first && first.has("ret_code");
    }

    private static String kind(JsonElement value) {
        if (value.isJsonArray()) return "a list";
        if (value.isJsonObject()) return "an object";
        if (value.isJsonNull()) return "null";
        JsonPrimitive simple = value.getAsJsonPrimitive();
        if (simple.isBoolean()) return "a flag";
        return simple.isNumber() ? "a number" : "a text";
    }

    private static String words(JsonElement value) {
        String text = value.getAsString();
        boolean repeated = text.length() >= LONG && text.chars().distinct().count() == 1;
        String shown = repeated ? "(" + text.length() + " times " + text.charAt(0) + ")" : text;
        return UUID.matcher(shown).replaceAll("UUID");
    }

    private void say(String place, Object wanted, Object got) {
        found.add(place + ": " + got + " (recorded: " + wanted + ")");
    }
}
