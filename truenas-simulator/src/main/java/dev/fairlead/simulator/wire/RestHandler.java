package dev.fairlead.simulator.wire;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.core.UserAccounts;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.engine.NoReturn;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Interruption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Serves the old API by URLs, up to 25.10. */
final class RestHandler {
    private final Engine engine;
    private final UserAccounts accounts;
    private final RestRoutes routes;

    RestHandler(Engine engine, UserAccounts accounts) {
        this.engine = engine;
        this.accounts = accounts;
        this.routes = new RestRoutes(engine);
    }

    void handle(Request request, Response response, Callback callback, boolean safe) {
        String path = request.getHttpURI().getPath();
        if (path.contains("//")) {
            HttpAnswers.redirect(response, callback, 308, path.replaceAll("/+", "/"));
            return;
        }
        Optional<RestRoutes.Route> route = routes.find(request.getMethod(), path.substring("/api/v2.0".length()));
        if (route.isEmpty()) {
            HttpAnswers.text(response, callback, 404, "404: Not Found");
            return;
        }
        Caller caller = new Caller(Request.getRemoteAddr(request), safe, event -> {});
        String refusal = authenticate(request, caller);
        if (!refusal.isEmpty()) {
            HttpAnswers.text(response, callback, 401, refusal);
            return;
        }
        answer(request, response, callback, caller, route.get());
    }

    private void answer(Request request, Response response, Callback callback, Caller caller, RestRoutes.Route route) {
        try {
            JsonArray params = routes.arguments(route, request, body(request));
            Engine.Reply reply = engine.call(caller, engine.box(), route.method(), params);
            HttpAnswers.json(response, callback, 200, reply.result());
        } catch (RestRoutes.Misfit e) {
            HttpAnswers.json(response, callback, 400, e.body());
        } catch (ApiFailure e) {
            fail(response, callback, e);
        } catch (NoReturn e) {
            HttpAnswers.injury(new Fault.CutAfter(), request, response, callback);
        } catch (Interruption e) {
            HttpAnswers.injury(e.injury(), request, response, callback);
        }
    }

    private static void fail(Response response, Callback callback, ApiFailure failure) {
        switch (failure.kind()) {
            case METHODLESS -> HttpAnswers.text(response, callback, 404, "404: Not Found");
            case MATCHLESS -> HttpAnswers.json(response, callback, 404, JsonTools.object("message", ""));
            case ANONYMOUS -> HttpAnswers.text(response, callback, 401, "401: Unauthorized");
            case FORBIDDEN -> HttpAnswers.text(response, callback, 403, "");
            case UNEXPECTED ->
                HttpAnswers.json(
                        response,
                        callback,
                        500,
                        JsonTools.object(
                                "message", failure.text(), "traceback", "Traceback (most recent call last):\n"));
            case CALL ->
                HttpAnswers.json(
                        response,
                        callback,
                        422,
                        JsonTools.object("message", failure.text(), "errno", failure.number()));
            default -> HttpAnswers.json(response, callback, 422, violations(failure));
        }
    }

    private static JsonObject violations(ApiFailure failure) {
        JsonObject body = new JsonObject();
        failure.violations().forEach(violation -> {
            String attribute = violation.attribute().orElse("null");
            if (!body.has(attribute)) body.add(attribute, new JsonArray());
            body.getAsJsonArray(attribute)
                    .add(JsonTools.object("message", violation.text(), "errno", violation.number()));
        });
        return body;
    }

    private static JsonElement body(Request request) {
        try {
            String text = Content.Source.asString(request, StandardCharsets.UTF_8);
            return text.isBlank() ? JsonNull.INSTANCE : JsonParser.parseString(text);
        } catch (JsonParseException e) {
            throw new RestRoutes.Misfit(
                    JsonTools.object("message", "json parse error: " + e.getMessage(), "errno", 22));
        } catch (IOException e) {
            throw new IllegalStateException("The request cannot be read", e);
        }
    }

    /** Finds who calls, and returns why it is nobody. */
    private String authenticate(Request request, Caller caller) {
        String header = Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION))
                .orElse("");
        Optional<Caller.Identity> who = Optional.empty();
        String refusal = "401: Unauthorized";
        if (header.startsWith("Bearer ")) {
            who = accounts.bearer(header.substring("Bearer ".length()).trim(), engine.box());
            refusal = "Invalid API key";
        } else if (header.startsWith("Basic ")) {
            who = basic(header.substring("Basic ".length()).trim());
            refusal = "Bad username or password";
        }
        who.ifPresent(caller::becomes);
        return who.isPresent() ? "" : refusal;
    }

    private Optional<Caller.Identity> basic(String encoded) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0 ? Optional.empty() : accounts.basic(pair.substring(0, colon), pair.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Reads a value of a query: a number, a word of JSON, or a text. */
    static JsonElement value(String text) {
        if (text.matches("[0-9]{1,18}")) return new JsonPrimitive(Long.parseLong(text));
        return switch (text) {
            case "true" -> new JsonPrimitive(true);
            case "false" -> new JsonPrimitive(false);
            case "null" -> JsonNull.INSTANCE;
            default -> new JsonPrimitive(text);
        };
    }
}
