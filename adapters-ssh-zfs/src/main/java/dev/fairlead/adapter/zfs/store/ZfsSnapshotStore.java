package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.destroy.RemovalPart;
import dev.fairlead.adapter.zfs.store.snapshot.DetachedSnapshots;
import dev.fairlead.adapter.zfs.store.snapshot.SnapshotCatalogue;
import dev.fairlead.adapter.zfs.store.snapshot.SnapshotTaking;
import dev.fairlead.adapter.zfs.store.snapshot.SnapshotTaking.TakingPart;
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
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetPlaces;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.settings.ZfsSettings;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Takes snapshots of volumes as snapshots of their datasets. */
final class ZfsSnapshotStore implements SnapshotStore {
    static final String DETACHED = "detachedSnapshots";

    private final ZfsHost host;
    private final DatasetLayout layout;
    private final DatasetType type;
    private final ZfsSettings settings;
    private final DatasetPlaces lookup;
    private final DetachedSnapshots detached;
    private final SnapshotCatalogue catalogue;
    private final SnapshotTaking taking;
    private final ZfsSnapshotGroups groups;

    /** @param type the type of its volumes' datasets; others below the same parent belong to another connection */
    ZfsSnapshotStore(
            ZfsHost host, DatasetLayout layout, DatasetType type, ZfsSettings settings, ForeignSnapshots foreign) {
        this.host = host;
        this.type = type;
        this.layout = layout;
        this.settings = settings;
        this.lookup = new DatasetPlaces(layout, host::rejected);
        this.detached = new DetachedSnapshots(host, layout, foreign);
        this.catalogue = new SnapshotCatalogue(host, layout);
        this.taking = new SnapshotTaking(host, layout, type, settings);
        this.groups = new ZfsSnapshotGroups(host, layout, type, settings);
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        Rows.requireUnambiguous(request.name());
        DatasetName volume = lookup.volume(request.source())
                .orElseThrow(() -> new StorageException(
                        new Failure.VolumeNotFound(request.source().value())));
        if (!SnapshotNaming.hasRoom(request.source(), volume, maxIdBytes)) {
            requireOurs(volume, request.source(), work);
        }
        SnapshotName name = SnapshotNaming.name(request.name(), request.source(), volume, maxIdBytes);
        boolean copies = isDetached(request.parameters());
        if (!copies) {
            StepsOutcome outcome = taking.run(taking.unused(volume, request.name()), name, request, work);
            if (!outcome.failedIn(TakingPart.UNUSED)) {
                return taken(outcome, name, request, work);
            }
        }
        // The name is in use, or the volume is not ours, or that could not be found out.
        Optional<StoredSnapshot> existing = findByName(request.name(), work);
        if (existing.isPresent()) {
            return existing.get();
        }
        if (copies) {
            return takeDetached(request, volume, name.name(), work);
        }
        requireOurs(volume, request.source(), work);
        return taken(taking.run(new Steps(), name, request, work), name, request, work);
    }

    private StoredSnapshot taken(StepsOutcome outcome, SnapshotName name, SnapshotRequest request, Work work) {
        NativeId id = new NativeId(request.source() + "@" + name.name());
        if (outcome.failedIn(TakingPart.SNAPSHOT, Complaint.ALREADY_EXISTS)) {
            return alone(find(id, work)
                    .orElseThrow(() -> new StorageException(new Failure.NotOurs(id.value(), "the snapshot " + name))));
        }
        if (outcome.failedIn(TakingPart.SNAPSHOT, Complaint.DOES_NOT_EXIST)) {
            throw new StorageException(
                    new Failure.VolumeNotFound(request.source().value()));
        }
        return Optional.ofNullable(host.rows(outcome, name.toString(), SnapshotProperties.ASKED)
                        .get(name.toString()))
                .map(rows -> new SnapshotProperties(name.toString(), id, request.source(), rows))
                .filter(SnapshotProperties::isManaged)
                .map(SnapshotProperties::snapshot)
                .orElseThrow(() -> host.untrue(name + " was taken, and is not there when it is read back"));
    }

    /** Returns the snapshot, or throws if it was taken with a group. */
    private static StoredSnapshot alone(StoredSnapshot there) {
        there.group().ifPresent(group -> {
            throw new StorageException(
                    new Failure.SnapshotConflict(there.id().value(), "it was taken with the group snapshot " + group));
        });
        return there;
    }

    private void requireOurs(DatasetName volume, NativeId id, Work work) {
        boolean ours = host.get(volume.value(), VolumeProperties.ASKED, work)
                .map(rows -> new VolumeProperties(volume, rows))
                .filter(found -> found.isManaged() && found.isWhole() && found.isOf(type))
                .isPresent();
        if (!ours) {
            throw new StorageException(new Failure.VolumeNotFound(id.value()));
        }
    }

    /** Returns whether a class asks for a copy of its own, by send and receive. */
    static boolean isDetached(Map<String, String> parameters) {
        return Boolean.parseBoolean(parameters.getOrDefault(DETACHED, "false"));
    }

    private StoredSnapshot takeDetached(SnapshotRequest request, DatasetName volume, String name, Work work) {
        DatasetName dataset = layout.detached(request.source(), name)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        DETACHED + ": true",
                        "give the connection a zfs.detachedSnapshotsDatasetParentName, or leave it out of the"
                                + " VolumeSnapshotClass")));
        NativeId id = new NativeId(request.source() + "/" + name);
        Map<String, String> properties = SnapshotProperties.of(request, settings);
        // The source of a copy that has all its content may be gone by now.
        Optional<StoredSnapshot> begun = detached.finish(volume, dataset, id, properties, work);
        if (begun.isPresent()) {
            return begun.get();
        }
        requireOurs(volume, request.source(), work);
        return detached.take(volume, dataset, id, properties, work);
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        return lookup.snapshot(id).flatMap(place -> switch (place) {
            case DatasetLayout.Place.Snapshot snapshot ->
                look(id, snapshot, work).map(SnapshotProperties::snapshot);
            case DatasetLayout.Place.Detached copy -> detached.find(copy.name(), work);
        });
    }

    private Optional<SnapshotProperties> look(NativeId id, DatasetLayout.Place.Snapshot place, Work work) {
        String name = place.name().toString();
        return host.get(name, SnapshotProperties.ASKED, work)
                .map(rows -> new SnapshotProperties(name, id, place.volume(), rows))
                .filter(SnapshotProperties::isManaged);
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
        lookup.snapshot(id).ifPresent(place -> {
            switch (place) {
                case DatasetLayout.Place.Snapshot snapshot -> delete(id, snapshot, work);
                case DatasetLayout.Place.Detached copy -> detached.delete(id, copy.name(), work);
            }
        });
    }

    private void delete(NativeId id, DatasetLayout.Place.Snapshot place, Work work) {
        Optional<SnapshotProperties> there = look(id, place, work);
        if (there.isEmpty()) {
            return;
        }
        there.get().group().ifPresent(group -> {
            throw new StorageException(
                    new Failure.GroupMember(id.value(), group.id().value()));
        });
        SnapshotName name = place.name();
        // If volumes were restored from it, it disappears with the last of them; until then nobody can use it any
        // more.
        Steps steps = new Steps()
                .then(host.zfs().destroy(name, true))
                .then(RemovalPart.ABSENCE, host.zfs().exists(name.toString()));
        StepsOutcome outcome = host.run("zfs destroy", name.toString(), steps, work);
        if (outcome.failedIn(RemovalPart.ABSENCE, Complaint.DOES_NOT_EXIST)) {
            return;
        }
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
        if (look(id, place, work).isPresent()) {
            throw host.untrue(name + " was destroyed, and is still there");
        }
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        boolean none = source.isPresent() && layout.volume(source.get()).isEmpty();
        return page.cut(none ? new TreeMap<>() : all(source, work));
    }

    private SortedMap<String, StoredSnapshot> all(Optional<NativeId> source, Work work) {
        SortedMap<String, StoredSnapshot> found = detached.list(source, work);
        catalogue.all(source, work).forEach((id, snapshot) -> found.put(id, snapshot.snapshot()));
        return found;
    }

    @Override
    public Optional<SnapshotGroups> groups() {
        return Optional.of(groups);
    }
}
