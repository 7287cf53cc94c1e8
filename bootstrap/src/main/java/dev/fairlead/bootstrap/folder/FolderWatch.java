package dev.fairlead.bootstrap.folder;

import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.application.port.work.ToldError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Looks into the connections folder as soon as the system says that it changed, and every few seconds in any case:
 * network file systems send no events, and the folder itself may be replaced.
 *
 * <p>All of it runs on one thread of its own, so a folder that hangs stops nothing else.
 */
public final class FolderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

    private final ConnectionFolder folder;
    private final Function<Path, GrpcSettings.FolderChanges> changes;
    private final Duration interval;
    private final Duration settle;
    private final Thread thread;
    private final CountDownLatch firstLook = new CountDownLatch(1);
    private volatile boolean closed;
    private final ToldError told = new ToldError();

    /**
     * @param interval the time between two looks if no event comes
     * @param settle the time before the next look at a file that was just being written
     */
    public FolderWatch(ConnectionFolder folder, ThreadFactory threads, Duration interval, Duration settle) {
        this(folder, FolderEvents::of, threads, interval, settle);
    }

    /** @param changes opens a watch on the folder */
    FolderWatch(
            ConnectionFolder folder,
            Function<Path, GrpcSettings.FolderChanges> changes,
            ThreadFactory threads,
            Duration interval,
            Duration settle) {
        this.folder = folder;
        this.changes = changes;
        this.interval = interval;
        this.settle = settle;
        this.thread = threads.newThread(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Waits until every connection has been looked at once; answers false if that takes longer than patience. */
    public boolean awaitFirstLook(Duration patience) throws InterruptedException {
        return firstLook.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        refresh();
        firstLook.countDown();
        try {
            while (!closed) {
                follow();
                TimeUnit.NANOSECONDS.sleep(interval.toNanos()); // it ended by an error,
                refresh(); // and may do so again before it has looked
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks as often as there is a reason to; returns if it is closed, or after an error of the program. */
    private void follow() throws InterruptedException {
        try (GrpcSettings.FolderChanges events = changes.apply(folder.path())) {
            while (!closed) {
                events.watch();
                boolean unsettled = refresh();
                events.await(unsettled ? settle : interval);
            }
        } catch (RuntimeException | Error e) {
            tell("the connections folder could not be followed; it is tried again", e);
        }
    }

    /** Looks into the folder, and logs an unexpected error: it must not end the watch. */
    private boolean refresh() {
        try {
            return folder.refresh();
        } catch (RuntimeException | Error e) {
            tell("the connections folder could not be read", e);
            return false;
        }
    }

    /** Logs an error with its trace once, and in one line as long as it is repeated. */
    private void tell(String what, Throwable thrown) {
        LoggingEventBuilder line = LOG.atError().addKeyValue("folder", folder.path());
        (told.isNew(thrown) ? line.setCause(thrown) : line.addKeyValue("error", thrown.toString())).log(what);
    }
}
