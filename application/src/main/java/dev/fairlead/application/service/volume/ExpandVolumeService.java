package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Optional;

/** Grows a volume that is smaller than asked for, tells its exporter, and reads the size back. */
public record ExpandVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks)
        implements ExpandVolume {
    @Override
    public Result expand(String text, CapacityRange range, Work work) {
        VolumeHandle handle = codec.volume(text).orElseThrow(() -> notFound(text));
        try (ConnectionUse use = connections.use(handle.connection())) {
            Optional<Capacity> wanted = range.required().or(range::limit);
            // The external resizer asks the controller beside it, which may run on another node and not see the
            // volume.
            return use.backend().settings().nodeExpands() && wanted.isPresent()
                    ? new Result(wanted.get(), true)
                    : expandHere(text, range, work);
        }
    }

    @Override
    public Result expandHere(String text, CapacityRange range, Work work) {
        VolumeHandle handle = codec.volume(text).orElseThrow(() -> notFound(text));
        try (ConnectionUse use = connections.use(handle.connection())) {
            return locks.exclusively(
                    LockKey.volume(text),
                    work,
                    () -> use.change(work, work.what(), (backend, its) -> expand(backend, handle, text, range, its)));
        }
    }

    private static Result expand(Backend backend, VolumeHandle handle, String text, CapacityRange range, Work work) {
        StoredVolume volume = backend.store().find(handle.id(), work).orElseThrow(() -> notFound(text));
        Capacity size = volume.capacity().orElse(Capacity.ZERO);
        if (range.exceededBy(size)) {
            throw new StorageException(new Failure.CapacityOutOfRange("capacity_range.limit_bytes: "
                    + range.limit().orElseThrow() + " (expected: at least " + size + ", the size of volume " + text
                    + ", since volumes never shrink)"));
        }
        Capacity wanted = range.required().orElse(size);
        if (size.isLessThan(wanted)) {
            grow(backend, handle, range, work);
        }
        StoredVolume seen = backend.store().find(handle.id(), work).orElseThrow(() -> notFound(text));
        Capacity now = seen.capacity().orElse(Capacity.ZERO);
        if (now.isLessThan(wanted)) {
            throw new StorageException(new Failure.Unintelligible(
                    backend.name().value(), "volume " + text + " was expanded to " + wanted + ", and has " + now));
        }
        // Also if the volume was large enough: an earlier call may have been interrupted after the expansion.
        backend.exporter().expanded(seen, work);
        return new Result(now, seen.medium().kind() == VolumeMedium.Kind.BLOCK_DEVICE);
    }

    /**
     * Grows the volume; a lack of space, after which the volume is as it was, is reported as
     * {@code CapacityOutOfRange}. The external resizer takes RESOURCE_EXHAUSTED for an expansion that may still be
     * under way, and lets nobody ask for less until it ends.
     */
    private static void grow(Backend backend, VolumeHandle handle, CapacityRange range, Work work) {
        try {
            backend.store().expand(handle.id(), range, work);
        } catch (StorageException refused) {
            if (refused.failure() instanceof Failure.OutOfSpace full) {
                throw new StorageException(new Failure.CapacityOutOfRange(full.message()), refused);
            }
            throw refused;
        }
    }

    private static StorageException notFound(String text) {
        return new StorageException(new Failure.VolumeNotFound(text));
    }
}
