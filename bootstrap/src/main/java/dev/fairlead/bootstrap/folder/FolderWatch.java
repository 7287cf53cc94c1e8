package dev.fairlead.bootstrap.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks into the connections folder at once when the system says that it changed, and each few seconds in any case:
 * network file systems send no events, and the folder itself may be replaced.
 *
 * <p>All of it runs on one thread of its own, so a folder that hangs stops nothing else.
 */
public final class FolderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

    private final ConnectionFolder folder;
    private final Duration interval;
    private final Duration settle;
    private final Thread thread;
    private final CountDownLatch firstLook = new CountDownLatch(1);
    private volatile boolean closed;
    private @Nullable WatchKey key;
    private @Nullable Object watched;

    /**
     * @param interval between two looks where no event comes
     * @param settle before the next look at a file that was just being written
     */
    public FolderWatch(ConnectionFolder folder, ThreadFactory threads, Duration interval, Duration settle) {
        this.folder = folder;
        this.interval = interval;
        this.settle = settle;
        this.thread = threads.newThread(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Waits until every connection has been looked at once; false where that takes longer than patience. */
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
        try (Events events = events()) {
            while (!closed) {
                events.watch(folder.path());
                boolean unsettled = refresh();
                events.await(unsettled ? settle : interval);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("the watch on the connections folder could not be closed");
        }
    }

    /** A defect in reading one file must not end the watching of all. */
    private boolean refresh() {
        try {
            return folder.refresh();
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("folder", folder.path())
                    .setCause(e)
                    .log("the connections folder could not be read");
            return false;
        }
    }

    private Events events() {
        try {
            return new Events(Optional.of(folder.path().getFileSystem().newWatchService()));
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("reason", e.getMessage())
                    .addKeyValue("everySeconds", interval.toSeconds())
                    .log("no events to be had of the connections folder; it is looked at from time to time");
            return new Events(Optional.empty());
        }
    }

    /** Events of the folder, where the system gives any; otherwise a wait. */
    private final class Events implements AutoCloseable {
        private final Optional<WatchService> service;

        Events(Optional<WatchService> service) {
            this.service = service;
        }

        /** Registers the folder, and anew when another one has taken its place. */
        void watch(Path path) {
            if (service.isEmpty()) {
                return;
            }
            try {
                Object now = identity(path);
                if (key != null && key.isValid() && now.equals(watched)) {
                    return;
                }
                if (key != null) {
                    key.cancel();
                }
                key = path.register(
                        service.get(),
                        StandardWatchEventKinds.ENTRY_CREATE,
                        StandardWatchEventKinds.ENTRY_MODIFY,
                        StandardWatchEventKinds.ENTRY_DELETE);
                watched = now;
            } catch (IOException _) {
                // Missing or unreadable: that is said by the look itself, and the next one tries again.
                key = null;
            }
        }

        private Object identity(Path path) throws IOException {
            Object identity = Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class)
                    .fileKey();
            return identity == null ? path.toRealPath() : identity;
        }

        void await(Duration most) throws InterruptedException {
            if (service.isEmpty()) {
                TimeUnit.NANOSECONDS.sleep(most.toNanos());
                return;
            }
            WatchKey signalled = service.get().poll(most.toMillis(), TimeUnit.MILLISECONDS);
            if (signalled != null) {
                signalled.pollEvents();
                signalled.reset();
            }
        }

        @Override
        public void close() throws IOException {
            if (service.isPresent()) {
                service.get().close();
            }
        }
    }
}
