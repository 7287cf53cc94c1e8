package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.property.OwnProperties;

/** Refuses volumes of files that are mounted elsewhere than they were planned: nothing would be exported of them. */
public record MountPlace(DatasetCalls datasets, VolumeRemoval removal) {
    private static final String MOUNTPOINT = "mountpoint";

    /** Says whether a volume that Fairlead made is mounted elsewhere; democratic-csi's are used where they are. */
    public static boolean isElsewhere(Birth planned, DatasetEntry entry) {
        return planned.medium().kind() == VolumeMedium.Kind.FILESYSTEM
                && entry.own(OwnProperties.STATE).isPresent()
                && !entry.text(MOUNTPOINT).filter(path(planned, entry)::equals).isPresent();
    }

    /** Returns the place of a volume, or of what is to become it, which has another name so far. */
    private static String path(Birth planned, DatasetEntry entry) {
        String path = planned.medium().path();
        return path.substring(0, path.lastIndexOf('/') + 1) + entry.name().leaf();
    }

    /** Throws if a volume that was there is mounted elsewhere. */
    void require(Birth planned, DatasetEntry entry) {
        if (isElsewhere(planned, entry)) {
            throw datasets.rejected(entry.name() + " is mounted at "
                    + entry.text(MOUNTPOINT).orElse("no place") + ", and not at "
                    + path(planned, entry)
                    + "; a TrueNAS mounts its datasets below /mnt, so let the parent inherit its mountpoint");
        }
    }

    /** Deletes what this call has made, and throws, if it is mounted elsewhere. */
    void requireOfMade(Birth planned, DatasetEntry entry, Work work) {
        try {
            require(planned, entry);
        } catch (StorageException e) {
            removal.takeBack(entry.name(), work.finishing());
            throw e;
        }
    }
}
