package dev.fairlead.adapter.freenas.store.dataset;

import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Optional;

/**
 * Finds the dataset of an id. An id below a parent whose label was removed from the connection's file is refused: its
 * dataset may still exist, so it counts neither as missing nor as deleted.
 */
public record DatasetPlaces(DatasetLayout layout, DatasetCalls datasets) {
    /** Returns the dataset of a volume; empty for an id that no volume of this store can have. */
    public Optional<DatasetName> volume(NativeId id) {
        return layout.volume(id).or(() -> unknown(id));
    }

    /** Returns the place of a snapshot; empty for an id that no snapshot of this store can have. */
    public Optional<DatasetLayout.Place> snapshot(NativeId id) {
        return layout.snapshot(id).or(() -> unknown(id));
    }

    private <T> Optional<T> unknown(NativeId id) {
        layout.unknownLabel(id).ifPresent(label -> {
            throw datasets.rejected(id + " lies below the parent '" + label + "', and fairlead.parents of the"
                    + " connection's file has none of this name (any more); put it back, or destroy the dataset by"
                    + " hand");
        });
        return Optional.empty();
    }
}
