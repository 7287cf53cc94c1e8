package dev.fairlead.adapter.linstor.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.domain.failure.Excerpt;
import dev.fairlead.http.HttpAnswer;
import dev.fairlead.http.Json;
import dev.fairlead.http.Verdict;
import java.util.List;
import java.util.Optional;

/** Holds a final answer of a controller. */
sealed interface LinstorAnswer {
    /**
     * The controller did it, or showed it.
     *
     * @param json the text; whether a list in it is whole shows when it is read
     */
    record Shown(String json) implements LinstorAnswer {}

    /** The controller said no, or that there is no such thing. */
    record Refused(int status, String words) implements LinstorAnswer {}

    /** The greatest length of what a controller said in a message of ours. */
    int LONGEST = 400;

    /** The status by which a controller, or a proxy before it, is too busy. */
    int BUSY = 429;

    /** Tells what a response means; what is not LINSTOR's JSON came from somebody else. */
    static Verdict<LinstorAnswer> of(HttpAnswer answer) {
        // A list may be long: it is read entry by entry, and not kept as a tree.
        Optional<String> list = answer.text().filter(text -> text.startsWith("["));
        if (answer.isSuccess() && list.isPresent()) {
            return new Verdict.Final<>(new Shown(list.get()), "shown");
        }
        Optional<JsonElement> json = answer.text().flatMap(Json::element);
        int status = answer.status();
        if (status == BUSY || status >= 500) {
            String said = json.map(LinstorAnswer::words).orElse("");
            String detail = "status " + status + (said.isEmpty() ? ", without a message" : ", " + said);
            return new Verdict.Passing<>(detail, status == BUSY, answer.after());
        }
        if (json.filter(LinstorAnswer::isObjectOrList).isEmpty()) {
            return new Verdict.Unintelligible<>("status " + status + " with no JSON of LINSTOR");
        }
        if (answer.isSuccess()) {
            return new Verdict.Final<>(new Shown(answer.text().orElse("")), "shown");
        }
        return new Verdict.Final<>(new Refused(status, words(json.get())), Integer.toString(status));
    }

    private static boolean isObjectOrList(JsonElement json) {
        return json.isJsonArray() || json.isJsonObject();
    }

    /**
     * Returns what an error says, of whichever shape: a list of messages, an object that has such a list, one message,
     * or one without words.
     */
    private static String words(JsonElement json) {
        List<JsonObject> messages = json instanceof JsonArray list
                ? list.asList().stream()
                        .filter(JsonElement::isJsonObject)
                        .map(JsonElement::getAsJsonObject)
                        .toList()
                : json instanceof JsonObject one && one.has("messages") ? Json.objects(one, "messages") : only(json);
        // Good messages stand beside the errors; those with the two highest bits set are errors.
        String said = messages.stream()
                .filter(message -> Json.number(message, "ret_code").orElse(-1L) >>> 62 == 3)
                .flatMap(message -> Json.text(message, "message").stream())
                .distinct()
                .reduce((one, other) -> one + "; " + other)
                .orElse("");
        return said.isEmpty() ? "" : Excerpt.of(said, LONGEST);
    }

    private static List<JsonObject> only(JsonElement json) {
        return json instanceof JsonObject one ? List.of(one) : List.of();
    }
}
