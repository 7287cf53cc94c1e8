package dev.fairlead.adapter.node.share;

import dev.fairlead.application.port.out.node.Attach;
import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.attachment.Attachment;
import java.util.Optional;

/** Says what one protocol of shares has that others have not; {@link ShareAttacher} does the rest. */
public interface FileProtocol<A extends Attachment> {
    Class<A> handles();

    /** Answers {@link Attacher#takesSecrets}. */
    default boolean takesSecrets() {
        return false;
    }

    /** Answers {@link Attacher#takesGroup}. */
    default boolean takesGroup() {
        return false;
    }

    /** Refuses what {@link Attacher#check} has to refuse. */
    default void check(Attach<A> request) {
        var _ = filesystem(request);
    }

    /**
     * Returns what is to be mounted: type, source, options, and what the mount program reads of who logs in.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest}
     */
    Filesystem filesystem(Attach<A> request);

    /**
     * Returns the directory that an attachment names.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest}
     */
    ShareLocation location(A attachment);

    /** Returns whether a mount is of this protocol. */
    boolean isOf(MountEntry mount);

    /** Returns the attachment behind a mount; empty if it is not of this protocol. */
    Optional<A> recognise(MountEntry mount);
}
