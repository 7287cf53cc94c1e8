package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.adapter.local.pool.dataset.DatasetFolders;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
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
import java.util.Objects;
import java.util.Optional;

/**
 * Exports volumes of the node's own pools by their paths, or the names of their datasets: nothing is shared; a folder
 * is bound, an image becomes a loop device, and a dataset is mounted.
 *
 * @param accepts a block device if a pool has images; it exports folders as well then
 */
record PoolExporter(ConnectionName connection, List<Path> pools, VolumeMedium.Kind accepts, Datasets datasets)
        implements Exporter {
    PoolExporter {
        pools = List.copyOf(pools);
    }

    @Override
    public Plan plan(VolumeStore.Birth birth) {
        return new Plan(Map.of(), isDataset(birth.medium()) ? Optional.empty() : attachment(birth.medium()));
    }

    private static boolean isDataset(VolumeMedium medium) {
        return Path.of(medium.path()).endsWith(VolumeDataset.FILE);
    }

    private Optional<Attachment> attachment(VolumeMedium medium) {
        Path place = Path.of(medium.path());
        if (!isBelow(place)) {
            return Optional.empty();
        }
        if (isDataset(medium)) {
            return dataset(place);
        }
        return Optional.of(
                switch (medium.kind()) {
                    case FILESYSTEM -> new Attachment.HostPath(place.toString());
                    case BLOCK_DEVICE -> new Attachment.LocalPool(place.toString());
                });
    }

    /** Returns the dataset that a file names; empty if there is no such file. */
    private Optional<Attachment> dataset(Path file) {
        return new DirectoryFailures(connection).during("reading " + file, () -> {
            Path folder = Objects.requireNonNull(file.getParent());
            for (Path pool : pools) {
                if (folder.startsWith(pool)) {
                    // As the pool's record says it too: a file alone may be a pod's.
                    DatasetFolders folders = new DatasetFolders(new BaseFolderLayout(pool));
                    Optional<VolumeDataset> named = folders.in(folder);
                    return named.isEmpty()
                            ? Optional.empty()
                            : Optional.of(new Attachment.ZfsLocal(named.get().below(folders.parent(datasets))));
                }
            }
            return Optional.empty();
        });
    }

    @Override
    public Export export(StoredVolume volume, Work work) {
        Path place = Path.of(volume.medium().path());
        if (!isBelow(place)) {
            throw new StorageException(
                    new Failure.BackendRejected(connection.value(), place + " is below none of the pools " + pools));
        }
        if (!isThere(volume.medium())) {
            throw new StorageException(missing(volume, place));
        }
        return new Export(
                attachment(volume.medium()).orElseThrow(() -> new StorageException(missing(volume, place))), Map.of());
    }

    private boolean isBelow(Path place) {
        return pools.stream().anyMatch(pool -> place.startsWith(pool) && !place.equals(pool));
    }

    private Failure missing(StoredVolume volume, Path place) {
        Path parent = isFolder(volume.medium())
                ? place.getParent()
                : place.resolveSibling("").getParent();
        return parent == null || Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
                ? new Failure.VolumeNotFound(volume.id().value())
                : new Failure.BackendUnavailable(
                        connection.value(), parent + " is not there: the pool's disk is not mounted");
    }

    private static boolean isFolder(VolumeMedium medium) {
        return medium.kind() == VolumeMedium.Kind.FILESYSTEM && !isDataset(medium);
    }

    private static boolean isThere(VolumeMedium medium) {
        Path place = Path.of(medium.path());
        return isFolder(medium)
                ? Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
                : Files.isRegularFile(place, LinkOption.NOFOLLOW_LINKS);
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
