package dev.fairlead.adapter.local.pool.identity;

import dev.fairlead.adapter.local.pool.dataset.Datasets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the identity of a pool of ZFS: the GUID of the dataset that a folder is on, which a dataset keeps if it is
 * renamed or if its zpool is imported elsewhere, and which a received copy of it does not have.
 */
public final class DatasetIdentity implements DiskIdentity {
    private final Datasets datasets;
    private final DiskIdentity others;

    /** @param others asked where no dataset is */
    public DatasetIdentity(Datasets datasets, DiskIdentity others) {
        this.datasets = datasets;
        this.others = others;
    }

    @Override
    public Optional<String> of(Path path) throws IOException {
        Optional<String> dataset = datasets.of(path);
        return dataset.isPresent() ? datasets.guid(dataset.get()) : others.of(path);
    }
}
