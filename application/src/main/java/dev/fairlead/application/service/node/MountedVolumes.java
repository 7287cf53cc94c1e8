package dev.fairlead.application.service.node;

import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import java.nio.file.Path;

/** Checks whether volumes are mounted on this node, as far as handle, path and mount table can tell. */
public record MountedVolumes(HandleCodec codec, Attachers attachers, Mounter mounter) {
    /**
     * Throws if a volume is not mounted at the path.
     *
     * @throws StorageException {@code VolumeNotFound}, {@code NotMounted}
     */
    void require(String text, Path path, Work work) {
        VolumeHandle handle =
                codec.volume(text).orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(text)));
        boolean mounted = path.isAbsolute()
                && mounter.at(path, work)
                        .filter(entry -> attachers.mayShow(handle.id(), entry))
                        .isPresent();
        if (!mounted) {
            throw new StorageException(new Failure.NotMounted(text, path.toString()));
        }
    }
}
