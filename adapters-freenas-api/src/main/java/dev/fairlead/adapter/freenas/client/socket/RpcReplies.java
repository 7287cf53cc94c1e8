package dev.fairlead.adapter.freenas.client.socket;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.stream.JsonReader;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.FieldError;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.http.Json;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads replies of JSON-RPC 2.0, with the errors of a box in them. */
final class RpcReplies {
    private static final int NO_METHOD = -32601;
    private static final int INTERNAL = -32603;
    private static final int TOO_MANY = -32000;

    private RpcReplies() {}

    /**
     * @param words makes what the box says fit to be shown
     * @throws SessionException if the reply says nothing about the call's own matter
     */
    static Reply of(JsonObject message, BoxWords words) throws SessionException {
        JsonElement error = message.get("error");
        if (error == null || error.isJsonNull()) {
            JsonElement result = message.get("result");
            if (result == null) {
                throw new SessionException(Kind.UNINTELLIGIBLE, "a reply with neither a result nor an error");
            }
            return new Reply.Done(result);
        }
        return error(Json.child(message, "error"), words);
    }

    /** Reads the number of the call that a message answers, without holding its values; empty if it has none. */
    static Optional<Long> id(String message) {
        try (var reader = new JsonReader(new StringReader(message))) {
            reader.beginObject();
            while (reader.hasNext()) {
                if (reader.nextName().equals("id")) {
                    return Optional.of(reader.nextLong());
                }
                reader.skipValue();
            }
            return Optional.empty();
        } catch (IOException | IllegalStateException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static Reply error(JsonObject error, BoxWords words) throws SessionException {
        Optional<Long> code = Json.number(error, "code");
        if (code.isEmpty()) {
            throw new SessionException(Kind.UNINTELLIGIBLE, "a reply whose error has no number");
        }
        String text = words.shown(Json.text(error, "message").orElse("an error without words"));
        return switch (code.get().intValue()) {
            case NO_METHOD -> new Reply.Refusal(ApiErrno.ENOMETHOD, text);
            case TOO_MANY -> throw new SessionException(Kind.NOT_DONE, text);
            // The call was made, and its result could not be told.
            case INTERNAL -> throw new SessionException(Kind.UNTOLD, text);
            default -> refused(Json.child(error, "data"), text, words);
        };
    }

    private static Reply refused(JsonObject data, String message, BoxWords words) throws SessionException {
        ApiErrno errno = Json.number(data, "error").map(ApiErrno::of).orElse(ApiErrno.OTHER);
        String reason = words.shown(Json.text(data, "reason").orElse(message));
        List<FieldError> fields = fields(data.get("extra"));
        if (errno == ApiErrno.ENOTAUTHENTICATED) {
            throw new SessionException(Kind.LOGGED_OUT, "the session is not logged in any more, " + reason);
        }
        if (errno == ApiErrno.EBUSY && reason.contains("Rate Limit Exceeded")) {
            throw new SessionException(Kind.LIMITED, "it limits the rate of logins, " + reason);
        }
        boolean denied = (errno == ApiErrno.EACCES || errno == ApiErrno.EPERM)
                && fields.isEmpty()
                && reason.contains("Not authorized");
        return denied
                ? new Reply.Denied(reason)
                : words.shown(new Reply.Refusal(BoxWords.errno(errno, fields), reason, fields));
    }

    /** Returns the fields that a refusal lists, each as attribute, text and errno. */
    static List<FieldError> fields(@org.jspecify.annotations.Nullable JsonElement extra) {
        List<FieldError> fields = new ArrayList<>();
        if (extra == null || !extra.isJsonArray()) {
            return fields;
        }
        for (JsonElement each : extra.getAsJsonArray()) {
            if (each.isJsonArray() && each.getAsJsonArray().size() >= 2) {
                JsonArray parts = each.getAsJsonArray();
                fields.add(new FieldError(text(parts.get(0)), text(parts.get(1)), errno(parts)));
            }
        }
        return fields;
    }

    private static ApiErrno errno(JsonArray parts) {
        JsonElement third = parts.size() > 2 ? parts.get(2) : JsonNull.INSTANCE;
        boolean number = third.isJsonPrimitive() && third.getAsJsonPrimitive().isNumber();
        return number ? ApiErrno.of(third.getAsLong()) : ApiErrno.EINVAL;
    }

    private static String text(JsonElement element) {
        return element.isJsonPrimitive() ? element.getAsString() : "";
    }
}
