package dev.fairlead.application.port.out.store;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.format.HostFinding;
import dev.fairlead.domain.volume.NativeId;

/**
 * Tells whether a block volume holds anything, by what the storage knows of it and not by reading the device. A node
 * formats no device that holds something by this, whatever the node itself has read.
 */
public interface ContentProbe {
    /**
     * Returns what is known of the volume's content now, and changes nothing. It is {@link HostFinding#WRITTEN} only if
     * something is certain to be on the volume, since no node would ever format it; {@link HostFinding#BLANK} only if
     * nothing can be; and else {@link HostFinding#UNKNOWN}.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code VolumeNotFound}
     */
    HostFinding probe(NativeId id, Work work);
}
