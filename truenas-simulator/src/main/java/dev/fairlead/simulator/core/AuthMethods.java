package dev.fairlead.simulator.core;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Call;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.Method;
import dev.fairlead.simulator.engine.Methods;
import dev.fairlead.simulator.profile.Profile;
import java.util.List;
import java.util.Optional;

/** Answers the methods of auth. */
public final class AuthMethods {
    private final UserAccounts accounts;
    private final RateLimit limit;
    private final Scram scram;

    /** Makes them on the accounts of a box. */
    public AuthMethods(UserAccounts accounts, RateLimit limit, Scram scram) {
        this.accounts = accounts;
        this.limit = limit;
        this.scram = scram;
    }

    /** Adds them. */
    public void addTo(Methods methods) {
        methods.add(Method.of("auth.login", this::login)
                .takes("username", "password", "otp_token")
                .forAnybody()
                .when((box, api) -> api.before(Profile.V27)));
        methods.add(Method.of("auth.login_with_api_key", this::loginWithKey)
                .takes("api_key")
                .forAnybody()
                .when((box, api) -> api.before(Profile.V27)));
        methods.add(Method.of("auth.login_ex", this::loginEx)
                .takes("login_data")
                .forAnybody()
                .since(Profile.V25_04));
        methods.add(Method.of("auth.mechanism_choices", AuthMethods::mechanisms)
                .forAnybody()
                .since(Profile.V25_04));
        methods.add(Method.of(
                "auth.me", call -> accounts.shown(call.caller().identity().user())));
        methods.add(Method.of("auth.logout", AuthMethods::logout));
        methods.add(Method.of("auth.sessions", AuthMethods::sessions)
                .roles("AUTH_SESSIONS_READ")
                .takes("filters", "options"));
    }

    private static JsonElement mechanisms(Call call) {
        List<String> mechanisms = List.of("PASSWORD_PLAIN", "TOKEN_PLAIN", "API_KEY_PLAIN");
        JsonElement all = JsonTools.of(mechanisms);
        if (call.api().since(Profile.V26_BETA)) all.getAsJsonArray().add("SCRAM");
        return all;
    }

    private static JsonElement logout(Call call) {
        call.caller().becomes(Caller.Identity.NOBODY);
        return new JsonPrimitive(true);
    }

    private static JsonElement sessions(Call call) {
        return JsonTools.array(JsonTools.object(
                "id",
                "1",
                "current",
                true,
                "internal",
                false,
                "origin",
                call.caller().address(),
                "credentials",
                call.caller().identity().key() > 0 ? "API_KEY" : "LOGIN_PASSWORD",
                "secure_transport",
                call.caller().encrypted()));
    }

    private JsonElement login(Call call) {
        counted(call);
        Optional<Caller.Identity> who = accounts.ofPassword(call.text(0), call.text(1));
        who.ifPresent(call.caller()::becomes);
        return new JsonPrimitive(who.isPresent());
    }

    private JsonElement loginWithKey(Call call) {
        counted(call);
        return new JsonPrimitive(key(call, call.text(0), Optional.empty()).equals("SUCCESS"));
    }

    private void counted(Call call) {
        if (!call.caller().known()) limit.count(call.method(), call.caller().address());
    }

    private JsonElement loginEx(Call call) {
        counted(call);
        JsonObject data = call.object(0);
        String answer = switch (JsonTools.text(data, "mechanism")) {
            case "API_KEY_PLAIN" ->
                key(call, JsonTools.text(data, "api_key"), Optional.of(JsonTools.text(data, "username")));
            case "PASSWORD_PLAIN" -> password(call, data);
            case "SCRAM" -> "SCRAM";
            default -> "AUTH_ERR";
        };
        if (answer.equals("SCRAM")) return scram.answer(call, data);
        if (!answer.equals("SUCCESS")) return JsonTools.object("response_type", answer);
        return success(call, data);
    }

    private JsonObject success(Call call, JsonObject data) {
        JsonObject success = JsonTools.object("response_type", "SUCCESS", "user_info", JsonNull.INSTANCE);
        if (JsonTools.flag(JsonTools.child(data, "login_options"), "user_info", true))
            success.add("user_info", accounts.shown(call.caller().identity().user()));
        success.addProperty("authenticator", "LEVEL_1");
        if (call.api().since(Profile.V26_BETA)) success.add("reconnect_token", JsonNull.INSTANCE);
        return success;
    }

    private String password(Call call, JsonObject data) {
        Optional<Caller.Identity> who =
                accounts.ofPassword(JsonTools.text(data, "username"), JsonTools.text(data, "password"));
        who.ifPresent(call.caller()::becomes);
        return who.isPresent() ? "SUCCESS" : "AUTH_ERR";
    }

    // A right key that anybody could have read is revoked for good, since 25.04.
    private String key(Call call, String key, Optional<String> user) {
        Optional<JsonObject> row = accounts.keyRow(key);
        if (user.isPresent()
                && row.isPresent()
                && !JsonTools.text(row.get(), "username").equals(user.get())) return "AUTH_ERR";
        UserAccounts.Worth worth = accounts.worth(row);
        if (worth == UserAccounts.Worth.WRONG) return "AUTH_ERR";
        if (worth == UserAccounts.Worth.EXPIRED) return "EXPIRED";
        JsonObject found = row.orElseThrow(ApiFailure::anonymous);
        if (!call.caller().encrypted() && call.box().since(Profile.V25_04)) {
            accounts.revoke(JsonTools.number(found, "id", 0), "Attempt to use over an insecure transport");
            return "EXPIRED";
        }
        call.caller().becomes(accounts.ofKey(found, call.box()));
        return "SUCCESS";
    }
}
