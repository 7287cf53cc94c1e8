package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The mark that says whose a base folder is.
 *
 * <p>Two connections on one base would each serve, and delete, the volumes of the other under handles of their own; so
 * a base belongs to one connection of one installation. A peer's base has no mark and is taken over by the first change
 * that Fairlead makes there.
 */
final class Claim {
    private static final String OWNER = ".owner";

    private final Layout layout;
    private final ConnectionScope scope;

    /** Two processes that know different names of one installation must not rewrite the mark for ever. */
    private volatile boolean renewed;

    Claim(Layout layout, ConnectionScope scope) {
        this.layout = layout;
        this.scope = scope;
    }

    /** Our mark, if there is one; refuses a base that is somebody else's. */
    Optional<Mark> check() throws IOException {
        return check(layout);
    }

    /** The same by another path to the base. */
    Optional<Mark> check(Layout there) throws IOException {
        Optional<Mark> mark = Records.read(there.owner()).map(Mark::new);
        if (mark.isPresent() && !mark.get().isOf(scope)) {
            throw new StorageException(new Failure.BackendRejected(scope.name().value(), refusal(mark.get())));
        }
        return mark;
    }

    /** Whether our mark is there, where that can be read. */
    boolean isMade() {
        try {
            return Records.read(layout.owner())
                    .map(Mark::new)
                    .filter(mark -> mark.isOf(scope))
                    .isPresent();
        } catch (IOException _) {
            return false;
        }
    }

    private String refusal(Mark found) {
        return layout.base() + " belongs to connection '" + found.connection() + "' of installation '"
                + found.installation() + "', this is connection '" + scope.name() + "' of installation '"
                + scope.installation() + "'; give each connection a base of its own, or remove " + layout.owner()
                + " if the other is gone for good";
    }

    /**
     * Puts our mark where there is none.
     *
     * @param foundEmpty whether nothing was in the base folder before it was laid out
     */
    void make(boolean foundEmpty, Making making, Work work) throws IOException {
        ReentrantLock marking = making.marking(layout.base());
        marking.lock();
        try {
            if (check().isEmpty()) {
                Mark mark = Mark.of(scope, UUID.randomUUID().toString());
                write(
                        making,
                        foundEmpty ? mark.foundEmpty() : mark,
                        work,
                        beside -> work.effect(new Effect("link", layout.owner().toString()), () -> link(beside)));
                renewed = true;
            }
        } finally {
            marking.unlock();
        }
    }

    /** Lets our mark say all names of this installation, where it says others: before the last that it says goes. */
    void renew(Making making, Work work) throws IOException {
        if (renewed) {
            return;
        }
        ReentrantLock marking = making.marking(layout.base());
        marking.lock();
        try {
            renewUnlessCurrent(making, work);
            renewed = true;
        } finally {
            marking.unlock();
        }
    }

    private void renewUnlessCurrent(Making making, Work work) throws IOException {
        String id = idOfOldMark();
        Optional<Mark> mark = check().filter(found -> !found.isCurrent(scope));
        if (mark.isPresent()) {
            Mark wanted = mark.get().renewed(scope, id);
            write(making, wanted, work, beside -> Records.put(beside, layout.owner(), work));
            if (check().filter(found -> found.isCurrent(scope)).isEmpty()) {
                throw new IOException(layout.owner() + " was written and reads back differently");
            }
        }
    }

    /**
     * The id for a base whose mark has none: whichever processes renew it at once write the same one. It is taken
     * before the mark is read, so that a mark that was read without an id is the one that this is made of.
     */
    private String idOfOldMark() throws IOException {
        try {
            Map<String, Object> file =
                    Files.readAttributes(layout.owner(), "unix:ino,lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
            String what = file.get("ino") + " " + file.get("lastModifiedTime") + " " + scope.name();
            return UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8)).toString();
        } catch (NoSuchFileException e) {
            return UUID.randomUUID().toString(); // made by somebody just now, with an id
        }
    }

    private void write(Making making, Mark mark, Work work, Placing placing) throws IOException {
        Path beside = layout.partial().resolve(making.prefix() + UUID.randomUUID() + OWNER);
        making.begin(beside);
        try {
            Records.prepare(beside, mark.fields(), work);
            placing.place(beside);
            Records.remove(beside, work);
        } finally {
            making.end(beside);
        }
        FolderSync.sync(work, layout.state());
        check();
    }

    /** A link, unlike a rename, does not replace the mark of somebody who was quicker. */
    private void link(Path beside) throws IOException {
        if (Shelf.stat(layout.owner()).isPresent()
                && Records.read(layout.owner()).isEmpty()) {
            Files.deleteIfExists(layout.owner()); // torn by a power loss
        }
        try {
            Files.createLink(layout.owner(), beside);
        } catch (FileAlreadyExistsException e) {
            check();
        } catch (NoSuchFileException e) {
            throw e; // another process took what was written away
        } catch (UnsupportedOperationException | FileSystemException e) {
            renameIfAbsent(beside); // no hard links here
        }
    }

    /** An empty file takes the place first, which only one can make; the rename replaces nothing else. */
    private void renameIfAbsent(Path beside) throws IOException {
        try {
            Files.createFile(layout.owner());
        } catch (FileAlreadyExistsException e) {
            check();
            return;
        }
        Files.move(beside, layout.owner(), StandardCopyOption.ATOMIC_MOVE); // else it is empty, as one that is torn
    }

    /** Brings a mark that was written to its place. */
    @FunctionalInterface
    private interface Placing {
        void place(Path beside) throws IOException;
    }
}
