package dev.fairlead.zfs.dataset;

import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the dataset of an id. An id below a parent whose label was removed from the connection's file is refused: its
 * dataset may still exist, so it counts neither as missing nor as deleted.
 *
 * @param refusal makes the failure of a refusal, which names the connection
 */
public record DatasetPlaces(DatasetLayout layout, Function<String, StorageException> refusal) {
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
            throw refusal.apply(id + " lies below the parent '" + label + "', and fairlead.parents of the"
                    + " connection's file has none of this name (any more); put it back, or destroy the dataset by"
                    + " hand");
        });
        return Optional.empty();
    }
}
