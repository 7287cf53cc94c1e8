package dev.fairlead.adapter.local.pool;

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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Exports volumes of the node's own pools by their paths: nothing is shared; a folder is bound, and an image becomes a
 * loop device.
 *
 * @param accepts a block device if a pool has images; it exports folders as well then
 */
record PoolExporter(ConnectionName connection, List<Path> pools, VolumeMedium.Kind accepts) implements Exporter {
    PoolExporter {
        pools = List.copyOf(pools);
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(Map.of(), attachment(birth.medium()));
    }

    private Optional<Attachment> attachment(VolumeMedium medium) {
        Path place = Path.of(medium.path());
        return pools.stream().anyMatch(pool -> place.startsWith(pool) && !place.equals(pool))
                ? Optional.of(
                        switch (medium.kind()) {
                            case FILESYSTEM -> new Attachment.HostPath(place.toString());
                            case BLOCK_DEVICE -> new Attachment.LocalPool(place.toString());
                        })
                : Optional.empty();
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        Path place = Path.of(volume.medium().path());
        Attachment attachment = attachment(volume.medium())
                .orElseThrow(() -> new StorageException(new Failure.BackendRejected(
                        connection.value(), place + " is below none of the pools " + pools)));
        if (!isThere(volume.medium())) {
            Path parent = volume.medium().kind() == VolumeMedium.Kind.FILESYSTEM
                    ? place.getParent()
                    : place.resolveSibling("").getParent();
            throw new StorageException(
                    parent == null || Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
                            ? new Failure.VolumeNotFound(volume.id().value())
                            : new Failure.BackendUnavailable(
                                    connection.value(), parent + " is not there: the pool's disk is not mounted"));
        }
        return new Export(attachment, Map.of());
    }

    private static boolean isThere(VolumeMedium medium) {
        Path place = Path.of(medium.path());
        return switch (medium.kind()) {
            case FILESYSTEM -> Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
            case BLOCK_DEVICE -> Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
        };
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
