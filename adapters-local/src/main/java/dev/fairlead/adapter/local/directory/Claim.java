package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;

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

    private String refusal(Mark found) {
        return layout.base() + " belongs to connection '" + found.connection() + "' of installation '"
                + found.installation() + "', this is connection '" + scope.name() + "' of installation '"
                + scope.installation() + "'; give each connection a base of its own, or remove " + layout.owner()
                + " if the other is gone for good";
    }

    /** Puts our mark where there is none. */
    void make(Making making, Work work) throws IOException {
        Mark mark = Mark.of(scope, UUID.randomUUID().toString());
        write(
                making,
                mark,
                work,
                beside -> work.effect(new Effect("link", layout.owner().toString()), () -> link(beside)));
        renewed = true;
    }

    /** Lets our mark say all names of this installation, where it says others: before the last that it says goes. */
    void renew(Making making, Work work) throws IOException {
        if (renewed) {
            return;
        }
        Optional<Mark> mark = check().filter(found -> !found.isCurrent(scope));
        if (mark.isPresent()) {
            Mark wanted = mark.get().renewed(scope, UUID.randomUUID().toString());
            write(making, wanted, work, beside -> Records.put(beside, layout.owner(), work));
            if (check().filter(found -> found.isCurrent(scope)).isEmpty()) {
                throw new IOException(layout.owner() + " was written and reads back differently");
            }
        }
        renewed = true;
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
        if (Records.read(layout.owner()).isEmpty()) {
            Files.deleteIfExists(layout.owner()); // torn by a power loss
        }
        try {
            Files.createLink(layout.owner(), beside);
        } catch (FileAlreadyExistsException e) {
            check();
        } catch (UnsupportedOperationException | FileSystemException e) {
            Files.move(beside, layout.owner(), StandardCopyOption.ATOMIC_MOVE); // no hard links here
        }
    }

    /** Brings a mark that was written to its place. */
    @FunctionalInterface
    private interface Placing {
        void place(Path beside) throws IOException;
    }
}
