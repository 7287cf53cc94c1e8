package dev.fairlead.application.service.connection;

import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.domain.connection.ConnectionName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds one version of a connection and counts the calls that use it; if it is not open, the next call opens it.
 *
 * <p>A call is counted under a lock, and a version is retired only after it has been removed, under the same lock, from
 * the table in which calls find it: so a retired version gets no more calls.
 */
final class ConnectionVersion {
    private final File file;
    private final Optional<Supplier<Backend>> again;
    private final Lane lane;
    private final VersionContext around;
    private final Object opening = new Object();
    private volatile @Nullable Backend backend;
    private Instant lastUse;
    private int calls;
    private boolean retired;

    /** @param again opens it again after it was closed while unused; without it, the version stays open */
    ConnectionVersion(Backend backend, Optional<Supplier<Backend>> again, Lane lane, VersionContext around) {
        this(
                new File(
                        backend.name(),
                        backend.driverType(),
                        backend.settings(),
                        around.clock().instant()),
                again,
                lane,
                around);
        this.backend = backend;
    }

    private ConnectionVersion(File file, Optional<Supplier<Backend>> again, Lane lane, VersionContext around) {
        this.file = file;
        this.again = again;
        this.lane = lane;
        this.around = around;
        this.lastUse = around.clock().instant();
    }

    /** @param closed called when a version is completely closed */
    record VersionContext(InstantSource clock, Telemetry telemetry, Consumer<ConnectionVersion> closed) {}

    /**
     * Holds what its file says, however often the version is opened.
     *
     * @param loaded when that came into force
     */
    private record File(ConnectionName name, String driverType, BackendSettings settings, Instant loaded) {}

    ConnectionName name() {
        return file.name();
    }

    String driverType() {
        return file.driverType();
    }

    BackendSettings settings() {
        return file.settings();
    }

    Instant loaded() {
        return file.loaded();
    }

    Lane lane() {
        return lane;
    }

    /** Returns how many calls use it. */
    synchronized int calls() {
        return calls;
    }

    /** Returns the same version, to be opened by the next call. */
    ConnectionVersion unopened(Lane newLane) {
        return new ConnectionVersion(file, again, newLane, around);
    }

    /**
     * Returns whether it is open, can be opened again, and has been unused since then, also by abandoned calls and
     * background work.
     */
    synchronized boolean isUnusedSince(Instant before) {
        Backend opened = backend;
        return again.isPresent()
                && opened != null
                && calls == 0
                && !lastUse.isAfter(before)
                && lane.isEmpty()
                && !opened.store().busy();
    }

    /** Counts a call, before {@link #use}, so that nothing closes the clients that it opens. */
    synchronized void count() {
        calls++;
    }

    ConnectionUse use() {
        var given = new AtomicBoolean(true);
        Runnable giveBack = () -> {
            if (given.getAndSet(false)) {
                giveBack();
            }
        };
        try {
            return new ConnectionUse(opened(), lane, giveBack);
        } catch (RuntimeException | Error e) {
            giveBack.run();
            throw e;
        }
    }

    private Backend opened() {
        synchronized (opening) {
            Backend opened = backend;
            if (opened == null) {
                opened = again.orElseThrow().get();
                backend = opened;
            }
            return opened;
        }
    }

    private void giveBack() {
        synchronized (this) {
            calls--;
            lastUse = around.clock().instant();
            if (!retired || calls > 0) {
                return;
            }
        }
        closeClients();
    }

    void retire() {
        synchronized (this) {
            retired = true;
            if (calls > 0) {
                return;
            }
        }
        closeClients();
    }

    /** Closes the clients after the last call, abandoned calls included, since they still use the clients. */
    private void closeClients() {
        lane.close(() -> {
            Backend opened = backend;
            try {
                if (opened != null) {
                    opened.close();
                }
            } finally {
                around.closed().accept(this);
                if (opened != null) {
                    around.telemetry().closed(file.name());
                }
            }
        });
    }
}
