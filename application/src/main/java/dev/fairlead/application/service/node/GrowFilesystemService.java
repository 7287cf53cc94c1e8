package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.GrowFilesystem;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Key;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Grows a mounted volume. A device is looked at anew and its file system is grown. On the node itself a directory or a
 * share has nothing to grow; if this process also serves the storage, that is grown, since the external resizer cannot
 * reach it anywhere else.
 */
public record GrowFilesystemService(
        MountedVolumes mounted,
        Attachers attachers,
        Filesystems filesystems,
        StageJournal journal,
        KeyedLocks locks,
        NodeGrowth storage)
        implements GrowFilesystem {
    @Override
    public Optional<Capacity> grow(String handle, Path path, CapacityRange range, Work work) {
        MountEntry mount = mounted.require(handle, path, work);
        Optional<Capacity> grown = storage.grow(handle, range, work);
        Optional<VolumeAttacher<?>> volume =
                journal.of(handle).flatMap(it -> attachers.of(it.attachment())).or(() -> attachers.behind(mount, work));
        if (!mount.isOfDevice() || volume.isEmpty()) {
            return grown;
        }
        return locks.exclusively(
                Key.volume(handle), work, () -> Optional.of(onDevice(volume.get(), mount, range, work)));
    }

    private Capacity onDevice(VolumeAttacher<?> volume, MountEntry mount, CapacityRange range, Work work) {
        volume.rescan(work);
        Path place = Path.of(mount.mountPoint());
        Path device = mount.isDeviceNode() ? place : Path.of(mount.source());
        Capacity size = Capacity.ofBytes(filesystems.size(device, work));
        range.required().filter(size::isLessThan).ifPresent(required -> {
            throw new StorageException(new Failure.NodeFault(
                    "growing " + device,
                    "it has " + size.bytes() + " bytes on this node (expected: at least " + required.bytes()
                            + "); the storage or one of its paths still shows the old size"));
        });
        if (!mount.isDeviceNode() && !mount.readOnly()) {
            filesystems.grow(device, mount.fsType(), place, work);
        }
        return size;
    }
}
