package dev.fairlead.application.port.out.placement;

import java.util.List;

/** Knows the PersistentVolumes once they were listed, and keeps up with them while its watches run. */
public interface VolumeWatch extends VolumeCatalog {
    /**
     * Lists everything once.
     *
     * @throws dev.fairlead.domain.failure.StorageException if the orchestrator does not answer
     */
    void list();

    /** Returns what keeps up with the cluster, each to be run by a thread of its own until that is interrupted. */
    List<Runnable> watches();
}
