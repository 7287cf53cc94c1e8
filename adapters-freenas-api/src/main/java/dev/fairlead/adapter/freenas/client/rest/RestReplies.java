package dev.fairlead.adapter.freenas.client.rest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.MessageSize;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.http.AnswerReader;
import dev.fairlead.http.HttpAnswer;
import dev.fairlead.http.Json;
import dev.fairlead.http.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells what an answer over REST means, and whether it is the box's own or that of the server before it. */
final class RestReplies implements AnswerReader<RestReplies.Rest> {
    private final BoxWords words;

    /** @param words makes what the box says fit to be shown; a reply is so only when its call is known */
    RestReplies(BoxWords words) {
        this.words = words;
    }

    /** The answer is a reply, or says that there is no session with this box over REST. */
    sealed interface Rest {
        record Said(Reply reply) implements Rest {}

        /** The credential is not accepted. */
        record NotLetIn(String text) implements Rest {}

        /** The box has answered with more than is read; the same question would be answered the same. */
        record TooLong(String text) implements Rest {}

        /** The box has no REST, or not at this path. */
        record Gone() implements Rest {}

        /** The box sends elsewhere, as one does that wants TLS; it did nothing. */
        record Elsewhere(int status) implements Rest {}
    }

    @Override
    public Verdict<Rest> read(HttpAnswer answer) {
        int status = answer.status();
        if (answer.text().isEmpty()) {
            return tooLong("an answer of more than " + answer.maxBytes() + " bytes");
        }
        if (!answer.text().map(MessageSize::isBearable).orElse(true)) {
            return tooLong(MessageSize.tooMuch());
        }
        Optional<JsonElement> json = answer.text().flatMap(Json::element);
        if (answer.isSuccess()) {
            return json.isPresent() && isJson(answer)
                    ? said(new Reply.Done(json.get()), "done")
                    : new Verdict.Unintelligible<>(answer.notAnObject().replace("JSON object", "JSON"));
        }
        JsonObject object = json.filter(JsonElement::isJsonObject)
                .map(JsonElement::getAsJsonObject)
                .orElseGet(JsonObject::new);
        String text = json.isPresent() || isJson(answer) || isHtml(answer)
                ? Json.text(object, "message").orElse("")
                : answer.text().orElse("");
        String shown = words.shown(text);
        return switch (status) {
            case 401 -> new Verdict.Final<>(new Rest.NotLetIn(shown.isEmpty() ? "status 401" : shown), "401");
            case 403 -> forbidden(shown);
            case 404 ->
                object.has("message")
                        ? said(new Reply.Refusal(ApiErrno.ENOENT, text.isEmpty() ? "there is none" : text), "404")
                        : new Verdict.Final<>(new Rest.Gone(), "404");
            case 400, 409, 422 ->
                object.isEmpty()
                        ? new Verdict.Unintelligible<>("status " + status + " without a reason")
                        : said(refusal(object, text), String.valueOf(status));
            case 429 -> new Verdict.Passing<>("it is too busy (status 429)", true, answer.after());
            case 500 ->
                object.has("message") ? said(new Reply.Refusal(ApiErrno.EFAULT, text), "500") : passing(answer, shown);
            default -> status > 500 ? passing(answer, shown) : other(status);
        };
    }

    private static Verdict<Rest> tooLong(String what) {
        return new Verdict.Final<>(new Rest.TooLong(what), what);
    }

    private static Verdict<Rest> passing(HttpAnswer answer, String words) {
        return new Verdict.Passing<>(
                "status " + answer.status() + (words.isEmpty() ? "" : ", " + words), false, answer.after());
    }

    private static Verdict<Rest> other(int status) {
        return status >= 300 && status < 400
                ? new Verdict.Final<>(new Rest.Elsewhere(status), String.valueOf(status))
                : new Verdict.Unintelligible<>("status " + status);
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
                        Json.text(each, "message").orElse(""),
                        Json.number(each, "errno").map(ApiErrno::of).orElse(ApiErrno.EINVAL)));
            }
        }
        String all = String.join("; ", fields.stream().map(RestReplies::shown).toList());
        return new Reply.Refusal(BoxWords.errno(ApiErrno.EINVAL, fields), all.isEmpty() ? words : all, fields);
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
