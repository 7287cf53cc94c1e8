package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The node side of one protocol, whoever exported the volume. Idempotent: staging what is staged finds it. */
public interface Attacher<A extends Attachment> {
    Class<A> handles();

    /** Whether raw block access is possible over this protocol. */
    boolean offersBlock();

    /** Makes the volume appear at the staging path, and verifies that it did. */
    void stage(Stage<A> stage, Work work);

    /**
     * What has to be true at the staging path for the volume to be staged; a different mount there is a conflict.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code PublishConflict}
     */
    boolean isStaged(Stage<A> stage, Work work);

    /**
     * Whether this mount may be of the volume with this id: false only where it certainly is of another one. Asked by
     * calls that bring a handle and a path, and no context.
     */
    default boolean mayShow(NativeId id, Mounter.MountEntry mount) {
        return true;
    }

    /**
     * Every place of this node at which the volume or a part of it is mounted, staged or published; empty too where the
     * protocol cannot tell. By the mount table, so that it is known after a restart.
     */
    default List<String> mountPoints(A attachment, Work work) {
        return List.of();
    }

    /** A request to stage. */
    record Stage<A extends Attachment>(
            String handle, A attachment, Path staging, List<String> mountFlags, Map<String, String> publishContext) {
        public Stage {
            mountFlags = List.copyOf(mountFlags);
            publishContext = Map.copyOf(publishContext);
        }
    }
}
