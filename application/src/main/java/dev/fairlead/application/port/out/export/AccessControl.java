package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.node.NodeFact;
import dev.fairlead.domain.volume.StoredVolume;

/**
 * Narrows who reaches a volume to the nodes that it is published to. An exporter that can do that returns one, and a
 * {@link Revocation} with it.
 *
 * <p>A volume is closed from its birth or open for life, as its notes say. {@link Exporter#export} makes a closed one
 * reachable by the nodes alone that its notes name; who they are is the application's to record, and theirs is no other
 * place in which it is kept.
 */
public interface AccessControl {
    /** By what of a node its requests are told from others'. */
    NodeFact knownBy();

    /**
     * Makes it so that these nodes reach the volume and nobody else does, and reads it back. Idempotent, whatever an
     * earlier call was cut at. Asked for volumes only that are closed.
     *
     * @param volume as it is recorded now. Where its record has become another, whatever comes late of this may do
     *     nothing, and throws what is tried again.
     */
    void admit(StoredVolume volume, Grants grants, Work work);
}
