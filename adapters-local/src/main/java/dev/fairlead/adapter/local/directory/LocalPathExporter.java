package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a folder reachable by its path on the node itself: nothing to do but to say the path and see that it is there.
 */
final class LocalPathExporter implements Exporter {
    private final ConnectionName connection;
    private final Path shareBase;

    private LocalPathExporter(ConnectionName connection, Path shareBase) {
        this.connection = connection;
        this.shareBase = shareBase;
    }

    /** Reads {@code shareBasePath}: the base folder as the node's host sees it. */
    static LocalPathExporter open(ConnectionScope scope, ConfigNode config) {
        ConfigNode block = DirectorySettings.block(scope.driverType(), config);
        return new LocalPathExporter(scope.name(), FolderPath.read(block, "shareBasePath"));
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(Map.of(), Optional.of(attachment(birth.id())));
    }

    private Attachment attachment(NativeId id) {
        return new Attachment.HostPath(
                new Layout(shareBase).volumes().place(id.value()).toString());
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        Path folder = Path.of(volume.medium().path());
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path shelf = folder.getParent();
            throw new StorageException(
                    shelf == null || Files.isDirectory(shelf, LinkOption.NOFOLLOW_LINKS)
                            ? new Failure.VolumeNotFound(volume.id().value())
                            : new Failure.BackendUnavailable(
                                    connection.value(),
                                    shelf + " is not there: what is to be mounted on it or above it is away"));
        }
        return new Export(attachment(volume.id()), Map.of());
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return Optional.of(attachment(volume.id()));
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        // the path goes with the folder
    }
}
