package dev.fairlead.adapter.freenas.client.rest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.http.HttpAnswer;
import dev.fairlead.http.Json;
import dev.fairlead.http.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells what an answer over REST means, and whether it is the box's own or that of the server before it. */
final class RestReplies {
    /** The answer is a reply, or says that there is no session with this box over REST. */
    sealed interface Rest {
        record Said(Reply reply) implements Rest {}

        /** The credential is not accepted. */
        record NotLetIn(String text) implements Rest {}

        /** The box has no REST, or not at this path. */
        record Gone() implements Rest {}
    }

    private RestReplies() {}

    static Verdict<Rest> of(HttpAnswer answer) {
        int status = answer.status();
        Optional<JsonElement> json = answer.text().flatMap(Json::element);
        if (answer.isSuccess()) {
            return json.isPresent() && isJson(answer)
                    ? said(new Reply.Done(json.get()), "done")
                    : new Verdict.Unintelligible<>(answer.notAnObject().replace("JSON object", "JSON"));
        }
        JsonObject object = json.filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .orElseGet(JsonObject::new);
        String words = json.isPresent() || isJson(answer) || isHtml(answer)
                ? Json.text(object, "message").map(BoxWords::shown).orElse("")
                : answer.text().map(BoxWords::shown).orElse("");
        return switch (status) {
            case 401 -> new Verdict.Final<>(new Rest.NotLetIn(words.isEmpty() ? "status 401" : words), "401");
            case 403 -> forbidden(words);
            case 404 ->
                object.has("message")
                        ? said(new Reply.Refusal(ApiErrno.ENOENT, words.isEmpty() ? "there is none" : words), "404")
                        : new Verdict.Final<>(new Rest.Gone(), "404");
            case 400, 409, 422 -> said(refusal(object, words), String.valueOf(status));
            case 429 -> new Verdict.Passing<>("it is too busy (status 429)", true, answer.after());
            case 500 ->
                object.has("message") ? said(new Reply.Refusal(ApiErrno.EFAULT, words), "500") : passing(answer, words);
            default -> status > 500 ? passing(answer, words) : other(status);
        };
    }

    private static Verdict<Rest> passing(HttpAnswer answer, String words) {
        return new Verdict.Passing<>(
                "status " + answer.status() + (words.isEmpty() ? "" : ", " + words), false, answer.after());
    }

    private static Verdict<Rest> other(int status) {
        String hint = status >= 300 && status < 400 ? ", it sends elsewhere; set httpConnection.protocol to https" : "";
        return new Verdict.Unintelligible<>("status " + status + hint);
    }

    private static Verdict<Rest> forbidden(String words) {
        return words.toLowerCase(Locale.ROOT).contains("not permitted by server authentication security level")
                ? new Verdict.Final<>(new Rest.NotLetIn(words), "403")
                : said(new Reply.Denied(words.isEmpty() ? "status 403" : words), "403");
    }

    private static Verdict<Rest> said(Reply reply, String inShort) {
        return new Verdict.Final<>(new Rest.Said(reply), inShort);
    }

    /** Reads a refusal: one message with its errno, or lists of messages by field. */
    private static Reply refusal(JsonObject object, String words) {
        if (object.has("message")) {
            ApiErrno errno = Json.number(object, "errno").map(ApiErrno::of).orElse(ApiErrno.EINVAL);
            return new Reply.Refusal(errno, words);
        }
        List<FieldError> fields = new ArrayList<>();
        for (String attribute : object.keySet()) {
            for (JsonObject each : Json.objects(object, attribute)) {
                fields.add(new FieldError(
                        attribute.equals("null") ? "" : attribute,
                        BoxWords.shown(Json.text(each, "message").orElse("")),
                        Json.number(each, "errno").map(ApiErrno::of).orElse(ApiErrno.EINVAL)));
            }
        }
        String all = String.join("; ", fields.stream().map(RestReplies::shown).toList());
        return new Reply.Refusal(
                BoxWords.errno(ApiErrno.EINVAL, fields), BoxWords.shown(all.isEmpty() ? words : all), fields);
    }

    private static String shown(FieldError field) {
        return field.attribute().isEmpty() ? field.text() : field.attribute() + ": " + field.text();
    }

    private static boolean isJson(HttpAnswer answer) {
        return answer.type().contains("json");
    }

    private static boolean isHtml(HttpAnswer answer) {
        return answer.type().contains("html");
    }
}
