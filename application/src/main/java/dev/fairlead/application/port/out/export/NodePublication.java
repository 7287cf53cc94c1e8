package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.StoredVolume;
import java.util.List;
import java.util.Map;

/**
 * Makes a volume available on each node that it is published to, whether the volume is open or closed. An exporter
 * returns one if its storage has something to do for every single node.
 *
 * <p>The storage alone remembers on which nodes a volume is available; it knows them by {@link NodeFact#NAME}. Every
 * method is idempotent, wherever an earlier call was interrupted. {@link Exporter#unexport} takes a volume from all
 * nodes too.
 */
public interface NodePublication {
    /**
     * Makes the volume available on the node, verifies it by reading it back, and returns what the node has to know of
     * it: the {@code publish_context}, the same at each repetition and without secrets. If the volume is closed, the
     * node was let in before.
     *
     * @param grant the node and how it uses the volume; its initiator is its name again
     * @throws dev.fairlead.domain.failure.StorageException {@code PublishConflict} or {@code PublishedToOtherNode}
     *     before the first effect, if the storage has the volume on that node in another way, or on another node that
     *     excludes it
     */
    Map<String, String> publish(StoredVolume volume, Grant grant, Work work);

    /**
     * Takes the volume from a node, and verifies it by reading it back. The node itself may be gone. If the volume is
     * closed, the node was shut out before.
     *
     * @param names by which the storage may know the node, the likelier first; only the first that it knows counts
     */
    void unpublish(StoredVolume volume, List<String> names, Work work);

    /** Takes the volume from all nodes, under the same terms. */
    void unpublishAll(StoredVolume volume, Work work);
}
