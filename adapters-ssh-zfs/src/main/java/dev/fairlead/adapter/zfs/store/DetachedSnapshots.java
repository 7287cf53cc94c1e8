package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.DatasetType;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.property.OwnProperties;
import dev.fairlead.application.port.out.store.VolumeStore.Departure;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Snapshots that are copies by send and receive, datasets of their own below
 * {@code detachedSnapshotsDatasetParentName}: they outlive their volume, and their pool may be another.
 */
final class DetachedSnapshots {
    private static final Set<DatasetType> DATASETS = Set.of(DatasetType.FILESYSTEM, DatasetType.VOLUME);

    private static final Map<String, String> HOLDER = Map.of(OwnProperties.STATE, OwnProperties.HOLDER);

    private final ZfsHost host;
    private final Layout layout;
    private final ForeignSnapshots foreign;

    DetachedSnapshots(ZfsHost host, Layout layout, ForeignSnapshots foreign) {
        this.host = host;
        this.layout = layout;
        this.foreign = foreign;
    }

    /**
     * Makes a copy of a volume as it is now; one that an earlier call has begun is finished.
     *
     * @param name of the dataset that it becomes
     * @param properties its marks, all of which it is born with
     */
    StoredSnapshot take(DatasetName volume, DatasetName name, NativeId id, Map<String, String> properties, Work work) {
        var source = new TakenSource(host, layout.originFor(volume, name));
        DatasetName holder = name.parent().orElseThrow();
        try {
            return take(source, holder, name, id, properties, work);
        } catch (StorageException thrown) {
            throw source.afterwards(thrown, its -> release(holder, its), work);
        }
    }

    private StoredSnapshot take(
            TakenSource source,
            DatasetName holder,
            DatasetName name,
            NativeId id,
            Map<String, String> properties,
            Work work) {
        SnapshotName helper = source.name();
        SnapshotName received = name.snapshot(helper.name());
        Outcome taken = host.run(
                "zfs snapshot",
                helper.toString(),
                new Steps().then(zfs().createHolder(holder, HOLDER)).and(source.taken()),
                work);
        if (!taken.succeeded() && !taken.failedAt(1, Complaint.ALREADY_EXISTS)) {
            throw host.failure("taking " + helper, taken);
        }
        Steps rest = new Steps()
                .remove(zfs().destroy(received, false), zfs().exists(received.toString()))
                .remove(zfs().destroy(helper, true), zfs().exists(helper.toString()))
                .then(zfs().get(name.value(), SnapshotProperties.ASKED));
        Steps all = new Steps()
                .pipe(zfs().send(helper), zfs().receive(received, false, properties))
                .and(rest);
        Outcome outcome = host.copy("zfs send", name.value(), all, work);
        if (outcome.failedAt(0, Complaint.DESTINATION_EXISTS) || outcome.failedAt(0, Complaint.ALREADY_EXISTS)) {
            Steps claim = new Steps();
            if (host.get(received.toString(), List.of("type"), work).isPresent()) {
                claim.then(zfs().set(name.value(), properties)); // cut before it had its marks
            }
            outcome = host.run("zfs set", name.value(), claim.and(rest), work);
        }
        return Optional.ofNullable(host.rows(outcome, name.value(), SnapshotProperties.ASKED)
                        .get(name.value()))
                .flatMap(rows -> snapshot(name, rows))
                .orElseThrow(() -> new StorageException(new Failure.NotOurs(id.value(), "the dataset " + name)));
    }

    private Optional<StoredSnapshot> snapshot(
            DatasetName name, Map<String, dev.fairlead.adapter.zfs.cli.Rows.Property> rows) {
        return layout.detached(name)
                .flatMap(id -> layout.snapshot(id)
                        .map(place -> new SnapshotProperties(name.value(), id, place.volume(), rows)))
                .filter(SnapshotProperties::isManaged)
                .map(SnapshotProperties::snapshot);
    }

    Optional<StoredSnapshot> find(DatasetName name, Work work) {
        return host.get(name.value(), SnapshotProperties.ASKED, work).flatMap(rows -> snapshot(name, rows));
    }

    /** By their ids, all or those of one volume. */
    SortedMap<String, StoredSnapshot> list(Optional<NativeId> volume, Work work) {
        SortedMap<String, StoredSnapshot> found = new TreeMap<>();
        layout.detachedParent()
                .map(top -> volume.map(id -> top.child(id.value())).orElse(top))
                .map(top -> host.below(top, volume.isPresent() ? 1 : 2, DATASETS, SnapshotProperties.ASKED, work))
                .ifPresent(all -> all.forEach((text, rows) -> DatasetName.of(text)
                        .flatMap(name -> snapshot(name, rows))
                        .ifPresent(snapshot -> found.put(snapshot.id().value(), snapshot))));
        return found;
    }

    /** Destroys one, with the snapshots that nothing hangs on any more; and its holder, where it was the last there. */
    void delete(NativeId id, DatasetName name, Work work) {
        if (find(name, work).isEmpty()) {
            name.parent().ifPresent(holder -> release(holder, work)); // which a call that was cut has left
            return;
        }
        Family family = Family.of(host, name, work).orElseThrow(() -> host.untrue(name + " went while looked at"));
        new Departure(Optional.empty(), family.obstacles(OnDependents.REFUSE, foreign)).refuseIfBarred(id.value());
        new Purge(host).of(family, name, work);
        Steps steps = new Steps();
        family.snapshots().stream()
                .filter(family::isHelper)
                .limit(50)
                .forEach(snapshot -> steps.then(zfs().destroy(snapshot, false)));
        Outcome outcome = host.run("zfs destroy", name.value(), steps.then(zfs().destroy(name)), work);
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
        if (find(name, work).isPresent()) {
            throw host.untrue(name + " was destroyed, and is still there");
        }
        name.parent().ifPresent(holder -> release(holder, work));
    }

    /** ZFS itself refuses to destroy one that holds anything. One that we did not make stays. */
    private void release(DatasetName holder, Work work) {
        boolean ours = host.get(holder.value(), HOLDER.keySet(), work)
                .map(rows -> rows.get(OwnProperties.STATE))
                .filter(property -> property.isOwn() && property.value().equals(OwnProperties.HOLDER))
                .isPresent();
        if (ours) {
            host.run("zfs destroy", holder.value(), new Steps().then(zfs().destroy(holder)), work);
        }
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
