package dev.fairlead.application.port.out.export;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.volume.StoredVolume;

/**
 * Shuts nodes out of a closed volume. Nothing that may be wrong with today's settings of the connection holds it up: a
 * node that may be dead has to be kept out before another is let in.
 */
public interface Revocation {
    /**
     * Makes it so that nobody but these nodes reaches the volume, now and after a restart of the storage host, and
     * reads it back. It does not export what is not exported. Idempotent, whatever an earlier call was cut at. Asked
     * for volumes only that are closed.
     *
     * @param volume as it is recorded now, with those who are to be shut out. Where its record has become another,
     *     whatever comes late of this may do nothing, and throws what is tried again.
     * @param remaining of those who are let in already
     */
    void revoke(StoredVolume volume, Grants remaining, Work work);
}
