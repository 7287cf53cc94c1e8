package dev.fairlead.zfs.volume;

import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.Optional;

/** Finds the snapshot that a volume with content is made of, and whether it is copied or cloned. */
public record BirthSources(DatasetLayout layout) {
    /**
     * Returns the snapshot that the content comes from: one that was asked for, or a helper that is taken for the
     * volume.
     */
    public Optional<SnapshotName> of(Birth birth) {
        return switch (birth.request().content()) {
            case Content.Empty _ -> Optional.empty();
            case Content.Transferred _ -> throw new IllegalArgumentException(birth.id() + " is made by a receiver");
            case Content.OfVolume(var id) -> Optional.of(layout.originFor(dataset(id), birth.id()));
            case Content.OfSnapshot(var id) ->
                Optional.of(
                        switch (layout.snapshot(id)
                                .orElseThrow(() -> new StorageException(new Failure.SnapshotNotFound(id.value())))) {
                            case DatasetLayout.Place.Snapshot snapshot -> snapshot.name();
                            case DatasetLayout.Place.Detached detached -> layout.originFor(detached.name(), birth.id());
                        });
        };
    }

    /**
     * Returns the helper snapshot that is taken for the volume; empty if it is made of one that somebody asked for,
     * whatever its name.
     */
    public Optional<SnapshotName> helper(Birth birth) {
        return isTakenFor(birth.request().content(), layout) ? of(birth) : Optional.empty();
    }

    /** Returns whether a snapshot of a volume or of a detached snapshot is taken for this content. */
    public static boolean isTakenFor(Content content, DatasetLayout layout) {
        return switch (content) {
            case Content.Empty _, Content.Transferred _ -> false;
            case Content.OfVolume _ -> true;
            case Content.OfSnapshot(var id) ->
                layout.snapshot(id)
                        .filter(DatasetLayout.Place.Detached.class::isInstance)
                        .isPresent();
        };
    }

    private DatasetName dataset(NativeId volume) {
        return layout.volume(volume)
                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(volume.value())));
    }

    /**
     * Returns whether the source is copied: a class may ask for independent volumes, and a clone cannot leave its pool.
     */
    public static boolean isCopied(Birth birth, SnapshotName source, DatasetName name) {
        String key = birth.request().content() instanceof Content.OfVolume
                ? "detachedVolumesFromVolumes"
                : "detachedVolumesFromSnapshots";
        return Boolean.parseBoolean(birth.request().parameters().getOrDefault(key, "false"))
                || !source.dataset().pool().equals(name.pool());
    }
}
