package dev.fairlead.bootstrap.folder;

import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for events of a folder, or only for a time if the system sends none. The folder may be missing, and may be
 * replaced. For use by one thread.
 */
public final class FolderEvents implements GrpcSettings.FolderChanges {
    private static final Logger LOG = LoggerFactory.getLogger(FolderEvents.class);

    private final Path folder;
    private final Optional<WatchService> service;
    private @Nullable WatchKey key;
    private @Nullable Object watched;

    private FolderEvents(Path folder, Optional<WatchService> service) {
        this.folder = folder;
        this.service = service;
    }

    public static FolderEvents of(Path folder) {
        try {
            return new FolderEvents(folder, Optional.of(folder.getFileSystem().newWatchService()));
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("folder", folder)
                    .addKeyValue("reason", e.getMessage())
                    .log("no events to be had of a folder; it is looked at from time to time");
            return new FolderEvents(folder, Optional.empty());
        }
    }

    /** Registers the folder, and anew when another one has taken its place. */
    @Override
    public void watch() {
        if (service.isEmpty()) {
            return;
        }
        try {
            Object now = identity();
            if (key != null && key.isValid() && now.equals(watched)) {
                return;
            }
            if (key != null) {
                key.cancel();
            }
            key = folder.register(
                    service.get(),
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            watched = now;
        } catch (IOException _) {
            // The folder is missing or unreadable: the look itself reports that, and the next one tries again.
            key = null;
        }
    }

    private Object identity() throws IOException {
        Object identity =
                Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        return identity == null ? folder.toRealPath() : identity;
    }

    @Override
    public void await(Duration most) throws InterruptedException {
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
    public void close() {
        try {
            if (service.isPresent()) {
                service.get().close();
            }
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("folder", folder).setCause(e).log("the watch on a folder could not be closed");
        }
    }
}
