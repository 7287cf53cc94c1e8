package dev.fairlead.adapter.freenas.client.connection;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.session.Session;
import dev.fairlead.adapter.freenas.client.session.SessionException;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.MonotonicClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Opens connections to boxes. All connections of this process with the same address, credentials and trust share one
 * session, which is closed with the last of them; a file that changes gives another connection, and the calls of the
 * former one end on its own session.
 */
public final class TruenasConnections {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));

    private final ThreadFactory threads;
    private final MonotonicClock clock = new MonotonicClock();
    private final Map<TruenasSettings, Held> links = new HashMap<>();

    private record Held(SessionLinks links, int holders) {}

    /** @param threads makes the threads that open sessions and read from them */
    public TruenasConnections(ThreadFactory threads) {
        this.threads = threads;
    }

    /**
     * Opens the connection of this scope, or joins whoever of the same scope has opened it; talks to nobody.
     *
     * @param parents the names of all datasets below which the connection may make, change and delete
     */
    public SharedClient<TruenasApi> open(ConnectionScope scope, ConfigNode file, List<String> parents) {
        return scope.shared(
                TruenasApi.class,
                () -> open(
                        scope.name().value(),
                        TruenasSettings.read(file),
                        parents,
                        file.problems().hasErrors()),
                TruenasApi::close);
    }

    private TruenasApi open(String connection, TruenasSettings settings, List<String> parents, boolean broken) {
        if (broken) {
            // It is never used, and its settings may not make a client.
            return new TruenasConnection(connection, box(settings), new Jail(parents), unusable(settings), () -> {});
        }
        return open(connection, settings, parents);
    }

    /** Opens a connection by its settings. */
    TruenasApi open(String connection, TruenasSettings settings, List<String> parents) {
        SessionLinks held = hold(settings);
        var isHeld = new AtomicBoolean(true);
        return new TruenasConnection(connection, box(settings), new Jail(parents), held, () -> {
            if (isHeld.getAndSet(false)) {
                release(settings).ifPresent(SessionLinks::close);
            }
        });
    }

    private static String box(TruenasSettings settings) {
        return settings.server().getHost().toLowerCase(Locale.ROOT);
    }

    private SessionLinks unusable(TruenasSettings settings) {
        return new SessionLinks(_ -> link(settings, new UnusedOpener()), clock);
    }

    private SessionLink link(TruenasSettings settings, SessionLink.Opener opener) {
        return new SessionLink(settings.server().getHost(), opener, BACKOFF, clock, threads);
    }

    private synchronized SessionLinks hold(TruenasSettings settings) {
        Held known = links.get(settings);
        SessionLinks held = known == null
                ? new SessionLinks(
                        opening -> link(settings, new CountedOpener(new BoxOpener(settings, clock, threads), opening)),
                        clock)
                : known.links();
        links.put(settings, new Held(held, known == null ? 1 : known.holders() + 1));
        return held;
    }

    /** Tells of each opening before it is tried. */
    private record CountedOpener(SessionLink.Opener opener, Runnable opening) implements SessionLink.Opener {
        @Override
        public Session open() throws SessionException, InterruptedException {
            opening.run();
            return opener.open();
        }

        @Override
        public void close() {
            opener.close();
        }
    }

    /** Returns the session that nobody uses any more. */
    private synchronized Optional<SessionLinks> release(TruenasSettings settings) {
        Held held = links.get(settings);
        if (held == null) {
            return Optional.empty();
        }
        if (held.holders() > 1) {
            links.put(settings, new Held(held.links(), held.holders() - 1));
            return Optional.empty();
        }
        links.remove(settings);
        return Optional.of(held.links());
    }
}
