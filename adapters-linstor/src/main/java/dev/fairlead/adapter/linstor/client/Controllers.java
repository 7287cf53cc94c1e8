package dev.fairlead.adapter.linstor.client;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.http.HttpClient;
import dev.fairlead.http.HttpRequest;
import dev.fairlead.http.HttpSettings;
import dev.fairlead.http.Json;
import dev.fairlead.http.trust.Material;
import dev.fairlead.http.trust.Trust;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the one of several controllers that answers. Only one of them serves at a time: who does not listen is passed
 * over, and one that fails in the middle of a call is followed by the next that listens, which may be itself again.
 * Nothing is changed but properties.
 */
public final class Controllers implements AutoCloseable {
    /** The time for all attempts of one request; a view waits 6.5 s for a satellite that hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The number of patiences for all pages of one list: two minutes. */
    private static final int PATIENCES_OF_PAGES = 6;

    /** The time for one controller while there is another one to ask. */
    private static final Duration PATIENCE_WITH_ONE = Duration.ofSeconds(8);

    /**
     * The usual number of entries of one page. LINSTOR gathers all for each page and leaves out the others, so few
     * pages cost it less; of an answer only what matters lies in memory.
     */
    public static final int PAGE = 5_000;

    private static final int DIAL_MILLIS = 2000;
    private static final LinstorFailures FAILURES = new LinstorFailures();
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(2));

    /** Leaves one attempt to a controller that has others beside it: who is gone is not waited for. */
    private static final Backoff ONE_ATTEMPT = new Backoff(PATIENCE, PATIENCE);

    private final Function<URI, HttpSettings> settings;
    private final List<URI> servers;
    private final Duration patience;
    private final PageSizes sizes = new PageSizes();

    private int current;
    private @Nullable HttpClient<LinstorAnswer> client;
    private Optional<List<Secret>> madeOf = Optional.empty();

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
     * @throws StorageException if there is none, or it is not whole, which is never the same as an empty one
     */
    public List<JsonObject> list(List<String> path, Map<String, String> query, String what) {
        return list(new LinstorList<>(path, Set.of(), what, entry -> entry), query);
    }

    /**
     * Returns what is read of a list.
     *
     * @throws StorageException if there is none, or it is not whole, which is never the same as an empty one
     */
    public <T> List<T> list(LinstorList<T> list, Map<String, String> query) {
        Page<T> page = page(list, query);
        if (page.isTooLong) throw otherwise(list.what(), "an answer that is longer than what is read of one");
        return page.taken;
    }

    /**
     * Hands over what is read of a long list, page by page. A page that is too long to be read is asked for again with
     * a quarter of the entries, and so are all pages of that list from then on.
     *
     * @param size the number of entries of one page
     * @throws StorageException if a page cannot be had, or if they do not end in time
     */
    public <T> void pages(LinstorList<T> list, Map<String, String> query, int size, Consumer<T> entry) {
        Optional<JsonObject> first = Optional.empty();
        Duration longest = patience.multipliedBy(PATIENCES_OF_PAGES);
        long end = System.nanoTime() + longest.toNanos();
        for (int offset = 0; ; ) {
            if (System.nanoTime() - end > 0) {
                throw otherwise(list.what(), "more pages than come in " + longest.toSeconds() + " s");
            }
            int entries = sizes.entries(list.path(), size);
            Map<String, String> paged = new HashMap<>(query);
            paged.put("limit", Integer.toString(entries));
            paged.put("offset", Integer.toString(offset));
            Page<T> page = page(list, paged);
            if (page.isTooLong) {
                if (sizes.shorten(list.path(), entries)) continue;
                throw otherwise(
                        list.what(),
                        "an answer that is longer than what is read of one, with " + entries + " entries at most");
            }
            // A server that knows no pages shows the same again, or all at once.
            if (offset > 0 && page.first.equals(first)) return;
            page.taken.forEach(entry);
            if (page.taken.size() != entries) return;
            first = page.first;
            offset += entries;
        }
    }

    /** Reads a list while it comes; one that breaks off is read from its beginning if it is asked for again. */
    private <T> Page<T> page(LinstorList<T> list, Map<String, String> query) {
        AtomicReference<Page<T>> read = new AtomicReference<>(new Page<>(list));
        HttpRequest request = HttpRequest.get(list.path(), query, list.what());
        var _ = asked(
                request,
                list.what(),
                (http, left) -> http.ask(request, left, text -> {
                    Page<T> page = new Page<>(list);
                    read.set(page);
                    try {
                        page.read(text);
                    } catch (HttpClient.BodyTooLong _) {
                        page.isTooLong = true;
                    }
                    return new LinstorAnswer.Shown("");
                }));
        return read.get();
    }

    /** Holds what was read of one answer. */
    private static final class Page<T> {
        private final LinstorList<T> list;
        private final List<T> taken = new ArrayList<>();
        private Optional<JsonObject> first = Optional.empty();
        private boolean isTooLong;

        private Page(LinstorList<T> list) {
            this.list = list;
        }

        private void read(Reader text) throws IOException {
            boolean whole = Json.each(text, list.keys(), element -> {
                if (!element.isJsonObject()) {
                    throw otherwise(list.what(), "a list with other things than objects in it");
                }
                accept(element.getAsJsonObject());
            });
            if (!whole) throw otherwise(list.what(), "no list, or half of one");
        }

        private void accept(JsonObject entry) {
            if (first.isEmpty()) first = Optional.of(entry);
            taken.add(list.reading().apply(entry));
        }
    }

    /**
     * Removes a property; one that is not there is no failure. It is asked for once: whoever repeats it has to look
     * first whether it is still the same property.
     *
     * @throws StorageException if there is no answer that it is removed; it may be, then
     */
    public void removeProperty(List<String> path, String key, String what) {
        JsonArray keys = new JsonArray();
        keys.add(key);
        JsonObject body = new JsonObject();
        body.add("delete_props", keys);
        HttpRequest request = new HttpRequest(
                HttpRequest.Method.PUT, path, Map.of(), Optional.of(HttpRequest.Body.json(body)), what, false);
        var _ = asked(request, what, (http, left) -> http.ask(request, left));
    }

    private static StorageException otherwise(String what, String detail) {
        return new StorageException(FAILURES.unintelligible(what, detail));
    }

    private String asked(
            HttpRequest request, String what, BiFunction<HttpClient<LinstorAnswer>, Duration, LinstorAnswer> asking) {
        if (servers.size() == 1) return shown(what, asking.apply(serving(), patience));
        long end = System.nanoTime() + patience.toNanos();
        for (int attempt = 0; ; attempt++) {
            HttpClient<LinstorAnswer> asked = serving();
            Duration left = Duration.ofNanos(end - System.nanoTime());
            try {
                return shown(
                        what, asking.apply(asked, PATIENCE_WITH_ONE.compareTo(left) < 0 ? PATIENCE_WITH_ONE : left));
            } catch (StorageException e) {
                Duration pause = BACKOFF.after(attempt);
                boolean late = System.nanoTime() + pause.toNanos() >= end;
                boolean passing = request.repeatable() && e.failure() instanceof Failure.BackendUnavailable;
                if (late || !passing) throw e;
                pass(asked);
                rest(what, pause);
            }
        }
    }

    private static void rest(String what, Duration pause) {
        try {
            Backoff.pause(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(what), e);
        }
    }

    /** Reads a stream of events line by line for as long as it lasts. */
    public void lines(List<String> path, Duration most, String what, Consumer<String> each) {
        Optional<LinstorAnswer> other = serving().lines(HttpRequest.get(path, Map.of(), what), most, each);
        other.ifPresent(answer -> shown(what, answer));
    }

    private static String shown(String what, LinstorAnswer answer) {
        return switch (answer) {
            case LinstorAnswer.Shown(String json) -> json;
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
        Optional<List<Secret>> texts = texts(now);
        HttpClient<LinstorAnswer> known = client;
        // Certificates in files are replaced while this runs: with other ones begins another client.
        if (known == null || (texts.isPresent() && !texts.equals(madeOf))) {
            forget();
            Backoff backoff = servers.size() == 1 ? BACKOFF : ONE_ATTEMPT;
            known = new HttpClient<>(LinstorFailures.NAME, now, LinstorAnswer::of, FAILURES, backoff);
            client = known;
            madeOf = texts;
        }
        return known;
    }

    /** Returns the texts of the certificates of both sides as they are now; empty if one cannot be read. */
    private static Optional<List<Secret>> texts(HttpSettings settings) {
        List<Material> materials = new ArrayList<>();
        if (settings.trust() instanceof Trust.Roots(Material roots)) materials.add(roots);
        settings.certificate().ifPresent(its -> materials.addAll(List.of(its.chain(), its.key())));
        List<Secret> texts = new ArrayList<>();
        try {
            for (Material material : materials) texts.add(material.read());
            return Optional.of(texts);
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
