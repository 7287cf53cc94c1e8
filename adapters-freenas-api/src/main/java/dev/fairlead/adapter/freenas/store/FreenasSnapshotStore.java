package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
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
    private static final String DETACHED = "detachedSnapshots";

    private final FreenasStoreSettings settings;
    private final DatasetLayout layout;
    private final DatasetCalls datasets;
    private final SnapshotCalls snapshots;
    private final ParentLookup parents;
    private final DetachedLookup detached;
    private final CallNotes notes;

    FreenasSnapshotStore(TruenasApi api, FreenasStoreSettings settings, ParentLookup parents, CallNotes notes) {
        this.settings = settings;
        this.layout = settings.layout();
        this.datasets = new DatasetCalls(api);
        this.snapshots = new SnapshotCalls(api);
        this.parents = parents;
        this.detached = new DetachedLookup(layout, datasets, parents);
        this.notes = notes;
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        DatasetName volume = layout.volume(request.source()).orElseThrow(() -> notFound(request.source()));
        if (Boolean.parseBoolean(request.parameters().getOrDefault(DETACHED, "false"))) {
            throw new StorageException(new Failure.Unsupported(
                    DETACHED + ": true of a store by the API",
                    "leave it out of the VolumeSnapshotClass, or use a driver that has an sshConnection"));
        }
        DatasetEntry source = ours(volume, request.source(), work);
        Map<String, String> properties = SnapshotProperties.of(request, settings.zfs());
        checkValues(properties);
        Optional<StoredSnapshot> existing = findByName(request.name(), work);
        if (existing.isPresent()) {
            place(existing.get().id())
                    .ifPresent(place -> notes.requireNone(source, place.name().toString()));
            return existing.get();
        }
        SnapshotName name = SnapshotNaming.name(request.name(), request.source(), volume, maxIdBytes);
        NativeId id = new NativeId(request.source() + "@" + name.name());
        ApiResult taken = snapshots.create(name, properties, work);
        if (taken instanceof ApiResult.Refused refused && refused.isThereAlready()) {
            return find(id, work)
                    .orElseThrow(() -> new StorageException(new Failure.NotOurs(id.value(), "the snapshot " + name)));
        }
        if (taken instanceof ApiResult.Refused refused) {
            throw refused.isAbsent() || refused.says("does not exist") ? notFound(request.source()) : refused.failure();
        }
        return find(id, work)
                .orElseThrow(() -> datasets.untrue(name + " was taken, and is not there when it is read back"));
    }

    private static void checkValues(Map<String, String> properties) {
        properties.forEach((key, value) -> {
            if (value.indexOf('\0') >= 0) {
                throw new StorageException(new Failure.InvalidRequest(
                        "parameters", "give the property " + key + " a value with a NUL (expected: none)"));
            }
        });
    }

    private DatasetEntry ours(DatasetName volume, NativeId id, Work work) {
        return parents.find(volume, work)
                .filter(entry -> isVolume(entry.volume()))
                .orElseThrow(() -> notFound(id));
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
        return look(id, work).map(SnapshotProperties::snapshot);
    }

    private Optional<SnapshotProperties> look(NativeId id, Work work) {
        detached.requireNone(id, work);
        return place(id).flatMap(place -> {
            Optional<SnapshotEntry> found = snapshots.find(place.name(), work);
            if (found.isEmpty()) {
                parents.find(place.name().dataset(), work); // it throws if the pool is away
            }
            return found.map(entry -> new SnapshotProperties(place.name().toString(), id, place.volume(), entry.rows()))
                    .filter(SnapshotProperties::isManaged);
        });
    }

    private Optional<DatasetLayout.Place.Snapshot> place(NativeId id) {
        return layout.snapshot(id)
                .flatMap(place -> place instanceof DatasetLayout.Place.Snapshot snapshot
                        ? Optional.of(snapshot)
                        : Optional.empty());
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        return all(Optional.empty(), work).values().stream()
                .filter(snapshot -> snapshot.group().isEmpty())
                .filter(snapshot -> snapshot.name().filter(name::equals).isPresent())
                .findFirst();
    }

    @Override
    public void delete(NativeId id, Work work) {
        Optional<SnapshotProperties> there = look(id, work);
        if (there.isEmpty()) {
            return;
        }
        there.get().group().ifPresent(group -> {
            throw new StorageException(
                    new Failure.GroupMember(id.value(), group.id().value()));
        });
        SnapshotName name = place(id).orElseThrow().name();
        // 26 sets no properties of snapshots, so the note is their dataset's.
        Optional<CallNotes.CallNote> noted = notes.note(name.dataset(), name.toString(), Optional.empty(), work);
        if (noted.isEmpty()) {
            return;
        }
        // If volumes were restored from it, it goes with the last of them; until then nobody can use it any more.
        ApiResult deleted = notes.send(noted.get(), left -> snapshots.delete(name, true, left, work));
        notes.withdraw(noted.get(), work);
        if (deleted instanceof ApiResult.Refused refused && !refused.isAbsent() && !refused.says("not found")) {
            throw refused.isBusy() || refused.says("clones") || refused.says("hold")
                    ? inUse(id, refused.text())
                    : refused.failure();
        }
        if (look(id, work).isPresent()) {
            throw datasets.untrue(name + " was deleted, and is still there");
        }
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
        Optional<DatasetName> one = source.flatMap(layout::volume);
        if (one.isPresent()) {
            snapshots.of(one.get(), work).forEach(entry -> add(entry, found));
        } else {
            for (DatasetName parent : layout.parents().all()) {
                List<SnapshotEntry> below = snapshots.below(parent, work);
                if (below.isEmpty()) {
                    parents.requirePool(parent, work); // an empty list of a pool that is away would be believed
                }
                below.forEach(entry -> add(entry, found));
            }
        }
        return found;
    }

    private void add(SnapshotEntry entry, SortedMap<String, StoredSnapshot> into) {
        SnapshotName name = entry.name();
        layout.snapshot(name)
                .flatMap(id -> layout.volume(name.dataset())
                        .map(volume -> new SnapshotProperties(name.toString(), id, volume, entry.rows())))
                .filter(SnapshotProperties::isManaged)
                .ifPresent(snapshot -> into.put(snapshot.id().value(), snapshot.snapshot()));
    }
}
