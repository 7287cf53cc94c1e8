package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.copy.ContentCopy;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotRemoval;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetPlaces;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Takes snapshots of volumes as snapshots of their datasets, with their marks from the step that takes them. */
final class FreenasSnapshotStore implements SnapshotStore {
    static final String DETACHED = "detachedSnapshots";

    private final FreenasStoreSettings settings;
    private final DatasetLayout layout;
    private final DatasetCalls datasets;
    private final SnapshotCalls snapshots;
    private final ParentLookup parents;
    private final DetachedLookup detached;
    private final DatasetPlaces places;
    private final SnapshotRemoval removal;
    private final NamedSnapshots named;
    private final GroupLookup lookup;
    private final FreenasSnapshotGroups groups;
    private final SnapshotCopies copies;

    FreenasSnapshotStore(
            TruenasApi api,
            FreenasStoreSettings settings,
            ParentLookup parents,
            VolumeRemoval volumes,
            CallNotes notes,
            ContentCopy content) {
        this.settings = settings;
        this.layout = settings.layout();
        this.datasets = new DatasetCalls(api);
        this.snapshots = new SnapshotCalls(api);
        this.parents = parents;
        this.detached = new DetachedLookup(layout, datasets, parents);
        this.places = new DatasetPlaces(layout, datasets::rejected);
        this.named = new NamedSnapshots(layout, snapshots, parents, detached);
        this.removal = new SnapshotRemoval(snapshots, notes);
        this.lookup = new GroupLookup(layout, snapshots, parents);
        this.copies = new SnapshotCopies(api, layout, detached, volumes, notes, content);
        this.groups = new FreenasSnapshotGroups(api, settings, parents, lookup, removal);
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        DatasetName volume = places.volume(request.source()).orElseThrow(() -> notFound(request.source()));
        Map<String, String> properties = SnapshotProperties.of(request, settings.zfs());
        checkValues(properties);
        boolean copied = isDetached(request.parameters());
        NamedSnapshots.Found seen = named.find(request.name(), copied ? Optional.empty() : Optional.of(volume), work);
        if (!copied) {
            requireOurs(seen.volume(), request.source());
        }
        Optional<StoredSnapshot> existing = seen.snapshot();
        if (existing.isPresent()) {
            NativeId there = existing.get().id();
            place(there).ifPresent(place -> removal.requireStaying(List.of(place.name()), work));
            detached.name(there).ifPresent(copy -> copies.tidy(volume, copy, work));
            return existing.get();
        }
        SnapshotName name = SnapshotNaming.name(request.name(), request.source(), volume, maxIdBytes);
        if (copied) {
            return copy(request, volume, name.name(), properties, work);
        }
        NativeId id = new NativeId(request.source() + "@" + name.name());
        ApiResult taken = snapshots.create(name, properties, work);
        if (taken instanceof ApiResult.Refused refused && refused.isThereAlready()) {
            return find(id, work)
                    .orElseThrow(() -> new StorageException(new Failure.NotOurs(id.value(), "the snapshot " + name)));
        }
        if (taken instanceof ApiResult.Refused refused) {
            throw refused.isAbsent() || refused.says("does not exist") ? notFound(request.source()) : refused.failure();
        }
        return answered(taken, name, id, request, properties)
                .or(() -> find(id, work))
                .orElseThrow(() -> datasets.untrue(name + " was taken, and is not there when it is read back"));
    }

    /**
     * Returns a snapshot as the box has read it back when it answered that it was taken; empty if that has not all that
     * was sent, as from 26 on, which shows no properties of users there.
     */
    private Optional<StoredSnapshot> answered(
            ApiResult taken, SnapshotName name, NativeId id, SnapshotRequest request, Map<String, String> sent) {
        return taken instanceof ApiResult.Done(var row) && row.isJsonObject() && !DatasetLayout.isGroupName(name.name())
                ? SnapshotEntry.read(row.getAsJsonObject())
                        .filter(entry -> entry.name().equals(name) && entry.tells(sent, settings.isBlock()))
                        .map(entry -> new SnapshotProperties(name.toString(), id, request.source(), entry.rows()))
                        .filter(SnapshotProperties::isManaged)
                        .map(SnapshotProperties::snapshot)
                : Optional.empty();
    }

    private StoredSnapshot copy(
            SnapshotRequest request, DatasetName volume, String name, Map<String, String> properties, Work work) {
        DatasetName dataset = layout.detached(request.source(), name)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        DETACHED + ": true",
                        "give the connection a zfs.detachedSnapshotsDatasetParentName, or leave it out of the"
                                + " VolumeSnapshotClass")));
        detached.requirePool(work); // it throws if the parent has not its mark
        return copies.take(
                new SnapshotCopies.Wanted(
                        volume,
                        new NativeId(request.source() + "/" + name),
                        dataset,
                        properties,
                        () -> requireOurs(parents.find(volume, work), request.source())),
                work);
    }

    /** Says whether a class asks for copies of their own. */
    static boolean isDetached(Map<String, String> parameters) {
        return Boolean.parseBoolean(parameters.getOrDefault(DETACHED, "false"));
    }

    static void checkValues(Map<String, String> properties) {
        properties.forEach((key, value) -> {
            if (value.indexOf('\0') >= 0) {
                throw new StorageException(new Failure.InvalidRequest(
                        "parameters", "give the property " + key + " a value with a NUL (expected: none)"));
            }
        });
    }

    private void requireOurs(Optional<DatasetEntry> volume, NativeId id) {
        var _ = volume.filter(entry -> isVolume(entry.volume())).orElseThrow(() -> notFound(id));
    }

    private boolean isVolume(VolumeProperties found) {
        return found.isManaged()
                && found.isWhole()
                && found.isBlockDevice() == (settings.kind() == VolumeMedium.Kind.BLOCK_DEVICE);
    }

    private static StorageException notFound(NativeId id) {
        return new StorageException(new Failure.VolumeNotFound(id.value()));
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        return detached.name(id).isPresent()
                ? detached.entry(id, work).flatMap(detached::snapshot).map(SnapshotProperties::snapshot)
                : look(id, work).map(SnapshotProperties::snapshot);
    }

    private Optional<SnapshotProperties> look(NativeId id, Work work) {
        return place(id).flatMap(place -> {
            Optional<SnapshotEntry> found = snapshots.find(place.name(), work);
            if (found.isEmpty()) {
                parents.find(place.name().dataset(), work); // it throws if the pool is away
                found = snapshots.find(place.name(), work); // which may have come since
            }
            return shown(id, place, found, work);
        });
    }

    /** Returns what a caller is shown of a snapshot. */
    private Optional<SnapshotProperties> shown(
            NativeId id, DatasetLayout.Place.Snapshot place, Optional<SnapshotEntry> found, Work work) {
        return found.map(entry -> new SnapshotProperties(place.name().toString(), id, place.volume(), entry.rows()))
                .filter(SnapshotProperties::isManaged)
                .filter(_ -> !lookup.isUnfinished(place.name(), work));
    }

    private Optional<DatasetLayout.Place.Snapshot> place(NativeId id) {
        return places.snapshot(id)
                .flatMap(place -> place instanceof DatasetLayout.Place.Snapshot snapshot
                        ? Optional.of(snapshot)
                        : Optional.empty());
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        return named.find(name, Optional.empty(), work).snapshot();
    }

    @Override
    public void delete(NativeId id, Work work) {
        Optional<DatasetName> copy = detached.name(id);
        if (copy.isPresent()) {
            copies.delete(id, copy.get(), work);
            return;
        }
        Optional<SnapshotProperties> there = look(id, work);
        if (there.isEmpty()) {
            // What is left of a group that was not finished is nobody's, and is no member of one.
            place(id).filter(place -> lookup.isUnfinished(place.name(), work)).ifPresent(place -> {
                boolean _ = remove(id, place.name(), work);
            });
            return;
        }
        there.get().group().ifPresent(group -> {
            throw new StorageException(
                    new Failure.GroupMember(id.value(), group.id().value()));
        });
        DatasetLayout.Place.Snapshot place = place(id).orElseThrow();
        SnapshotName name = place.name();
        boolean isBelowDataset = remove(id, name, work);
        if ((isBelowDataset ? shown(id, place, snapshots.find(name, work), work) : look(id, work)).isPresent()) {
            throw datasets.untrue(name + " was deleted, and is still there");
        }
    }

    /** Returns whether the dataset that the snapshot was of has answered since, so that its pool is there. */
    private boolean remove(NativeId id, SnapshotName name, Work work) {
        SnapshotRemoval.Removed removed = removal.delete(name, work);
        removed.refusal().ifPresent(refused -> {
            throw refused.isBusy() || refused.says("clones") || refused.says("has the following holds")
                    ? inUse(id, refused.text())
                    : refused.failure();
        });
        return removed.isDatasetSeen();
    }

    private static StorageException inUse(NativeId id, String by) {
        return new StorageException(new Failure.InUse(id.value(), by, "delete what depends on it first"));
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        boolean none = source.isPresent() && layout.volume(source.get()).isEmpty();
        return page.cut(none ? new TreeMap<>() : all(source, work));
    }

    private SortedMap<String, StoredSnapshot> all(Optional<NativeId> source, Work work) {
        SortedMap<String, StoredSnapshot> found = new TreeMap<>();
        detached.all(source, work).forEach(copy -> found.put(copy.id().value(), copy.snapshot()));
        Optional<DatasetName> one = source.flatMap(layout::volume);
        if (one.isPresent()) {
            DatasetName parent = one.get().parent().orElseThrow();
            lookup.finished(parent, snapshots.of(one.get(), work), work).forEach(entry -> named.add(entry, found));
        } else {
            for (DatasetName parent : layout.parents().all()) {
                List<SnapshotEntry> below = snapshots.below(parent, work);
                if (below.isEmpty()) {
                    parents.requirePool(parent, work); // an empty list of a pool that is away would be believed
                    below = snapshots.below(parent, work); // which may have come since
                }
                lookup.finished(parent, below, work).forEach(entry -> named.add(entry, found));
            }
        }
        return found;
    }

    @Override
    public Optional<SnapshotGroups> groups() {
        return Optional.of(groups);
    }
}
