package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.volume.ModifyVolume;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.KeyedLocks;
import dev.fairlead.application.service.call.KeyedLocks.LockKey;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.MutableParameters;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.handle.VolumeHandle;
import java.util.Map;

/** Checks all parameters of a request, then lets the store change the volume, all or nothing. */
public record ModifyVolumeService(Connections connections, HandleCodec codec, KeyedLocks locks)
        implements ModifyVolume {
    @Override
    public void modify(String text, Map<String, String> mutable, Work work) {
        VolumeHandle handle = codec.volume(text).orElseThrow(() -> notFound(text));
        try (ConnectionUse use = connections.use(handle.connection())) {
            Map<String, String> applying = MutableParameters.of(use.backend(), mutable);
            locks.exclusively(
                    LockKey.volume(text),
                    work,
                    () -> use.run(
                            work, work.what(), (backend, its) -> modify(backend.store(), handle, text, applying, its)));
        }
    }

    private static void modify(
            VolumeStore store, VolumeHandle handle, String text, Map<String, String> applying, Work work) {
        if (applying.isEmpty()) {
            if (store.find(handle.id(), work).isEmpty()) {
                throw notFound(text);
            }
        } else {
            store.modification().orElseThrow().modify(handle.id(), applying, work);
        }
    }

    private static StorageException notFound(String text) {
        return new StorageException(new Failure.VolumeNotFound(text));
    }
}
