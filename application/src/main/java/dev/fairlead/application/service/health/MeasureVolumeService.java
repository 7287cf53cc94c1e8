package dev.fairlead.application.service.health;

import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.application.port.out.node.NodePorts;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.node.MountedVolumes;
import dev.fairlead.application.service.node.StaleMounts;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.health.Silence;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Measures the file system or the device at a path at which the volume is mounted. While it does not answer, what was
 * read last is told, with its age. If there is nothing to tell, one that may only be slow is given all of the time that
 * reading may take.
 */
public record MeasureVolumeService(MountedVolumes mounted, NodePorts ports, ServerSilence silence, ReadUsages usages)
        implements MeasureVolume {
    @Override
    public Usage measure(String handle, Path path, Work work) {
        MountEntry mount = mounted.require(handle, path, work);
        Path place = Path.of(mount.mountPoint());
        boolean hangs = !mount.isDeviceNode() && silence.isHanging(mount);
        Optional<Silence> silent = mount.isDeviceNode() ? Optional.empty() : silence.of(mount, work);
        Optional<StorageException> stale = silent.map(it -> StaleMounts.stale(handle, place, it));
        boolean lost = silent.filter(Silence::lost).isPresent();
        if (silent.isPresent() && (hangs || lost || usages.last(handle, mount).isPresent())) {
            return last(handle, mount, stale.get(), lost);
        }
        try {
            return usages.reading(
                    handle,
                    mount,
                    () -> mount.isDeviceNode()
                            ? Usage.ofDevice(ports.filesystems().size(place, work))
                            : usage(place, work));
        } catch (StorageException e) {
            return last(handle, mount, stale.orElse(e), !(e.failure() instanceof Failure.NodeFault));
        }
    }

    /** Returns what was read last, unless there is nothing, or waiting for an answer does not help. */
    private Usage last(String handle, MountEntry mount, StorageException why, boolean lost) {
        return Optional.of(why)
                .filter(_ -> !lost)
                .flatMap(_ -> usages.last(handle, mount))
                .orElseThrow(() -> why);
    }

    private Usage usage(Path place, Work work) {
        Mounter.Usage usage = ports.mounter().usage(place, work);
        return new Usage(
                false,
                usage.totalBytes(),
                usage.availableBytes(),
                usage.usedBytes(),
                usage.totalInodes(),
                usage.freeInodes(),
                usage.usedInodes());
    }
}
