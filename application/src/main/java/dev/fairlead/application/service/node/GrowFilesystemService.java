package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.GrowFilesystem;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Grows a mounted volume. On the node itself a directory has nothing to grow; if this process also serves the storage,
 * that is grown, since the external resizer cannot reach it anywhere else.
 */
public record GrowFilesystemService(MountedVolumes mounted, NodeGrowth storage) implements GrowFilesystem {
    @Override
    public Optional<Capacity> grow(String handle, Path path, CapacityRange range, Work work) {
        mounted.require(handle, path, work);
        return storage.grow(handle, range, work);
    }
}
