package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.StoredVolume;

/**
 * Shuts nodes out of a closed volume. It works even if the connection's present settings are wrong: a node that may be
 * dead has to be kept out before another is let in.
 */
public interface Revocation {
    /**
     * Lets no nodes but these reach the volume, now and after a restart of the storage host, and verifies it by reading
     * it back. It does not export a volume that is not exported. Idempotent, wherever an earlier call was interrupted.
     * Called only for volumes that are closed.
     *
     * @param volume as it is recorded now, with the nodes that are to be shut out. If the record has changed since, a
     *     part of this call that runs late must change nothing, and throws a failure after which the caller tries
     *     again.
     * @param remaining nodes that have access already and keep it
     */
    void revoke(StoredVolume volume, Grants remaining, Work work);
}
