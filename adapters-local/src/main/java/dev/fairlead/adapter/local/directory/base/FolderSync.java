package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.linux.FileCalls;
import dev.fairlead.linux.FileContent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Syncs folders and file systems, so that names and content survive a power loss.
 *
 * <p>Recorded folders, to which many callers add at once, are synced for all of them together: those who ask while a
 * sync runs share the next one, as in a journal's group commit. Thirty-two callers at once wait for two syncs instead
 * of sixty-four.
 */
public final class FolderSync {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    /** The round of each folder that has not begun, which the next callers join. */
    private final Map<Path, Round> next = new HashMap<>();

    private final Set<Path> running = new HashSet<>();

    /**
     * Syncs the records and then the folders, by a sync that begins after this call; all callers that share it get its
     * failure.
     */
    public void sync(RecordedFolders folders, Work work) throws IOException {
        work.effect(new Effect("sync", folders.folder().toString()), () -> {
            Round round = join(folders.folder());
            if (!round.done) {
                lead(round, folders);
            }
            if (round.failure.isPresent()) {
                throw new IOException(round.failure.get().getMessage(), round.failure.get());
            }
        });
    }

    /** Waits until the next round is over, or until this caller has to run it. */
    private Round join(Path folder) {
        lock.lock();
        try {
            Round round = next.computeIfAbsent(folder, _ -> new Round());
            while (running.contains(folder) && !round.done) {
                ended.awaitUninterruptibly();
            }
            if (!round.done) {
                running.add(folder);
                next.remove(folder);
            }
            return round;
        } finally {
            lock.unlock();
        }
    }

    private void lead(Round round, RecordedFolders folders) {
        Optional<IOException> failure = Optional.of(new IOException("the sync did not come to its end"));
        try {
            force(folders.records());
            force(folders.folder());
            failure = Optional.empty();
        } catch (IOException e) {
            failure = Optional.of(e);
        } finally {
            lock.lock();
            try {
                round.failure = failure;
                round.done = true;
                running.remove(folders.folder());
                ended.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Holds one sync and how it ended; it is guarded by the lock until it is done, and does not change afterwards. */
    private static final class Round {
        private volatile boolean done;
        private Optional<IOException> failure = Optional.empty();
    }

    /** Syncs the folders in this order. */
    public static void sync(Work work, Path... folders) throws IOException {
        for (Path folder : folders) {
            work.effect(new Effect("sync", folder.toString()), () -> force(folder));
        }
    }

    /**
     * Syncs everything that was written below a folder, by syncing its file system. It does not begin while this
     * process ends: it takes as long as everything that others wrote there does, and nothing can interrupt it.
     */
    public static void syncAll(Work work, Path folder) throws IOException {
        work.effect(new Effect("syncfs", folder.toString()), () -> {
            work.checkEnding();
            try (FileCalls calls = new FileCalls();
                    FileContent content = new FileContent()) {
                int opened = calls.openFolder(folder);
                try {
                    content.syncAll(opened);
                } finally {
                    calls.closeFile(opened);
                }
            }
        });
    }

    static void force(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
