package dev.fairlead.linstor.answer;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Instant;

/** The list of messages that one call is answered with; good ones and errors may stand in it side by side. */
public final class Messages {
    private final JsonArray list = new JsonArray();
    private final JsonObject references = new JsonObject();

    /** Makes an empty list; these references, a name and a value in turn, go with each message. */
    public Messages(String... references) {
        put(this.references, references);
    }

    /** Adds a message with more references than all have. */
    public Messages add(long code, String message, String... more) {
        JsonObject entry = new JsonObject();
        entry.addProperty("ret_code", code);
        entry.addProperty("message", message);
        JsonObject all = references.deepCopy();
        put(all, more);
        if (!all.isEmpty()) entry.add("obj_refs", all);
        entry.addProperty("created_at", Instant.now().toString());
        list.add(entry);
        return this;
    }

    /** Adds the same field to the last message, such as "details". */
    public Messages with(String field, String text) {
        last().addProperty(field, text);
        return this;
    }

    /** Adds the number of a report that an administrator may read. */
    public Messages reported(String id) {
        JsonArray ids = new JsonArray();
        ids.add(id);
        last().add("error_report_ids", ids);
        return this;
    }

    /** Says whether one of them is an error. */
    public boolean isError() {
        return list.asList().stream()
                .map(JsonElement::getAsJsonObject)
                .anyMatch(entry -> entry.get("ret_code").getAsLong() >>> 62 == 3);
    }

    /** Returns the answer: with this status, or 500 if there is an error among them. */
    public RestAnswer answer(int status) {
        return RestAnswer.of(isError() ? 500 : status, list);
    }

    /** Returns the messages as they stand within another answer. */
    public JsonArray list() {
        return list.deepCopy();
    }

    /** Returns the answer with this status, whatever is in it. */
    public RestAnswer withStatus(int status) {
        return RestAnswer.of(status, list);
    }

    private JsonObject last() {
        return list.get(list.size() - 1).getAsJsonObject();
    }

    private static void put(JsonObject to, String... namesAndValues) {
        for (int at = 0; at + 1 < namesAndValues.length; at += 2) {
            to.addProperty(namesAndValues[at], namesAndValues[at + 1]);
        }
    }
}
