package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Attaches volumes on a node over one protocol, whichever exporter exported them. Idempotent: staging a staged volume
 * does nothing.
 */
public interface Attacher<A extends Attachment> {
    Class<A> handles();

    /** Returns whether raw block access is possible over this protocol. */
    boolean offersBlock();

    /** Makes the volume appear at the staging path, and verifies that it is there. */
    void stage(Stage<A> stage, Work work);

    /**
     * Returns whether the volume is staged at the staging path; a different mount there is a conflict.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code PublishConflict}
     */
    boolean isStaged(Stage<A> stage, Work work);

    /**
     * Returns whether this mount may be of the volume with this id; false only if it certainly is of another one. Used
     * for CSI calls that have a handle and a path, and no volume context.
     */
    default boolean mayShow(NativeId id, Mounter.MountEntry mount) {
        return true;
    }

    /**
     * Returns every path of this node at which the volume or a part of it is mounted, staged or published; also empty
     * if the protocol cannot tell. It is read from the mount table, so that it is known after a restart.
     */
    default List<String> mountPoints(A attachment, Work work) {
        return List.of();
    }

    /** Describes a request to stage a volume. */
    record Stage<A extends Attachment>(
            String handle, A attachment, Path staging, List<String> mountFlags, Map<String, String> publishContext) {
        public Stage {
            mountFlags = List.copyOf(mountFlags);
            publishContext = Map.copyOf(publishContext);
        }
    }
}
