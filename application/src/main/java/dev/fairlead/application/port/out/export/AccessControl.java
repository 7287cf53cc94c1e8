package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.StoredVolume;

/**
 * Limits access to a volume to the nodes that it is published to. An exporter that can do that returns one, and a
 * {@link Revocation} with it.
 *
 * <p>A volume is closed from its creation or open for its whole life, as its notes say. {@link Exporter#export} makes a
 * closed one reachable only by the nodes that its notes name; the application records them there and nowhere else.
 */
public interface AccessControl {
    /**
     * Returns the fact by which the storage recognises a node's requests, such as its address or its iSCSI initiator
     * name.
     */
    NodeFact knownBy();

    /**
     * Lets exactly these nodes reach the volume, and verifies it by reading it back. Idempotent, wherever an earlier
     * call was interrupted. Called only for volumes that are closed.
     *
     * @param volume as it is recorded now. If the record has changed since, a part of this call that runs late must
     *     change nothing, and throws a failure after which the caller tries again.
     */
    void admit(StoredVolume volume, Grants grants, Work work);
}
