package dev.fairlead.adapter.freenas.client.connection;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasVersion;
import dev.fairlead.adapter.freenas.client.rest.RestFailures;
import dev.fairlead.adapter.freenas.client.rest.RestSession;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.adapter.freenas.client.session.SessionException.Kind;
import dev.fairlead.adapter.freenas.client.socket.RpcOpener;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpAnswer;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.HttpRequest;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.Json;
import dev.fairlead.http.SocketClient;
import dev.fairlead.http.Verdict;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens sessions to one box, by what it speaks at that moment: it is asked for its versions first, which needs no
 * credential. If it has none it is one that speaks REST.
 */
final class BoxOpener implements SessionLink.Opener {
    private static final Logger log = LoggerFactory.getLogger(BoxOpener.class);

    /** The patience with each step of an opening. */
    private static final Duration STEP = Duration.ofSeconds(10);

    /** The box cuts a socket on which nothing is said for a minute. */
    private static final Duration PING = Duration.ofSeconds(20);

    private static final int NO_SUCH_PAGE = 404;
    private static final HttpRequest VERSIONS = HttpRequest.get(List.of("api", "versions"), Map.of(), "versions");

    private final TruenasSettings settings;
    private final InstantSource clock;
    private final ThreadFactory threads;
    /** Holds what the session under way is opened by, or was. */
    private volatile Optional<SocketClient> sockets = Optional.empty();

    BoxOpener(TruenasSettings settings, InstantSource clock, ThreadFactory threads) {
        this.settings = settings;
        this.clock = clock;
        this.threads = threads;
    }

    /**
     * Opens a session. Whatever went wrong, the same may come right: a box that starts or is upgraded answers with
     * errors and pages, and nothing was asked of it yet.
     */
    @Override
    public Session open() throws SessionException, InterruptedException {
        try {
            return opened();
        } catch (SessionException e) {
            throw switch (e.kind()) {
                case LIMITED, WRONG, REVOKED -> e;
                case NOT_DONE, LOGGED_OUT, UNKNOWN, STOPPED, UNTOLD, TOO_LONG, UNINTELLIGIBLE ->
                    new SessionException(Kind.NOT_DONE, e.detail());
            };
        } catch (StorageException e) {
            throw new SessionException(Kind.NOT_DONE, RestFailures.detail(e.failure()));
        }
    }

    private Session opened() throws SessionException, InterruptedException {
        List<TruenasVersion> spoken = spoken();
        if (spoken.isEmpty()) {
            return RestSession.open(settings.http(), settings.login(), clock, STEP);
        }
        if (settings.isPlain() && settings.login().apiKey().isPresent()) {
            throw new SessionException(
                    Kind.NOT_DONE,
                    "the box would revoke the API key if it got it without TLS; set httpConnection.protocol to https");
        }
        ApiVersions versions = ApiVersions.of(spoken);
        if (!versions.areOwn()) {
            log.atWarn()
                    .addKeyValue("box", settings.server().getHost())
                    .addKeyValue("newest", versions.newest())
                    .addKeyValue("spoken", versions.chosen())
                    .log("this program does not know the newest version that the box speaks");
        }
        // Roots may be in a file, which is read here: one that has changed holds from the next opening on.
        var client = new SocketClient(settings.anonymous(), new RestFailures(), threads, PING);
        sockets = Optional.of(client);
        try {
            return new RpcOpener(client, settings.login(), STEP)
                    .open(versions.chosen().text(), versions.chosen(), versions.areOwn());
        } catch (SessionException | InterruptedException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    private List<TruenasVersion> spoken() {
        var versions = new HttpClient<>(
                "truenas",
                settings.anonymous(HttpSettings.USUAL_MAX_BYTES),
                this::versions,
                new RestFailures(),
                HttpClient.USUAL_BACKOFF);
        try {
            return versions.ask(VERSIONS, STEP);
        } finally {
            versions.idle();
        }
    }

    private Verdict<List<TruenasVersion>> versions(HttpAnswer answer) {
        if (settings.isPlain() && answer.status() >= 300 && answer.status() < 400) {
            // It wants TLS: nobody may be shown the credential without.
            return new Verdict.Unintelligible<>(RestSession.elsewhere(answer.status()));
        }
        if (answer.status() >= 500 || answer.status() == 429) {
            return new Verdict.Passing<>("status " + answer.status(), true, answer.after());
        }
        // A box that has no such page sends an error, or its web interface instead.
        Optional<JsonElement> list = answer.isSuccess()
                ? answer.text().flatMap(Json::element).filter(JsonElement::isJsonArray)
                : Optional.empty();
        var holder = new JsonObject();
        list.ifPresent(array -> holder.add("versions", array));
        List<TruenasVersion> found = Json.texts(holder, "versions").stream()
                .filter(text -> text.matches("v[0-9.]{1,20}"))
                .flatMap(text -> TruenasVersion.parse(text).stream())
                .toList();
        if (found.isEmpty() && settings.isPlain() && answer.status() != NO_SUCH_PAGE) {
            // It may be a newer one that starts, which revokes a key that it gets without TLS.
            return new Verdict.Unintelligible<>("it does not tell its versions (status " + answer.status() + ")");
        }
        return new Verdict.Final<>(found, found.size() + " versions");
    }

    @Override
    public void close() {
        sockets.ifPresent(SocketClient::close);
    }
}
