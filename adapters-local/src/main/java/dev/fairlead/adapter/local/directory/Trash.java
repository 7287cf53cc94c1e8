package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where things go that are deleted: away at once by a rename, their content removed in the background.
 *
 * <p>At most one thread works on it, and only while there is something. What cannot be removed stays, with a warning,
 * until the next start.
 */
final class Trash {
    private static final Logger LOG = LoggerFactory.getLogger(Trash.class);

    private final TopFolder base;
    private final Executor background;
    private final WorkFactory works;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean swept;
    private final Set<Path> stuck = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Trash(TopFolder base, Executor background, WorkFactory works) {
        this.base = base;
        this.background = background;
        this.works = works;
    }

    /** Throws something away; where there is nothing, that is done. */
    void discard(Path victim, Work work) throws IOException {
        if (Shelf.stat(victim).isEmpty()) {
            return;
        }
        Path there = base.layout().trash().resolve(UUID.randomUUID().toString());
        work.effect(new Effect("trash", victim.toString()), () -> {
            try {
                Files.move(victim, there, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                if (Shelf.stat(victim).isPresent()) {
                    throw e;
                }
            }
        });
        if (Shelf.stat(victim).isPresent()) {
            throw new IOException(victim + " was moved to the trash and is still there");
        }
        emptySoon();
    }

    /** Throws away, once, what earlier processes were making when they ended. */
    void sweepOnce(Making making, Work work) throws IOException {
        if (swept) {
            return;
        }
        for (Path leftover : entries(base.layout().partial())) {
            if (making.isLeftover(leftover)) {
                discard(leftover, work);
            }
        }
        swept = true;
    }

    /** Begins, once, to remove what earlier processes threw away. */
    void emptyOnce() {
        if (begun.compareAndSet(false, true)) {
            emptySoon();
        }
    }

    void emptySoon() {
        if (asked.getAndIncrement() == 0) {
            background.execute(this::emptyWhileAsked);
        }
    }

    private void emptyWhileAsked() {
        int seen;
        do {
            seen = asked.get();
            try {
                if (base.visit() == TopFolder.State.READY) {
                    empty();
                }
            } catch (IOException | StorageException e) {
                LOG.atWarn()
                        .addKeyValue("base", base.layout().base())
                        .setCause(e)
                        .log("the trash could not be emptied; it is tried again at the next start");
            }
        } while (!asked.compareAndSet(seen, 0));
    }

    private void empty() throws IOException {
        Work work = work("emptying");
        for (Path entry : entries(base.layout().trash())) {
            if (closed || stuck.contains(entry)) {
                continue;
            }
            try {
                work.effect(new Effect("delete", entry.toString()), () -> TreeDelete.delete(entry));
            } catch (IOException e) {
                stuck.add(entry);
                LOG.atWarn()
                        .addKeyValue("entry", entry)
                        .addKeyValue("why", e.getMessage())
                        .log("something in the trash cannot be deleted; it is tried again at the next start");
            }
        }
    }

    private Work work(String doing) {
        return works.begin("trash", doing + " the trash of " + base.layout().base(), Optional.empty(), () -> closed);
    }

    private static List<Path> entries(Path folder) throws IOException {
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

    boolean isBeingEmptied() {
        return asked.get() > 0;
    }

    void close() {
        closed = true;
    }
}
