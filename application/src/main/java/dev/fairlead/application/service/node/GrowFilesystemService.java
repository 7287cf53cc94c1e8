package dev.fairlead.application.service.node;

import dev.fairlead.application.port.in.node.GrowFilesystem;
import dev.fairlead.application.port.out.node.Filesystems;
import dev.fairlead.application.port.out.node.Filesystems.Partition;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.StageJournal;
import dev.fairlead.application.port.work.Work;
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
 * reach it anywhere else. A device that must not grow below a mounted file system grows once the volume is unstaged; so
 * does a raw one that a pod has mounted by itself.
 */
public record GrowFilesystemService(
        MountedVolumes mounted,
        Attachers attachers,
        Filesystems filesystems,
        StageJournal journal,
        KeyedLocks locks,
        NodeGrowth storage,
        UnmountedGrowth unmounted)
        implements GrowFilesystem {
    /**
     * The most bytes that partitioning programs leave at the end of a disk: a copy of the table, and the rest of a
     * megabyte.
     */
    private static final long UNUSED = 2L << 20;

    @Override
    public Optional<Capacity> grow(String handle, Path path, CapacityRange range, Work work) {
        MountEntry mount = mounted.require(handle, path, work);
        Optional<VolumeAttacher<?>> volume =
                journal.of(handle).flatMap(it -> attachers.of(it.attachment())).or(() -> attachers.behind(mount, work));
        if (volume.filter(it -> !it.growsMounted()).isPresent() && isTooSmall(mount, range, work)) {
            user(mount, work).ifPresent(user -> {
                throw notMounted(handle, user, range, work);
            });
        }
        Optional<Capacity> grown = mounted.isProvisioned(handle) ? storage.grow(handle, range, work) : Optional.empty();
        if (!mount.isOfDevice() || volume.isEmpty()) {
            return grown;
        }
        return locks.changingAttachment(handle, work, () -> Optional.of(onDevice(volume.get(), mount, range, work)));
    }

    private boolean isTooSmall(MountEntry mount, CapacityRange range, Work work) {
        if (!mount.isOfDevice()) {
            return false;
        }
        Path disk = partition(mount, work).map(Partition::disk).orElse(device(mount));
        Capacity size = Capacity.ofBytes(filesystems.size(disk, work));
        return range.required().filter(size::isLessThan).isPresent();
    }

    private static Path device(MountEntry mount) {
        return Path.of(mount.isDeviceNode() ? mount.mountPoint() : mount.source());
    }

    private Optional<Partition> partition(MountEntry mount, Work work) {
        return mount.isDeviceNode() ? Optional.empty() : filesystems.partition(device(mount), work);
    }

    /** Returns what would lose data by the growth. Whoever has merely opened a raw device loses nothing. */
    private Optional<String> user(MountEntry mount, Work work) {
        return mount.isDeviceNode()
                ? filesystems.user(device(mount), work)
                : Optional.of("the mount at " + mount.mountPoint());
    }

    private StorageException notMounted(String handle, String user, CapacityRange range, Work work) {
        boolean later = mounted.isProvisioned(handle)
                && unmounted.want(handle, range.required().orElse(Capacity.ZERO), work);
        return new StorageException(new Failure.InUse(
                handle,
                user,
                "its device cannot grow below a mounted file system without loss; "
                        + (later
                                ? "end all pods that use it on this node: it grows when it is unstaged, and the next"
                                        + " pod has the new size"
                                : "stop its pods, let the storage grow it, and start them: the file system is grown"
                                        + " when it is mounted")));
    }

    private Capacity onDevice(VolumeAttacher<?> volume, MountEntry mount, CapacityRange range, Work work) {
        volume.rescan(work);
        Path device = device(mount);
        Optional<Partition> partition = partition(mount, work);
        Path disk = partition.map(Partition::disk).orElse(device);
        Capacity size = Capacity.ofBytes(filesystems.size(disk, work));
        range.required().filter(size::isLessThan).ifPresent(required -> {
            throw new StorageException(new Failure.NodeFault(
                    "growing " + disk,
                    "it has " + size.bytes() + " bytes on this node (expected: at least " + required.bytes()
                            + "); the storage or one of its paths still shows the old size"));
        });
        if (!mount.isDeviceNode() && !mount.readOnly()) {
            filesystems.grow(device, mount.fsType(), Path.of(mount.mountPoint()), work);
        }
        partition.filter(it -> it.behind() > UNUSED).ifPresent(it -> {
            throw new StorageException(new Failure.NodeFault(
                    "growing " + device,
                    "its disk " + it.disk() + " has grown, and " + it.behind()
                            + " bytes of it lie behind this partition,"
                            + " whose table is not Fairlead's; run growpart on the disk, and the file system is grown"
                            + " with the next call or mount"));
        });
        return size;
    }
}
