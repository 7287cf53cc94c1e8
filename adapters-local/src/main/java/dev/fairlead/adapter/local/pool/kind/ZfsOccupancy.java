package dev.fairlead.adapter.local.pool.kind;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.base.RecordedFolders;
import dev.fairlead.adapter.local.pool.dataset.DatasetFolders;
import dev.fairlead.adapter.local.pool.dataset.Datasets;
import dev.fairlead.adapter.local.pool.dataset.Datasets.DatasetState;
import dev.fairlead.adapter.local.pool.dataset.VolumeDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Knows what datasets of a pool refer to. One that has no limit, as after its pool was restored, gets it again. */
final class ZfsOccupancy implements Occupancy {
    private final DatasetFolders folders;
    private final Datasets datasets;
    private Optional<Reading> read = Optional.empty();

    ZfsOccupancy(BaseFolderLayout layout, Datasets datasets) {
        this.folders = new DatasetFolders(layout);
        this.datasets = datasets;
    }

    /**
     * Holds what was read at once.
     *
     * @param parent the dataset that the pool lies on
     * @param all the states of that dataset and those directly below it
     */
    private record Reading(String parent, Map<String, DatasetState> all) {}

    private Reading read() throws IOException {
        if (read.isEmpty()) {
            String parent = folders.parent(datasets);
            read = Optional.of(new Reading(parent, datasets.at(parent)));
        }
        return read.orElseThrow();
    }

    @Override
    public Optional<SpaceUse> of(Path folder) throws IOException {
        Optional<VolumeDataset> named = VolumeDataset.in(folder);
        if (named.isEmpty()) {
            return RecordedFolders.stat(folder).isPresent() ? Optional.empty() : Optional.of(SpaceUse.NOTHING);
        }
        Optional<DatasetState> state =
                Optional.ofNullable(read().all().get(named.get().below(read().parent())));
        if (state.filter(it -> !isOwn(folder, named.get(), it)).isPresent()) {
            return Optional.empty(); // another's
        }
        return Optional.of(state.map(it -> new SpaceUse(it.limit(), it.referenced(), true, 0))
                .orElse(SpaceUse.NOTHING)); // newer than what was read
    }

    /** Returns whether a dataset is the folder's own; the record, which says so too, would be one more file to read. */
    private static boolean isOwn(Path folder, VolumeDataset named, DatasetState state) {
        return named.isOwn(state.owner()) && named.owner().endsWith("/" + folder.getFileName());
    }

    @Override
    public void restore(Path folder, long size) throws IOException {
        Optional<VolumeDataset> named = VolumeDataset.in(folder);
        if (named.isEmpty()) {
            return;
        }
        String dataset = named.get().below(read().parent());
        Optional<DatasetState> state = datasets.find(dataset).filter(it -> isOwn(folder, named.get(), it));
        if (state.filter(it -> it.limit() < size).isPresent()) { // else it has grown meanwhile
            datasets.limit(dataset, Math.max(size, state.get().referenced())); // less is refused
        }
    }

    @Override
    public void close() {
        read = Optional.empty();
    }
}
