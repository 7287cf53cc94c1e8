package dev.fairlead.application.service.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import java.util.List;

/**
 * Tells the controller the mount points of a volume on the node in its process; the mounts of other nodes are not
 * known.
 */
@FunctionalInterface
public interface NodeMounts {
    /**
     * The implementation for a controller without a node in its process: whoever asks for a deletion has to know that
     * the volume is unmounted.
     */
    NodeMounts ELSEWHERE = new NodeMounts() {
        @Override
        public List<String> of(Attachment attachment, Work work) {
            return List.of();
        }

        @Override
        public boolean areKnown() {
            return false;
        }
    };

    /** Says whether any are known, so that it is worth asking a storage how a volume is attached. */
    default boolean areKnown() {
        return true;
    }

    /** Returns the mount points by which programs may use the volume; empty if none is known. */
    List<String> of(Attachment attachment, Work work);
}
