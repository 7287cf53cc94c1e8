package dev.fairlead.adapter.freenas.store.create;

import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SourceSnapshot;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetPlaces;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import dev.fairlead.zfs.volume.BirthSources;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.Optional;

/** Finds the snapshot that a volume with content is made of, and makes sure that its volume is ours. */
record BirthSource(
        FreenasStoreSettings settings, ParentLookup parents, SnapshotCalls snapshots, DetachedLookup detached) {
    /**
     * Returns the snapshot; empty if the volume is to be empty.
     *
     * @throws StorageException {@code VolumeNotFound}, {@code SnapshotNotFound}; {@code Unsupported} if it is of
     *     another connection
     */
    Optional<SnapshotName> of(Birth birth, Work work) {
        switch (birth.request().content()) {
            case Content.Empty _ -> {
                return Optional.empty();
            }
            case Content.Transferred _ ->
                throw unsupported("content of another connection", "name a class that allows the source's connection");
            case Content.OfVolume(var id) -> requireVolume(id, work);
            case Content.OfSnapshot(var id) -> requireSnapshot(id, work);
        }
        return new BirthSources(settings.layout()).of(birth);
    }

    /** Returns the helper to be taken; empty if the content is that of a snapshot that somebody asked for. */
    Optional<SourceSnapshot> helper(Birth birth) {
        return new BirthSources(settings.layout()).helper(birth).map(name -> new SourceSnapshot(snapshots, name));
    }

    /** Says how to do without a copy, if the box makes none. */
    static String otherwise(SnapshotName source, DatasetName name) {
        return source.dataset().pool().equals(name.pool())
                ? "leave the parameter out"
                : "name a class whose parent is in the pool of its source";
    }

    private void requireVolume(NativeId id, Work work) {
        boolean ours = places().volume(id).flatMap(name -> parents.find(name, work)).stream()
                .map(DatasetEntry::volume)
                .anyMatch(volume -> volume.isManaged() && volume.isWhole() && isOfKind(volume));
        if (!ours) {
            throw new StorageException(new Failure.VolumeNotFound(id.value()));
        }
    }

    private DatasetPlaces places() {
        return new DatasetPlaces(settings.layout(), detached.datasets()::rejected);
    }

    private boolean isOfKind(VolumeProperties volume) {
        return volume.isBlockDevice() == (settings.kind() == VolumeMedium.Kind.BLOCK_DEVICE);
    }

    private void requireSnapshot(NativeId id, Work work) {
        boolean ours = places().snapshot(id)
                .filter(place -> switch (place) {
                    case DatasetLayout.Place.Snapshot(var volume, var name) ->
                        snapshots
                                .find(name, work)
                                .map(entry -> new SnapshotProperties(name.toString(), id, volume, entry.rows()))
                                .filter(SnapshotProperties::isManaged)
                                .isPresent();
                    case DatasetLayout.Place.Detached _ ->
                        detached.entry(id, work)
                                .filter(entry -> isOfKind(entry.volume()))
                                .isPresent();
                })
                .isPresent();
        if (!ours) {
            throw new StorageException(new Failure.SnapshotNotFound(id.value()));
        }
    }

    private static StorageException unsupported(String what, String remedy) {
        return new StorageException(new Failure.Unsupported(what, remedy));
    }
}
