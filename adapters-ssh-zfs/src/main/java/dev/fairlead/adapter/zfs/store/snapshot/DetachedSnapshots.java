package dev.fairlead.adapter.zfs.store.snapshot;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.cli.ZfsCommands;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.volume.NativeProperties;
import dev.fairlead.adapter.zfs.store.volume.TreeLookup;
import dev.fairlead.application.port.out.store.VolumeStore.DeletionCheck;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.property.StreamReceipt;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Keeps snapshots that are copies by send and receive, as datasets of their own below
 * {@code detachedSnapshotsDatasetParentName}: they outlive their volume, and may be in another pool.
 */
public final class DetachedSnapshots {
    private enum CopyPart implements Steps.Part {
        HELPER,
        STREAM,
        FINISHING
    }

    private static final Set<DatasetType> DATASETS = Set.of(DatasetType.FILESYSTEM, DatasetType.VOLUME);

    private final ZfsHost host;

    /** The host for steps that make a detached snapshot, and may make the dataset that holds it. */
    private final ZfsHost making;

    private final DatasetLayout layout;
    private final ForeignSnapshots foreign;

    public DetachedSnapshots(ZfsHost host, DatasetLayout layout, ForeignSnapshots foreign) {
        this.host = host;
        this.making = host.making();
        this.layout = layout;
        this.foreign = foreign;
    }

    /**
     * Makes a copy of the volume's present content.
     *
     * @param name the name of the dataset that it becomes
     * @param properties its marks, all of which it has from the start
     */
    public StoredSnapshot take(
            DatasetName volume, DatasetName name, NativeId id, Map<String, String> properties, Work work) {
        var source = new TakenSource(host, layout.originFor(volume, name));
        DatasetName holder = name.parent().orElseThrow();
        try {
            return take(source, holder, name, id, properties, work);
        } catch (StorageException thrown) {
            throw source.afterwards(thrown, its -> discard(name, its), work);
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
        StepsOutcome taken = host.run(
                "zfs snapshot",
                helper.toString(),
                new Steps()
                        .then(zfs().createHolder(holder, SnapshotHolder.MARK))
                        .and(CopyPart.HELPER, source.taken()),
                work);
        if (!taken.succeeded() && !taken.failedIn(CopyPart.HELPER, Complaint.ALREADY_EXISTS)) {
            throw host.failure("taking " + helper, taken);
        }
        SnapshotName received = name.snapshot(helper.name());
        Steps stream = new Steps().pipe(zfs().send(helper), zfs().receive(received, false, begun(properties)));
        Steps all = new Steps().and(CopyPart.STREAM, stream).and(finishing(helper, name, properties));
        StepsOutcome outcome = host.copy(DatasetLayout.volumeOf(id), name.value(), all, work);
        if (outcome.failedIn(CopyPart.STREAM, Complaint.DESTINATION_EXISTS)
                || outcome.failedIn(CopyPart.STREAM, Complaint.ALREADY_EXISTS)) {
            return finish(helper, name, id, properties, work)
                    .orElseThrow(() -> host.notNow(name + " was there, and has gone; ask again"));
        }
        return made(outcome, name, properties);
    }

    /**
     * Finishes what an earlier call began, without its source; empty if there is nothing of it.
     *
     * @throws StorageException one that is retried, while the copy is still being received
     */
    public Optional<StoredSnapshot> finish(
            DatasetName volume, DatasetName name, NativeId id, Map<String, String> properties, Work work) {
        var source = new TakenSource(host, layout.originFor(volume, name));
        try {
            return finish(source.name(), name, id, properties, work);
        } catch (StorageException thrown) {
            throw source.afterwards(thrown, its -> discard(name, its), work);
        }
    }

    private Optional<StoredSnapshot> finish(
            SnapshotName helper, DatasetName name, NativeId id, Map<String, String> properties, Work work) {
        Optional<Map<String, Property>> there = look(making, name, work);
        if (there.isEmpty()) {
            return Optional.empty();
        }
        if (StreamReceipt.isUnderWay(there.get())) {
            throw host.notNow(StreamReceipt.underWay(name, there.get()));
        }
        Steps claim = new Steps();
        if (copy(name, there.get()).isEmpty()) {
            // A copy that was interrupted before it had its marks is recognized by the name of its snapshot, which
            // nothing else has.
            String received = name.snapshot(helper.name()).toString();
            if (host.get(received, List.of("type"), work).isEmpty()) {
                throw new StorageException(new Failure.NotOurs(id.value(), "the dataset " + name));
            }
            claim.then(CopyPart.FINISHING, zfs().set(name.value(), NativeProperties.settable(begun(properties))));
        }
        StepsOutcome outcome = host.run("zfs set", name.value(), claim.and(finishing(helper, name, properties)), work);
        return Optional.of(made(outcome, name, properties));
    }

    /** Returns the marks of a copy that is not complete yet. */
    private static Map<String, String> begun(Map<String, String> properties) {
        Map<String, String> begun = new LinkedHashMap<>(properties);
        begun.remove(PeerProperties.SUCCESS);
        begun.put(OwnProperties.STATE, OwnProperties.MAKING);
        return begun;
    }

    /**
     * Returns the steps that finish a copy with all its content; they are repeatable. The mark that it is complete
     * comes last.
     */
    private Steps finishing(SnapshotName helper, DatasetName name, Map<String, String> properties) {
        SnapshotName received = name.snapshot(helper.name());
        NativeProperties natives = NativeProperties.of(properties);
        Map<String, String> whole = new LinkedHashMap<>();
        whole.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        whole.put(OwnProperties.STATE, OwnProperties.WHOLE);
        Steps steps = new Steps()
                .and(natives.set(zfs(), name))
                .remove(zfs().destroy(received, false), zfs().exists(received.toString()))
                .remove(zfs().destroy(helper, true), zfs().exists(helper.toString()))
                .then(zfs().set(name.value(), whole))
                .then(zfs().get(name.value(), asked(natives)));
        return new Steps().and(CopyPart.FINISHING, steps);
    }

    private static List<String> asked(NativeProperties natives) {
        return Stream.concat(SnapshotProperties.ASKED_OF_COPIES.stream(), natives.asked().stream())
                .distinct()
                .toList();
    }

    private StoredSnapshot made(StepsOutcome outcome, DatasetName name, Map<String, String> properties) {
        if (outcome.failedIn(CopyPart.FINISHING) && NativeProperties.isRefusedForNow(outcome)) {
            throw host.unavailable("finishing " + name, outcome);
        }
        NativeProperties natives = NativeProperties.of(properties);
        Map<String, Property> rows =
                host.rows(outcome, name.value(), asked(natives)).getOrDefault(name.value(), Map.of());
        StoredSnapshot made = snapshot(name, rows)
                .orElseThrow(() -> host.untrue(name + " was made, and its properties say otherwise"));
        natives.difference(rows).ifPresent(difference -> {
            throw host.untrue(name + " was made, and " + difference);
        });
        return made;
    }

    private Optional<SnapshotProperties> copy(DatasetName name, Map<String, Property> rows) {
        return layout.detached(name)
                .flatMap(id -> layout.snapshot(id)
                        .map(place -> new SnapshotProperties(name.value(), id, place.volume(), rows)))
                .filter(SnapshotProperties::isManaged);
    }

    /** Returns a snapshot that is complete; empty for any other, which no caller has been given yet. */
    private Optional<StoredSnapshot> snapshot(DatasetName name, Map<String, Property> rows) {
        return copy(name, rows).filter(SnapshotProperties::isWhole).map(SnapshotProperties::snapshot);
    }

    private Optional<Map<String, Property>> look(DatasetName name, Work work) {
        return look(host, name, work);
    }

    private static Optional<Map<String, Property>> look(ZfsHost asked, DatasetName name, Work work) {
        return asked.get(name.value(), SnapshotProperties.ASKED_OF_COPIES, work);
    }

    public Optional<StoredSnapshot> find(DatasetName name, Work work) {
        return look(name, work).flatMap(rows -> snapshot(name, rows));
    }

    /** Returns detached snapshots by their ids, all or those of one volume. */
    public SortedMap<String, StoredSnapshot> list(Optional<NativeId> volume, Work work) {
        SortedMap<String, StoredSnapshot> found = new TreeMap<>();
        layout.detachedParent()
                .map(top -> volume.map(id -> top.child(id.value())).orElse(top))
                .map(top -> making.below(
                        top, volume.isPresent() ? 1 : 2, DATASETS, SnapshotProperties.ASKED_OF_COPIES, work))
                .ifPresent(all -> all.forEach((text, rows) -> DatasetName.of(text)
                        .flatMap(name -> snapshot(name, rows))
                        .ifPresent(snapshot -> found.put(snapshot.id().value(), snapshot))));
        return found;
    }

    /**
     * Destroys a detached snapshot, complete or not, with its helper snapshots, and its holder if it was the last one
     * there.
     */
    public void delete(NativeId id, DatasetName name, Work work) {
        Optional<Map<String, Property>> there = look(name, work);
        Optional<SnapshotProperties> copy = there.flatMap(rows -> copy(name, rows));
        if (copy.isPresent()) {
            if (!copy.get().isWhole()) {
                abandon(copy.get(), name, work);
            }
            destroy(id, name, work);
        }
        release(host, name, copy.isPresent(), work); // the holder may be left of an interrupted call
    }

    /** Destroys the source snapshot of an unfinished copy that nobody will finish. */
    private void abandon(SnapshotProperties copy, DatasetName name, Work work) {
        if (StreamReceipt.isUnderWay(copy.rows())) {
            throw host.notNow(StreamReceipt.underWay(name, copy.rows()));
        }
        layout.volume(copy.volume())
                .ifPresent(volume -> new TakenSource(host, layout.originFor(volume, name)).destroy(work));
    }

    /** Destroys what a call began, if its failure is final. */
    private void discard(DatasetName name, Work work) {
        Optional<SnapshotProperties> begun =
                look(making, name, work).flatMap(rows -> copy(name, rows)).filter(copy -> !copy.isWhole());
        begun.ifPresent(copy -> {
            abandon(copy, name, work);
            destroy(copy.id(), name, work);
        });
        release(making, name, begun.isPresent(), work);
    }

    private void destroy(NativeId id, DatasetName name, Work work) {
        DatasetTree tree =
                TreeLookup.of(host, name, work).orElseThrow(() -> host.untrue(name + " went while looked at"));
        new DeletionCheck(Optional.empty(), tree.obstacles(OnDependents.REFUSE, foreign)).refuseIfBarred(id.value());
        new SnapshotPurge(host).of(tree, name, work);
        Steps steps = new Steps();
        tree.snapshots().stream()
                .filter(tree::isHelper)
                .limit(50)
                .forEach(snapshot -> steps.then(zfs().destroy(snapshot, false)));
        StepsOutcome outcome = host.run("zfs destroy", name.value(), steps.then(zfs().destroy(name)), work);
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
        if (look(name, work).flatMap(rows -> copy(name, rows)).isPresent()) {
            throw host.untrue(name + " was destroyed, and is still there");
        }
    }

    /** @param destroyed whether this call destroyed a copy of that name */
    private static void release(ZfsHost asked, DatasetName name, boolean destroyed, Work work) {
        name.parent().ifPresent(holder -> new SnapshotHolder(asked, holder).release(destroyed, work));
    }

    private ZfsCommands zfs() {
        return host.zfs();
    }
}
