package dev.fairlead.adapter.freenas.store;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotEntry;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotRemoval;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetPlaces;
import dev.fairlead.zfs.snapshot.GroupMark;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Takes the snapshots of a group by one call on the parent of its volumes, and finds and deletes them as a group. */
final class FreenasSnapshotGroups implements SnapshotGroups {
    /** The most volumes of a group. */
    private static final int MOST = 100;

    private final FreenasStoreSettings settings;
    private final DatasetLayout layout;
    private final DatasetCalls datasets;
    private final GroupLookup lookup;
    private final SnapshotRemoval removal;
    private final GroupTaking taking;

    FreenasSnapshotGroups(
            TruenasApi api,
            FreenasStoreSettings settings,
            ParentLookup parents,
            GroupLookup lookup,
            SnapshotRemoval removal) {
        this.settings = settings;
        this.layout = settings.layout();
        this.datasets = new DatasetCalls(api);
        this.lookup = lookup;
        this.removal = removal;
        this.taking =
                new GroupTaking(settings.kind(), layout, datasets, new SnapshotCalls(api), parents, lookup, removal);
    }

    private static NativeId idOf(CsiName name, int maxIdBytes) {
        return SnapshotNaming.group(name, maxIdBytes);
    }

    @Override
    public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
        Map<NativeId, DatasetName> volumes = volumes(request);
        DatasetName parent = parent(request, volumes);
        NativeId id = idOf(request.name(), maxIdBytes);
        var mark = new GroupMark(id, GroupShape.of(request));
        Map<String, String> marks = SnapshotProperties.of(request, mark, settings.zfs());
        FreenasSnapshotStore.checkValues(marks);
        List<SnapshotEntry> there = lookup.of(id, work);
        Optional<StoredGroup> finished = lookup.group(id, there);
        if (finished.isPresent()) {
            removal.requireStaying(there.stream().map(SnapshotEntry::name).toList(), work);
            return finished.get();
        }
        var wanted = new GroupTaking.Wanted(id, parent, volumes, mark, marks);
        try {
            return taking.make(wanted, there, work);
        } catch (StorageException e) {
            if (FinalCodes.isFinal(e.failure())) {
                taking.clear(wanted, work.finishing());
            }
            throw e;
        }
    }

    private Map<NativeId, DatasetName> volumes(GroupRequest request) {
        var places = new DatasetPlaces(layout, datasets::rejected);
        Map<NativeId, DatasetName> volumes = new TreeMap<>();
        request.sources()
                .forEach(source -> volumes.put(
                        source,
                        places.volume(source)
                                .orElseThrow(() -> new StorageException(new Failure.VolumeNotFound(source.value())))));
        return volumes;
    }

    /** Returns the parent of all the volumes; throws if a group of them is not possible. */
    private static DatasetName parent(GroupRequest request, Map<NativeId, DatasetName> volumes) {
        if (FreenasSnapshotStore.isDetached(request.parameters())) {
            throw new StorageException(new Failure.Unsupported(
                    "detached snapshots of several volumes, which would be copied one after the other",
                    "leave " + FreenasSnapshotStore.DETACHED + " out of the VolumeGroupSnapshotClass"));
        }
        if (volumes.size() > MOST) {
            throw new StorageException(new Failure.InvalidRequest(
                    "source_volume_ids",
                    "name " + volumes.size() + " volumes (expected: at most " + MOST + " of one instant)"));
        }
        Set<String> parents = volumes.values().stream()
                .map(name -> name.parent().orElseThrow().value())
                .collect(Collectors.toCollection(TreeSet::new));
        if (parents.size() > 1) {
            throw new StorageException(new Failure.Unsupported(
                    "a group snapshot of volumes below several parents, " + parents + ", which a TrueNAS does not take"
                            + " by one call",
                    "select the volumes below one parent only"));
        }
        return volumes.values().iterator().next().parent().orElseThrow();
    }

    @Override
    public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work) {
        return find(idOf(name, maxIdBytes), work);
    }

    @Override
    public Optional<StoredGroup> find(NativeId id, Work work) {
        Optional<StoredGroup> found = lookup.group(id, lookup.of(id, work));
        if (found.isPresent()) {
            return found;
        }
        lookup.proveAbsence(work);
        return lookup.group(id, lookup.of(id, work)); // a pool may have come since
    }

    @Override
    public void delete(NativeId id, Work work) {
        List<SnapshotEntry> there = lookup.of(id, work);
        if (there.isEmpty()) {
            lookup.proveAbsence(work);
            there = lookup.of(id, work); // a pool may have come since
        }
        if (there.isEmpty()) {
            return;
        }
        taking.discard(there, work);
        if (!lookup.of(id, work).isEmpty()) {
            throw datasets.untrue("snapshots of " + id + " were deleted, and are still there");
        }
    }
}
