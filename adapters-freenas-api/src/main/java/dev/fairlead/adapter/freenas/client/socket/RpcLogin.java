package dev.fairlead.adapter.freenas.client.socket;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.ApiErrno;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.application.config.Secret;
import dev.fairlead.http.Json;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Logs a socket in. A key stays here if the box takes a proof of it; it is sent only if the box knows no other way. */
final class RpcLogin {
    private final RpcSocket socket;
    private final TruenasLogin login;
    private final Duration patience;

    RpcLogin(RpcSocket socket, TruenasLogin login, Duration patience) {
        this.socket = socket;
        this.login = login;
        this.patience = patience;
    }

    /** @param mayProve whether the box's release may take a proof of the key */
    void run(boolean mayProve) throws SessionException, InterruptedException {
        if (login.apiKey().isEmpty()) {
            byPassword();
        } else if (login.username().isEmpty()) {
            byKeyAlone(login.apiKey().get());
        } else if (mayProve && mechanisms().contains("SCRAM")) {
            byProof(login.username().get(), login.apiKey().get());
        } else {
            JsonObject key = mechanism("API_KEY_PLAIN");
            key.addProperty("username", login.username().get());
            key.addProperty("api_key", login.apiKey().get().reveal());
            expectSuccess(loginEx(key));
        }
    }

    private void byPassword() throws SessionException, InterruptedException {
        JsonObject password = mechanism("PASSWORD_PLAIN");
        password.addProperty("username", login.username().orElse(""));
        password.addProperty("password", login.password().map(Secret::reveal).orElse(""));
        expectSuccess(loginEx(password));
    }

    private void byKeyAlone(Secret key) throws SessionException, InterruptedException {
        JsonElement answer = ask("auth.login_with_api_key", new JsonPrimitive(key.reveal()));
        if (answer.isJsonObject()) {
            expectSuccess(answer.getAsJsonObject());
            return;
        }
        if (!answer.equals(new JsonPrimitive(true))) {
            throw new SessionException(
                    Kind.WRONG,
                    "the API key is wrong, or was revoked; with httpConnection.username the box says which");
        }
    }

    private List<String> mechanisms() throws SessionException, InterruptedException {
        JsonElement answer = ask("auth.mechanism_choices");
        var holder = new JsonObject();
        holder.add("choices", answer);
        return Json.texts(holder, "choices");
    }

    private void byProof(String username, Secret key) throws SessionException, InterruptedException {
        ScramExchange exchange = ScramExchange.begin(username, key);
        JsonObject first = loginEx(scram("CLIENT_FIRST_MESSAGE", exchange.first()));
        if (!isResponse(first, "SCRAM_RESPONSE")) {
            throw refused(first);
        }
        try {
            ScramExchange.Proof proof =
                    exchange.answer(Json.text(first, "rfc_str").orElse(""));
            JsonObject last = loginEx(scram("CLIENT_FINAL_MESSAGE", proof.last()));
            if (!isResponse(last, "SCRAM_RESPONSE")) {
                throw refused(last);
            }
            if (!proof.isAnsweredBy(Json.text(last, "rfc_str").orElse(""))) {
                throw new SessionException(Kind.UNINTELLIGIBLE, "who answers does not know the API key");
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SessionException(
                    Kind.UNINTELLIGIBLE,
                    "the login by proof failed, " + e.getClass().getSimpleName());
        }
    }

    private static JsonObject scram(String type, String text) {
        JsonObject message = mechanism("SCRAM");
        message.addProperty("scram_type", type);
        message.addProperty("rfc_str", text);
        return message;
    }

    private static JsonObject mechanism(String name) {
        var message = new JsonObject();
        message.addProperty("mechanism", name);
        return message;
    }

    private JsonObject loginEx(JsonObject message) throws SessionException, InterruptedException {
        JsonElement answer = ask("auth.login_ex", message);
        return answer.isJsonObject() ? answer.getAsJsonObject() : new JsonObject();
    }

    private static boolean isResponse(JsonObject answer, String type) {
        return Json.text(answer, "response_type").filter(type::equals).isPresent();
    }

    private void expectSuccess(JsonObject answer) throws SessionException {
        if (!isResponse(answer, "SUCCESS")) {
            throw refused(answer);
        }
    }

    private SessionException refused(JsonObject answer) {
        String type = Json.text(answer, "response_type").orElse("nothing");
        return switch (type) {
            case "AUTH_ERR" ->
                new SessionException(Kind.WRONG, "the box knows no such user with such a credential" + beside());
            case "EXPIRED" ->
                new SessionException(
                        Kind.REVOKED, "the box says that it has expired, which it says of a revoked key too");
            case "OTP_REQUIRED" -> new SessionException(Kind.WRONG, "the user has a second factor, use an API key");
            case "DENIED" -> new SessionException(Kind.WRONG, "the user may not use the API");
            case "REDIRECT" ->
                new SessionException(
                        Kind.NOT_DONE,
                        "it is the standby controller, the active one is at "
                                + BoxWords.cut(String.join(", ", Json.texts(answer, "urls"))));
            default ->
                new SessionException(Kind.UNINTELLIGIBLE, "the box answers the login with " + BoxWords.cut(type));
        };
    }

    /** Tells of a user's name that releases before 25.04 did not look at. */
    private String beside() {
        return login.apiKey().isPresent() && login.username().isPresent()
                ? "; since 25.04 httpConnection.username has to be the user whom the API key belongs to, which boxes"
                        + " before did not look at: correct it, or remove it"
                : "";
    }

    private JsonElement ask(String method, JsonElement... arguments) throws SessionException, InterruptedException {
        var array = new JsonArray();
        for (JsonElement argument : arguments) {
            array.add(argument);
        }
        Reply reply = socket.ask(method, array, patience, () -> {});
        return switch (reply) {
            case Reply.Done(JsonElement value) -> value;
            case Reply.Denied(String text) -> throw new SessionException(Kind.WRONG, text);
            case Reply.Refusal refusal -> throw refused(method, refusal);
        };
    }

    private static SessionException refused(String method, Reply.Refusal refusal) {
        if (refusal.errno() == ApiErrno.ENOMETHOD) {
            return new SessionException(
                    Kind.WRONG, "this release has no " + method + "; set httpConnection.username beside apiKey");
        }
        String text = refusal.text();
        Kind kind = text.toLowerCase(Locale.ROOT).contains("expired") ? Kind.REVOKED : Kind.WRONG;
        return new SessionException(kind, method + " was refused, " + text);
    }
}
