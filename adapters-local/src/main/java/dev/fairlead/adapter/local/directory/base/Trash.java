package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.adapter.local.directory.form.FolderForm;
import dev.fairlead.adapter.local.directory.form.FolderLeftovers;
import dev.fairlead.adapter.local.directory.tree.DeletionTurns;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.adapter.local.directory.tree.TreeMove;
import dev.fairlead.application.port.out.store.Removals.Pending;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes things: they are renamed out of sight at once, and their content is removed in the background.
 *
 * <p>At most one thread works on it, and only while there is something to remove. What cannot be removed, since a
 * program still writes there or something is mounted in it, is tried again after a minute and then after times that
 * double up to an hour, even if no call comes; each time a warning says what remains.
 */
public final class Trash {
    private static final Logger LOG = LoggerFactory.getLogger(Trash.class);

    /** The beginning of the names of what was being made. */
    private static final String UNFINISHED = "unfinished-";

    /** The time after which the next entry has its turn. */
    private static final Duration TURN = Duration.ofSeconds(2);

    private final BaseFolderGuard base;
    private final Executor background;
    private final WorkFactory works;
    private final RemovalRetry backoff;
    private final Alarm alarm;
    private final FolderForm form;
    private final DeletionTurns turns;
    private final AtomicInteger asked = new AtomicInteger();
    private final FolderLeftovers leftovers = new FolderLeftovers();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean swept;
    private volatile boolean absent;
    private final Map<Path, String> stuck = new ConcurrentHashMap<>();
    private Alarm.Call again = Alarm.Call.NONE;
    private volatile boolean closed;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param turns one for each entry that may be deleted at once, in whatever base of this process
     * @param form of what is thrown away
     */
    public Trash(
            BaseFolderGuard base,
            Executor background,
            WorkFactory works,
            InstantSource clock,
            Alarm alarm,
            DeletionTurns turns,
            FolderForm form) {
        this.form = form;
        this.base = base;
        this.background = background;
        this.works = works;
        this.backoff = new RemovalRetry(clock);
        this.alarm = alarm;
        this.turns = turns;
    }

    /** Moves something to the trash; does nothing if it does not exist. */
    public void discard(Path victim, Work work) throws IOException {
        discard(victim, base.layout().partial().equals(victim.getParent()), work);
    }

    /** @param unfinished whether it was being made, wherever it is now */
    void discard(Path victim, boolean unfinished, Work work) throws IOException {
        if (RecordedFolders.stat(victim).isEmpty()) {
            return;
        }
        Path there = base.layout().trash().resolve((unfinished ? UNFINISHED : "") + UUID.randomUUID());
        work.effect(new Effect("trash", victim.toString()), () -> {
            try {
                TreeMove.move(victim, there);
            } catch (NoSuchFileException e) {
                if (RecordedFolders.stat(victim).isPresent()) {
                    throw e;
                }
            }
        });
        if (RecordedFolders.stat(victim).isPresent()) {
            throw new IOException(victim + " was moved to the trash and is still there");
        }
        waiting.incrementAndGet();
        emptySoon();
    }

    /** Moves to the trash, once, what earlier processes were making when they ended. */
    void sweepOnce(CreationsInProgress creations, Work work) throws IOException {
        if (swept) {
            return;
        }
        for (Path leftover : entries(base.layout().partial())) {
            if (creations.isLeftover(leftover)) {
                discard(leftover, work);
            }
        }
        swept = true;
    }

    /** Begins to empty the trash of earlier processes before any call comes; throws if the base cannot be looked at. */
    public void takeUp() throws IOException {
        if (!closed && base.visit() == BaseFolderGuard.State.READY) {
            emptyOnce();
        }
    }

    /** Begins, once, to empty the trash of earlier processes. */
    void emptyOnce() {
        if (begun.compareAndSet(false, true)) {
            emptySoon();
        }
    }

    void emptySoon() {
        if (asked.getAndIncrement() == 0) {
            try {
                background.execute(this::emptyWhileAsked);
            } catch (RuntimeException | Error e) { // no thread could be had, for example
                giveUp(e);
            }
        }
    }

    private void emptyWhileAsked() {
        try {
            int seen;
            do {
                seen = asked.get();
                emptyOrTryAgain();
            } while (!asked.compareAndSet(seen, 0));
        } catch (RuntimeException | Error e) {
            giveUp(e);
        }
    }

    private void emptyOrTryAgain() {
        try {
            while (emptyForATime()) {}
        } catch (IOException | StorageException e) {
            absent = true;
            LOG.atWarn()
                    .addKeyValue("base", base.layout().base())
                    .addKeyValue("next", tryAgain())
                    .setCause(e)
                    .log("the trash could not be emptied; it is tried again");
        }
    }

    /** Gives each entry one turn, and returns whether something is left that takes another one. */
    private boolean emptyForATime() throws IOException {
        boolean all = backoff.isDue() || !backoff.hasFailed();
        if (all) {
            stuck.clear();
        }
        if (base.visit() == BaseFolderGuard.State.READY) {
            forgetAbsence();
            boolean unfinished = empty();
            settle(all);
            if (!unfinished) {
                leftovers.tell(base.layout().base(), form);
            }
            return unfinished;
        }
        if (backoff.hasFailed()) {
            // A base that is not complete shows nothing of what is still to be deleted.
            var _ = tryAgain();
        }
        return false;
    }

    /** Leaves the trash to the next call on this base, which is asked to begin anew. */
    private void giveUp(Throwable why) {
        stuck.clear();
        backoff.succeeded();
        begun.set(false);
        asked.set(0);
        LOG.atWarn()
                .addKeyValue("base", base.layout().base())
                .setCause(why)
                .log("the trash could not be emptied; the next call on its base tries it again");
    }

    /** Tries everything again once a base that was away is back, and counts its attempts from there. */
    private void forgetAbsence() {
        if (absent) {
            absent = false;
            stuck.clear();
            backoff.succeeded();
        }
    }

    /**
     * Records the result; one line is logged for everything that remains, however much that is.
     *
     * @param all whether everything was tried, and not only what was not stuck before
     */
    private void settle(boolean all) {
        if (stuck.isEmpty()) {
            backoff.succeeded();
            callOff();
        } else if (all) {
            Map.Entry<Path, String> first = stuck.entrySet().iterator().next();
            LOG.atWarn()
                    .addKeyValue("base", base.layout().base())
                    .addKeyValue("entries", stuck.size())
                    .addKeyValue("entry", first.getKey())
                    .addKeyValue("why", first.getValue())
                    .addKeyValue("next", tryAgain())
                    .log("something in the trash cannot be deleted and takes its space; it is tried again");
        }
    }

    /** Schedules the next attempt, instead of one scheduled before, and returns its time. */
    private synchronized Instant tryAgain() {
        Instant next = backoff.failed();
        again.off();
        again = closed ? Alarm.Call.NONE : alarm.at(next, this::emptySoon);
        return next;
    }

    private synchronized void callOff() {
        again.off();
    }

    /**
     * Deletes one entry after another, each for a time, so that a huge one, or one still written to, delays no other.
     * Returns whether one is left whose time ended.
     */
    private boolean empty() throws IOException {
        Work work = work("emptying");
        boolean unfinished = false;
        List<Path> all = entries(base.layout().trash());
        waiting.set(all.size());
        for (Path entry : all) {
            if (!closed && !stuck.containsKey(entry)) {
                unfinished |= !delete(entry, work);
            }
        }
        return unfinished && !closed;
    }

    /** Deletes an entry and returns true, or false if its time ended first. */
    private boolean delete(Path entry, Work work) throws IOException {
        boolean turn = turns.take();
        long begun = System.nanoTime();
        try {
            form.dispose(entry, !String.valueOf(entry.getFileName()).startsWith(UNFINISHED), work);
            work.effect(
                    new Effect("delete", entry.toString()),
                    () -> TreeDelete.delete(entry, () -> closed || System.nanoTime() - begun > TURN.toNanos()));
            waiting.updateAndGet(it -> Math.max(0, it - 1));
        } catch (InterruptedIOException _) {
            return false;
        } catch (IOException | StorageException e) {
            // What could not be deleted since the base went away meanwhile is not stuck; this throws then.
            var _ = base.visit();
            stuck.put(entry, String.valueOf(e.getMessage()));
        } finally {
            turns.giveBack(turn);
        }
        return true;
    }

    private Work work(String doing) {
        return works.begin("trash", doing + " the trash of " + base.layout().base(), Optional.empty(), () -> closed);
    }

    /** Returns what is in a folder; nothing if there is none. */
    static List<Path> entries(Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(entries::add);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return entries;
    }

    /** Returns what there was when it was looked at last, without what is deleted since. */
    public Pending pending(ConnectionName connection) {
        int failed = stuck.size();
        return new Pending(connection, base.layout().base().toString(), Math.max(waiting.get(), failed), failed);
    }

    /** Returns whether something is being removed, or waits to be tried again. */
    public boolean isBusy() {
        return asked.get() > 0 || (!closed && backoff.hasFailed());
    }

    public boolean isClosed() {
        return closed;
    }

    public synchronized void close() {
        closed = true;
        again.off();
    }
}
