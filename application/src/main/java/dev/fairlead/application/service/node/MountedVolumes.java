package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import java.nio.file.Path;
import java.util.Optional;

/** Checks whether volumes are mounted on this node, as far as handle, path and mount table can tell. */
public record MountedVolumes(HandleCodec codec, Attachers attachers, Mounter mounter) {
    /**
     * Returns the mount of a volume at the path. A volume that is staged as a raw device is also found by its staging
     * path.
     *
     * @throws StorageException {@code VolumeNotFound}, {@code NotMounted}
     */
    MountEntry require(String text, Path path, Work work) {
        VolumeHandle handle =
                codec.volume(text).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(text)));
        return Optional.of(path)
                .filter(Path::isAbsolute)
                .flatMap(it -> mounter.at(it, work).or(() -> mounter.at(StagingPaths.device(it), work)))
                .filter(entry -> attachers.mayShow(handle.id(), entry))
                .orElseThrow(() -> new StorageException(new Failure.NotMounted(text, path.toString())));
    }
}
