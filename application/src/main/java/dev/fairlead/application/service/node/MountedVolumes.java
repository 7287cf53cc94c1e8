package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.NativeId;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks whether volumes are mounted on this node, as far as handle, journal and mount table can tell. A handle may
 * have any form: that of a PersistentVolume which was written by hand is whatever its author chose.
 */
public record MountedVolumes(HandleCodec codec, Attachers attachers, Mounter mounter, StageJournal journal) {
    /**
     * Returns the mount of a volume at the path. A volume that is staged as a raw device is also found by its staging
     * path.
     *
     * @throws StorageException {@code NotMounted}; {@code VolumeNotFound} if no controller wrote the handle either
     */
    public MountEntry require(String handle, Path path, Work work) {
        return Optional.of(path)
                .filter(Path::isAbsolute)
                .flatMap(it -> mounter.at(it, work).or(() -> mounter.at(StagingPaths.device(it), work)))
                .filter(mount -> mayBeOf(handle, mount, work))
                .orElseThrow(() -> new StorageException(
                        isProvisioned(handle)
                                ? new Failure.NotMounted(handle, path.toString())
                                : new Failure.VolumeNotFound(handle)));
    }

    /** Returns whether a controller wrote the handle, and no person. */
    boolean isProvisioned(String handle) {
        return codec.volume(handle).isPresent();
    }

    private boolean mayBeOf(String handle, MountEntry mount, Work work) {
        // A person may have chosen the handle as an id; if no store gives ids like it, none shows it.
        Optional<NativeId> id = codec.volume(handle).map(VolumeHandle::id).or(() -> NativeId.read(handle));
        if (id.filter(it -> !attachers.mayShow(it, mount)).isPresent()) {
            return false;
        }
        return journal.of(handle)
                .flatMap(entry -> attachers.of(entry.attachment()))
                .map(volume -> volume.shows(mount, work))
                .orElse(true);
    }
}
