package dev.fairlead.adapter.freenas.client.socket;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonPrimitive;
import dev.fairlead.adapter.freenas.client.TruenasRelease;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.client.session.BoxWords;
import dev.fairlead.adapter.freenas.client.session.Reply;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.adapter.freenas.client.session.TruenasLogin;
import dev.fairlead.http.SocketClient;
import dev.fairlead.http.TextSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Opens a session by JSON-RPC: the socket, the login, the release, and the events of jobs. */
public final class RpcOpener {
    private final SocketClient sockets;
    private final TruenasLogin login;
    private final Duration patience;

    /**
     * @param sockets opens one socket, and is closed with the session
     * @param patience the longest time for each step
     */
    public RpcOpener(SocketClient sockets, TruenasLogin login, Duration patience) {
        this.sockets = sockets;
        this.login = login;
        this.patience = patience;
    }

    /**
     * Opens a session.
     *
     * @param path the versioned path's last part, such as {@code v25.10.0}
     * @param spoken the version of that path
     * @param known whether that is the box's own version
     */
    public Session open(String path, TruenasVersion spoken, boolean known)
            throws SessionException, InterruptedException {
        var socket = new RpcSocket(BoxWords.without(login));
        TextSocket opened;
        try {
            opened = sockets.connect(List.of("api", path), patience, socket);
        } catch (IOException e) {
            throw new SessionException(Kind.NOT_DONE, String.valueOf(e.getMessage()));
        }
        socket.opened(opened);
        try {
            new RpcLogin(socket, login, patience).run(spoken.isAtLeast(26, 0));
            TruenasVersion system = version(socket);
            socket.ask("core.subscribe", array(new JsonPrimitive("core.get_jobs")), patience, () -> {});
            return new RpcSession(socket, new TruenasRelease(system, known ? system : spoken, false), sockets::close);
        } catch (SessionException | InterruptedException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private TruenasVersion version(RpcSocket socket) throws SessionException, InterruptedException {
        Reply reply = socket.ask("system.version", new JsonArray(), patience, () -> {});
        Optional<TruenasVersion> version = reply instanceof Reply.Done(JsonElement value) && value.isJsonPrimitive()
                ? TruenasVersion.parse(value.getAsString())
                : Optional.empty();
        return version.orElseThrow(
                () -> new SessionException(Kind.UNINTELLIGIBLE, "the box does not tell its version"));
    }

    private static JsonArray array(JsonElement element) {
        var array = new JsonArray();
        array.add(element);
        return array;
    }
}
