package dev.fairlead.application.port.out.placement;

import java.util.List;
import java.util.Optional;

/** Knows the PersistentVolumes of the orchestrator. */
public interface VolumeCatalog {
    /**
     * Returns all that belong to a CSI driver.
     *
     * @throws dev.fairlead.domain.failure.StorageException if they are not known now
     */
    List<KnownVolume> volumes();

    /** Returns one of them as it is at this moment; empty if it is not there. */
    Optional<KnownVolume> volume(String name);
}
