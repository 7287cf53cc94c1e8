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
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The mark that says whose a base folder is.
 *
 * <p>Two connections on one base would each serve, and delete, the volumes of the other under handles of their own; so
 * a base belongs to one connection of one installation. A peer's base has no mark and is taken over by the first change
 * that Fairlead makes there.
 */
final class Claim {
    private static final String INSTALLATION = "installation";
    private static final String CONNECTION = "connection";
    private static final String OWNER = ".owner";

    private final Layout layout;
    private final ConnectionScope scope;
    private final SortedMap<String, String> ours;

    Claim(Layout layout, ConnectionScope scope) {
        this.layout = layout;
        this.scope = scope;
        this.ours = new TreeMap<>(Map.of(
                INSTALLATION, scope.installation(),
                CONNECTION, scope.name().value()));
    }

    /** Refuses a base that is somebody else's; answers whether it has our mark. */
    boolean check() throws IOException {
        Optional<SortedMap<String, String>> mark = Records.read(layout.owner());
        if (mark.isPresent() && !mark.get().equals(ours)) {
            throw new StorageException(new Failure.BackendRejected(scope.name().value(), refusal(mark.get())));
        }
        return mark.isPresent();
    }

    private String refusal(Map<String, String> found) {
        return layout.base() + " belongs to connection '" + found.get(CONNECTION) + "' of installation '"
                + found.get(INSTALLATION) + "', this is connection '" + scope.name() + "' of installation '"
                + scope.installation() + "'; give each connection a base of its own, or remove " + layout.owner()
                + " if the other is gone for good";
    }

    /** Puts our mark where there is none. */
    void make(Making making, Work work) throws IOException {
        Path beside = layout.partial().resolve(making.prefix() + UUID.randomUUID() + OWNER);
        making.begin(beside);
        try {
            Records.prepare(beside, ours, work);
            work.effect(new Effect("link", layout.owner().toString()), () -> link(beside));
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
}
