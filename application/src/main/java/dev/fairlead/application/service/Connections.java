package dev.fairlead.application.service;

import dev.fairlead.application.config.Problem;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.InstantSource;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are loaded, each in its last good version.
 *
 * <p>A version that is replaced or removed is closed when the last lease on it has ended. Thread safe.
 */
public final class Connections implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final ThreadFactory laneThreads;
    private final InstantSource clock;
    private final Telemetry telemetry;
    private final SortedMap<ConnectionName, Entry> entries = new TreeMap<>();
    private final Set<Version> open = new HashSet<>();
    private boolean closed;

    /** @param laneThreads makes platform threads, on which all access to storage runs */
    public Connections(ThreadFactory laneThreads, InstantSource clock, Telemetry telemetry) {
        this.laneThreads = laneThreads;
        this.clock = clock;
        this.telemetry = telemetry;
    }

    /** Puts a version into force; calls that run end on the version that they began with. */
    public void install(Backend backend) {
        var version = new Version(backend);
        Optional<Version> old;
        boolean tooLate;
        synchronized (this) {
            tooLate = closed;
            open.add(version);
            old = tooLate
                    ? Optional.of(version)
                    : current(entries.put(backend.name(), new Entry(Optional.of(version), List.of())));
        }
        if (!tooLate) {
            telemetry.installed(backend.name());
        }
        old.ifPresent(Version::retire);
    }

    /** Notes that the connection's file cannot be used; its last good version, if there is one, goes on. */
    public void reject(ConnectionName name, List<Problem> problems) {
        boolean working;
        synchronized (this) {
            Optional<Version> kept = current(entries.get(name));
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
        current(gone).ifPresent(Version::retire);
    }

    /** Every connection that has a file, those that never were good included. */
    public synchronized SortedSet<ConnectionName> names() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(entries.keySet()));
    }

    /** What is wrong with the newest version of each file that has problems. */
    public synchronized SortedMap<ConnectionName, List<Problem>> problems() {
        SortedMap<ConnectionName, List<Problem>> found = new TreeMap<>();
        entries.forEach((name, entry) -> {
            if (!entry.problems().isEmpty()) {
                found.put(name, entry.problems());
            }
        });
        return found;
    }

    /** The connections that carry all of these labels. */
    public synchronized SortedSet<ConnectionName> labelled(Map<String, String> labels) {
        SortedSet<ConnectionName> found = new TreeSet<>();
        entries.forEach((name, entry) -> entry.current()
                .filter(version ->
                        version.backend.settings().labels().entrySet().containsAll(labels.entrySet()))
                .ifPresent(_ -> found.add(name)));
        return found;
    }

    /**
     * Keeps the connection's present version open until the lease is closed.
     *
     * @throws StorageException {@code ConnectionUnknown}, or {@code ConnectionBroken} where no version was ever good
     */
    public Lease lease(ConnectionName name) {
        synchronized (this) {
            Entry entry = entries.get(name);
            if (entry == null) {
                throw new StorageException(new Failure.ConnectionUnknown(
                        name.value(),
                        "no file of that name is in the connections folder; put it back, since volumes may be there,"
                                + " or correct the name"));
            }
            Version version = entry.current()
                    .orElseThrow(() -> new StorageException(new Failure.ConnectionBroken(
                            name.value(),
                            entry.problems().stream().map(Problem::toString).toList())));
            version.leases++;
            return version.lease();
        }
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

    private static Optional<Version> current(@Nullable Entry entry) {
        return entry == null ? Optional.empty() : entry.current();
    }

    private record Entry(Optional<Version> current, List<Problem> problems) {}

    /** One version of a connection and the number of calls that use it; counted under the lock of the whole. */
    private final class Version {
        private final Backend backend;
        private final Lane lane;
        private int leases;
        private boolean retired;

        Version(Backend backend) {
            this.backend = backend;
            BackendSettings settings = backend.settings();
            this.lane = new Lane(
                    backend.name(), settings.concurrency(), settings.patience(), laneThreads, clock, telemetry);
        }

        Lease lease() {
            var given = new AtomicBoolean(true);
            return new Lease(backend, lane, () -> {
                if (given.getAndSet(false)) {
                    giveBack();
                }
            });
        }

        private void giveBack() {
            synchronized (Connections.this) {
                leases--;
                if (!retired || leases > 0) {
                    return;
                }
            }
            closeClients();
        }

        void retire() {
            synchronized (Connections.this) {
                retired = true;
                if (leases > 0) {
                    return;
                }
            }
            closeClients();
        }

        /** After calls that were abandoned too: they still use the clients. */
        private void closeClients() {
            lane.close(() -> {
                try {
                    backend.close();
                } finally {
                    synchronized (Connections.this) {
                        open.remove(this);
                        Connections.this.notifyAll();
                    }
                    telemetry.closed(backend.name());
                }
            });
        }
    }
}
