package dev.fairlead.adapter.local.directory;

import dev.fairlead.adapter.local.directory.settings.DirectorySettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.FolderPath;
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
 * Exports a folder by its path on the node itself: it only checks that the folder exists. Of the store that made it no
 * more is known than the base folder that all its folders lie below.
 */
final class LocalPathExporter implements Exporter {
    private final ConnectionName connection;
    private final Path base;
    private final Path shareBase;

    private LocalPathExporter(ConnectionName connection, Path base, Path shareBase) {
        this.connection = connection;
        this.base = base;
        this.shareBase = shareBase;
    }

    /** Opens an exporter with {@code shareBasePath}: the path of the base folder on the node. */
    static LocalPathExporter open(ConnectionScope scope, ConfigNode config) {
        ConfigNode block = config.child(scope.block());
        return new LocalPathExporter(
                scope.name(), DirectorySettings.base(scope, block), FolderPath.read(block, "shareBasePath"));
    }

    @Override
    public VolumeMedium.Kind accepts() {
        return VolumeMedium.Kind.FILESYSTEM;
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(Map.of(), attachment(birth.medium()));
    }

    private Optional<Attachment> attachment(VolumeMedium medium) {
        Path folder = Path.of(medium.path());
        return folder.startsWith(base) && !folder.equals(base)
                ? Optional.of(new Attachment.HostPath(
                        shareBase.resolve(base.relativize(folder)).toString()))
                : Optional.empty();
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        Path folder = Path.of(volume.medium().path());
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = folder.getParent();
            throw new StorageException(
                    parent == null || Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
                            ? new Failure.VolumeNotFound(volume.id().value())
                            : new Failure.BackendUnavailable(
                                    connection.value(),
                                    parent + " is not there: what is to be mounted on it or above it is away"));
        }
        return new Export(attachment(volume.medium()).orElseThrow(() -> outside(folder)), Map.of());
    }

    private StorageException outside(Path folder) {
        return new StorageException(new Failure.BackendRejected(
                connection.value(),
                folder + " is not below " + base + ", so that no node finds it below " + shareBase));
    }

    @Override
    public Optional<Attachment> attachment(StoredVolume volume, Work work) {
        return attachment(volume.medium());
    }

    @Override
    public void unexport(NativeId id, Optional<VolumeMedium> where, Optional<StoredVolume> stored, Work work) {
        // nothing to do: the path is gone with the folder
    }
}
