package dev.fairlead.adapter.linstor.client;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.HttpRequest;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.trust.ClientCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the one of several controllers that answers. Only one of them serves at a time: who does not listen is passed
 * over, and one that fails in the middle of a call is followed by the next, once. All requests only read.
 */
public final class Controllers implements AutoCloseable {
    /** The time for all attempts of one request; a view waits 6.5 s for a satellite that hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The time for one controller while there is another one to ask. */
    private static final Duration PATIENCE_WITH_ONE = Duration.ofSeconds(8);

    private static final int DIAL_MILLIS = 2000;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(2));

    private final LinstorFailures failures = new LinstorFailures();
    private final Function<URI, HttpSettings> settings;
    private final List<URI> servers;
    private final Duration patience;
    private int current;
    private @Nullable HttpClient<LinstorAnswer> client;
    private Optional<Shown> shownWith = Optional.empty();

    /** The texts of a client's certificate, as they were when the client was made. */
    private record Shown(Secret chain, Secret key) {}

    /** @param settings says for each controller how it is reached */
    public Controllers(List<URI> servers, Function<URI, HttpSettings> settings) {
        this(servers, settings, PATIENCE);
    }

    Controllers(List<URI> servers, Function<URI, HttpSettings> settings, Duration patience) {
        this.servers = List.copyOf(servers);
        this.settings = settings;
        this.patience = patience;
    }

    /**
     * Returns the list at a path.
     *
     * @throws StorageException if there is none, which is never the same as an empty one
     */
    public List<JsonObject> list(List<String> path, Map<String, String> query, String what) {
        JsonElement shown = read(path, query, what);
        List<JsonObject> entries = new ArrayList<>();
        if (!shown.isJsonArray()) throw otherwise(what, "no list");
        for (JsonElement each : shown.getAsJsonArray()) {
            if (!each.isJsonObject()) throw otherwise(what, "a list with other things than objects in it");
            entries.add(each.getAsJsonObject());
        }
        return entries;
    }

    private StorageException otherwise(String what, String detail) {
        return new StorageException(failures.unintelligible(what, detail));
    }

    private JsonElement read(List<String> path, Map<String, String> query, String what) {
        HttpRequest request = HttpRequest.get(path, query, what);
        HttpClient<LinstorAnswer> asked = serving();
        try {
            boolean others = servers.size() > 1 && PATIENCE_WITH_ONE.compareTo(patience) < 0;
            return shown(what, asked.ask(request, others ? PATIENCE_WITH_ONE : patience));
        } catch (StorageException e) {
            if (servers.size() == 1 || !(e.failure() instanceof Failure.BackendUnavailable)) throw e;
            pass(asked);
            return shown(what, serving().ask(request, patience));
        }
    }

    /** Reads a stream of events line by line for as long as it lasts. */
    public void lines(List<String> path, Duration most, String what, Consumer<String> each) {
        Optional<LinstorAnswer> other = serving().lines(HttpRequest.get(path, Map.of(), what), most, each);
        other.ifPresent(answer -> shown(what, answer));
    }

    private static JsonElement shown(String what, LinstorAnswer answer) {
        return switch (answer) {
            case LinstorAnswer.Shown(JsonElement json) -> json;
            case LinstorAnswer.Refused refused -> throw LinstorFailures.refused(what, refused);
        };
    }

    /** Returns the client of a controller that listens; of the one that served last if none does. */
    private synchronized HttpClient<LinstorAnswer> serving() {
        if (servers.size() > 1) {
            for (int step = 0; step < servers.size(); step++) {
                int candidate = (current + step) % servers.size();
                if (!listens(servers.get(candidate))) continue;
                if (candidate != current) forget();
                current = candidate;
                break;
            }
        }
        HttpSettings now = settings.apply(servers.get(current));
        Optional<Shown> certificate = now.certificate().flatMap(Controllers::read);
        HttpClient<LinstorAnswer> known = client;
        // A certificate in files is replaced while this runs: with another one begins another client.
        if (known == null || (certificate.isPresent() && !certificate.equals(shownWith))) {
            forget();
            known = new HttpClient<>(LinstorFailures.NAME, now, LinstorAnswer::of, failures, BACKOFF);
            client = known;
            shownWith = certificate;
        }
        return known;
    }

    private static Optional<Shown> read(ClientCertificate certificate) {
        try {
            return Optional.of(
                    new Shown(certificate.chain().read(), certificate.key().read()));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Goes on to the next controller, unless somebody else has done so already. */
    private synchronized void pass(HttpClient<LinstorAnswer> failed) {
        if (client != failed) return;
        forget();
        current = (current + 1) % servers.size();
    }

    private synchronized void forget() {
        HttpClient<LinstorAnswer> known = client;
        if (known != null) known.idle();
        client = null;
    }

    private static boolean listens(URI server) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), DIAL_MILLIS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    @Override
    public void close() {
        forget();
    }
}
