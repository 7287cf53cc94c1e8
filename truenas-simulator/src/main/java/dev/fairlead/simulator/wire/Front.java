package dev.fairlead.simulator.wire;

import com.google.gson.JsonPrimitive;
import dev.fairlead.simulator.core.UserAccounts;
import dev.fairlead.simulator.engine.ApiFailure;
import dev.fairlead.simulator.engine.Caller;
import dev.fairlead.simulator.engine.Engine;
import dev.fairlead.simulator.engine.Events;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.failure.Faults;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.simulator.profile.SimulatorSettings;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** Stands before the engine: finds by the URL who answers. */
public final class Front extends Handler.Abstract {
    private final SimulatorSettings settings;
    private final Engine engine;
    private final UserAccounts accounts;
    private final Events events;
    private final Faults faults;
    private final String boot;
    private final RestHandler rest;
    private final Set<JsonRpcSocket> sockets = ConcurrentHashMap.newKeySet();

    /** Makes it for a box; the boot's name changes at each start. */
    public Front(
            SimulatorSettings settings,
            Engine engine,
            UserAccounts accounts,
            Events events,
            Faults faults,
            String boot) {
        this.settings = settings;
        this.engine = engine;
        this.accounts = accounts;
        this.events = events;
        this.faults = faults;
        this.boot = boot;
        this.rest = new RestHandler(engine, accounts);
    }

    SimulatorSettings settings() {
        return settings;
    }

    void joined(JsonRpcSocket socket) {
        sockets.add(socket);
    }

    void left(JsonRpcSocket socket) {
        sockets.remove(socket);
        socket.caller().leave();
        events.forget(socket.caller());
    }

    /** Cuts all sockets, as the end of a process does. */
    public void cutAll() {
        sockets.forEach(JsonRpcSocket::cut);
    }

    /** Returns how many sockets are open. */
    public int sockets() {
        return sockets.size();
    }

    // A key that was revoked or deleted is no login any more.
    void stillKnown(Caller caller) {
        if (!accounts.stands(caller.identity())) {
            caller.becomes(Caller.Identity.NOBODY);
            throw ApiFailure.anonymous();
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        if (settings.redirects() && !encrypted(request)) {
            String host = request.getHeaders().get(HttpHeader.HOST);
            HttpAnswers.redirect(
                    response,
                    callback,
                    307,
                    "https://" + host + request.getHttpURI().getPathQuery());
            return true;
        }
        if (path.startsWith("/api/v2.0/") || path.equals("/api/v2.0")) {
            if (engine.box().rest()) rest.handle(request, response, callback, safe(request));
            else HttpAnswers.text(response, callback, 404, "404: Not Found");
            return true;
        }
        if (path.equals("/api/versions") && engine.box().rpc()) return versions(request, response, callback);
        if (path.equals("/api/boot_id") && engine.box().since(Profile.V25_10_0)) {
            HttpAnswers.json(response, callback, 200, new JsonPrimitive(boot));
            return true;
        }
        if (path.startsWith("/api/") && engine.box().rpc()) return socket(path, request, response, callback);
        if (path.equals("/websocket")) return legacySocket(request, response, callback);
        if (path.startsWith("/api/")) HttpAnswers.text(response, callback, 404, "404: Not Found");
        else if (path.startsWith("/ui/")) HttpAnswers.html(response, callback, 200);
        else HttpAnswers.redirect(response, callback, 302, "/ui/");
        return true;
    }

    private boolean versions(Request request, Response response, Callback callback) {
        Optional<Fault.Injury> injury = faults.strike("versions", "");
        if (injury.isPresent()) HttpAnswers.injury(injury.get(), request, response, callback);
        else HttpAnswers.json(response, callback, 200, JsonTools.of(engine.box().apis()));
        return true;
    }

    private boolean socket(String path, Request request, Response response, Callback callback) {
        String version = path.substring("/api/".length()).replaceFirst("/$", "");
        Optional<Profile> api = engine.box().spokenAt(version);
        if (api.isEmpty()) {
            HttpAnswers.text(response, callback, 404, "404: Not Found");
            return true;
        }
        Optional<Fault.Injury> injury = faults.strike("connect", path);
        if (injury.isPresent()) {
            HttpAnswers.injury(injury.get(), request, response, callback);
            return true;
        }
        boolean safe = safe(request);
        String address = Request.getRemoteAddr(request);
        boolean upgraded = ServerWebSocketContainer.ensure(
                        request.getConnectionMetaData().getConnector().getServer())
                .upgrade(
                        (in, out, done) -> new JsonRpcSocket(this, engine, api.get(), address, safe),
                        request,
                        response,
                        callback);
        if (!upgraded)
            HttpAnswers.text(
                    response, callback, 400, "No WebSocket UPGRADE hdr: None\n Can \"Upgrade\" only to \"WebSocket\".");
        return true;
    }

    private boolean legacySocket(Request request, Response response, Callback callback) {
        boolean safe = safe(request);
        String address = Request.getRemoteAddr(request);
        boolean upgraded = ServerWebSocketContainer.ensure(
                        request.getConnectionMetaData().getConnector().getServer())
                .upgrade((in, out, done) -> new DdpSocket(this, engine, address, safe), request, response, callback);
        if (!upgraded) HttpAnswers.text(response, callback, 400, "No WebSocket UPGRADE hdr: None");
        return true;
    }

    private static boolean encrypted(Request request) {
        return request.isSecure() || "on".equals(request.getHeaders().get("X-Https"));
    }

    private boolean safe(Request request) {
        return encrypted(request) || settings.loopbackIsSafe();
    }
}
