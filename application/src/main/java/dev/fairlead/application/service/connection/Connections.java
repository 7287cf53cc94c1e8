package dev.fairlead.application.service.connection;

import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Suggestion;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the connections that are loaded, each in its last good version.
 *
 * <p>A version that is replaced or removed is closed when the last call that uses it has ended. One that no call uses
 * may be closed, and is opened again by the next call. Thread safe.
 */
public final class Connections implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final ThreadFactory laneThreads;
    private final InstantSource clock;
    private final Telemetry telemetry;
    private final ConnectionVersion.VersionContext around;
    private final SortedMap<ConnectionName, Entry> entries = new TreeMap<>();
    private final Set<ConnectionVersion> open = new HashSet<>();
    private boolean closed;

    /** @param laneThreads makes platform threads, on which all access to storage runs */
    public Connections(ThreadFactory laneThreads, InstantSource clock, Telemetry telemetry) {
        this.laneThreads = laneThreads;
        this.clock = clock;
        this.telemetry = telemetry;
        this.around = new ConnectionVersion.VersionContext(clock, telemetry, this::forget);
    }

    /** Puts a version into force that stays open as long as it is in force. */
    public void install(Backend backend) {
        install(new ConnectionVersion(backend, Optional.empty(), lane(backend.name(), backend.settings()), around));
    }

    /**
     * Puts a version into force; calls that run end on the version that they began with.
     *
     * @param again opens the same version again after it was closed
     */
    public void install(Backend backend, Supplier<Backend> again) {
        install(new ConnectionVersion(backend, Optional.of(again), lane(backend.name(), backend.settings()), around));
    }

    private void install(ConnectionVersion version) {
        Optional<ConnectionVersion> old;
        boolean tooLate;
        synchronized (this) {
            tooLate = closed;
            open.add(version);
            old = tooLate
                    ? Optional.of(version)
                    : current(entries.put(version.name(), new Entry(Optional.of(version), List.of())));
        }
        if (!tooLate) {
            telemetry.installed(version.name());
        }
        old.ifPresent(ConnectionVersion::retire);
    }

    /** Notes that the connection's file cannot be used; its last good version, if there is one, goes on. */
    public void reject(ConnectionName name, List<Problem> problems) {
        boolean working;
        synchronized (this) {
            Optional<ConnectionVersion> kept = current(entries.get(name));
            working = kept.isPresent();
            entries.put(name, new Entry(kept, List.copyOf(problems)));
        }
        telemetry.rejected(name, working);
    }

    /** Forgets a connection whose file is gone. */
    public void remove(ConnectionName name) {
        Entry gone;
        synchronized (this) {
            if (!entries.containsKey(name)) {
                return;
            }
            gone = entries.remove(name);
        }
        telemetry.removed(name);
        current(gone).ifPresent(ConnectionVersion::retire);
    }

    /** Returns every connection that has a file, also those of which no version was ever good. */
    public synchronized SortedSet<ConnectionName> names() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(entries.keySet()));
    }

    /** Returns the problems of the newest version of each file that has any. */
    public synchronized SortedMap<ConnectionName, List<Problem>> problems() {
        SortedMap<ConnectionName, List<Problem>> found = new TreeMap<>();
        entries.forEach((name, entry) -> {
            if (!entry.problems().isEmpty()) {
                found.put(name, entry.problems());
            }
        });
        return found;
    }

    /**
     * Returns the status of each connection in the order of names, also of those whose file is gone while calls still
     * run.
     */
    public synchronized List<ConnectionStatus> statuses() {
        SortedSet<ConnectionName> all = new TreeSet<>(entries.keySet());
        open.forEach(version -> all.add(version.name()));
        return all.stream().map(this::status).toList();
    }

    private ConnectionStatus status(ConnectionName name) {
        Entry entry = entries.get(name);
        List<ConnectionVersion> versions =
                open.stream().filter(version -> version.name().equals(name)).toList();
        return entry == null
                ? ConnectionStatus.of(name, ConnectionStatus.State.ABSENT, Optional.empty(), versions)
                : ConnectionStatus.of(name, entry.state(), entry.current(), versions);
    }

    /** Returns the connections that have all of these labels. */
    public synchronized SortedSet<ConnectionName> labelled(Map<String, String> labels) {
        SortedSet<ConnectionName> found = new TreeSet<>();
        entries.forEach((name, entry) -> entry.current()
                .filter(version -> version.settings().labels().entrySet().containsAll(labels.entrySet()))
                .ifPresent(_ -> found.add(name)));
        return found;
    }

    /**
     * Keeps the connection's present version open until the returned use is closed.
     *
     * @throws StorageException {@code ConnectionUnknown}, or {@code ConnectionBroken} if no version was ever good
     */
    public ConnectionUse use(ConnectionName name) {
        ConnectionVersion version;
        synchronized (this) {
            Entry entry = entries.get(name);
            if (entry == null) {
                throw new StorageException(new Failure.ConnectionUnknown(
                        name.value(),
                        "no file of that name is in the connections folder; put it back, since volumes may be there,"
                                + " or correct the name"
                                + near(name)));
            }
            version = entry.current()
                    .orElseThrow(() -> new StorageException(new Failure.ConnectionBroken(
                            name.value(),
                            entry.problems().stream().map(Problem::toString).toList())));
            version.count();
        }
        return version.use();
    }

    private String near(ConnectionName name) {
        List<String> names =
                entries.keySet().stream().map(ConnectionName::value).toList();
        return Suggestion.nearest(name.value(), names)
                .map(near -> " (is '" + near + "' meant?)")
                .orElse("");
    }

    /** Closes the connections that no call has used for so long; the next call on one opens it again. */
    public List<ConnectionName> letGoOfUnused(Duration forSoLong) {
        List<ConnectionVersion> unused = new ArrayList<>();
        synchronized (this) {
            Instant before = clock.instant().minus(forSoLong);
            for (var entry : entries.entrySet()) {
                Optional<ConnectionVersion> idle =
                        entry.getValue().current().filter(version -> version.isUnusedSince(before));
                idle.ifPresent(version -> {
                    ConnectionVersion sleeping = version.unopened(lane(version.name(), version.settings()));
                    open.add(sleeping);
                    entry.setValue(
                            new Entry(Optional.of(sleeping), entry.getValue().problems()));
                    unused.add(version);
                });
            }
        }
        unused.forEach(ConnectionVersion::retire);
        return unused.stream().map(ConnectionVersion::name).toList();
    }

    /** Removes all connections and waits a few seconds for their clients to close; stuck ones are left behind. */
    @Override
    public void close() {
        List<ConnectionName> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(entries.keySet());
        }
        all.forEach(this::remove);
        awaitClosed();
    }

    private synchronized void awaitClosed() {
        long end = System.nanoTime() + CLOSING.toNanos();
        try {
            while (!open.isEmpty() && System.nanoTime() - end < 0) {
                wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Lane lane(ConnectionName name, BackendSettings settings) {
        return new Lane(name, settings.concurrency(), settings.patience(), laneThreads, clock, telemetry);
    }

    private synchronized void forget(ConnectionVersion version) {
        open.remove(version);
        notifyAll();
    }

    private static Optional<ConnectionVersion> current(@Nullable Entry entry) {
        return entry == null ? Optional.empty() : entry.current();
    }

    private record Entry(Optional<ConnectionVersion> current, List<Problem> problems) {
        ConnectionStatus.State state() {
            if (current.isEmpty()) {
                return ConnectionStatus.State.BROKEN;
            }
            return problems.isEmpty() ? ConnectionStatus.State.SERVING : ConnectionStatus.State.STALE;
        }
    }
}
