package dev.fairlead.application.service.volume;

import dev.fairlead.application.port.in.volume.GetVolume;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.application.service.plan.VolumeViews;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.handle.VolumeHandle;

/** Looks a volume up by its handle. */
public record GetVolumeService(Connections connections, VolumeViews views) implements GetVolume {
    @Override
    public VolumeView get(String text, Work work) {
        VolumeHandle handle = views.codec().volume(text).orElseThrow(() -> notFound(text));
        try (ConnectionUse use = connections.use(handle.connection())) {
            return use.read(
                    work,
                    "get volume",
                    backend -> backend.store()
                            .find(handle.id(), work)
                            .map(volume -> views.reachable(backend, volume, work))
                            .orElseThrow(() -> notFound(text)));
        }
    }

    private static StorageException notFound(String text) {
        return new StorageException(new Failure.VolumeNotFound(text));
    }
}
