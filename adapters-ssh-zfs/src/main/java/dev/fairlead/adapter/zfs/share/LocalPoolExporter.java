package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.host.ZfsConnection;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Map;
import java.util.Optional;

/** Exports volumes of a pool on the node itself: nothing is shared, and the node needs only the dataset's name. */
final class LocalPoolExporter implements Exporter {
    private final ZfsConnection connection;
    private final VolumeMedium.Kind kind;

    LocalPoolExporter(ZfsConnection connection, VolumeMedium.Kind kind) {
        this.connection = connection;
        this.kind = kind;
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return kind;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(Map.of(), attachment(birth.id()));
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        return new Export(
                attachment(volume.id())
                        .orElseThrow(() -> new StorageException(
                                new Failure.VolumeNotFound(volume.id().value()))),
                Map.of());
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return attachment(volume.id());
    }

    private Optional<Attachment> attachment(NativeId id) {
        return connection.layout().volume(id).map(name -> new Attachment.ZfsLocal(name.value()));
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        // nothing to do: the name is gone with the dataset
    }

    @Override
    public void close() {
        connection.close();
    }
}
