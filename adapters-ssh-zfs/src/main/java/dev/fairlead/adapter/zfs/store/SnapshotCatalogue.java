package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.DatasetType;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsHost.Outcome;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The snapshots of volumes that are ours, read by one command however many there are. */
record SnapshotCatalogue(ZfsHost host, Layout layout) {
    /** By their ids, all or those of one volume. */
    SortedMap<String, SnapshotProperties> all(Optional<NativeId> source, Work work) {
        DatasetName top = source.flatMap(layout::volume).orElse(layout.parent());
        SortedMap<String, SnapshotProperties> found = new TreeMap<>();
        rows(top, source.isPresent() ? 1 : 2, work)
                .forEach((text, rows) -> SnapshotName.of(text)
                        .flatMap(name -> properties(name, rows))
                        .filter(SnapshotProperties::isManaged)
                        .ifPresent(snapshot -> found.put(snapshot.id().value(), snapshot)));
        return found;
    }

    /**
     * A list of nothing is an empty output, and so is one that got lost; the row of the dataset that they lie below
     * tells the two apart.
     */
    private SortedMap<String, Map<String, Rows.Property>> rows(DatasetName top, int depth, Work work) {
        Steps steps = new Steps()
                .then(host.zfs().get(top.value(), SnapshotProperties.ASKED))
                .then(host.zfs().getBelow(top, depth, Set.of(DatasetType.SNAPSHOT), SnapshotProperties.ASKED));
        Outcome outcome = host.run("zfs list", top.value(), steps, work);
        if (!outcome.succeeded() && outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            return new TreeMap<>();
        }
        SortedMap<String, Map<String, Rows.Property>> rows = host.rows(outcome, top.value(), SnapshotProperties.ASKED);
        if (rows.remove(top.value()) == null) {
            throw host.untrue("the snapshots below " + top + " were listed without " + top + " itself");
        }
        return rows;
    }

    /** Those that were taken with a group, in the order of their ids. */
    List<SnapshotProperties> ofGroup(NativeId group, Work work) {
        return all(Optional.empty(), work).values().stream()
                .filter(snapshot ->
                        snapshot.group().filter(mark -> mark.id().equals(group)).isPresent())
                .toList();
    }

    private Optional<SnapshotProperties> properties(SnapshotName name, Map<String, Rows.Property> rows) {
        return layout.snapshot(name)
                .flatMap(id -> layout.volume(name.dataset())
                        .map(volume -> new SnapshotProperties(name.toString(), id, volume, rows)));
    }
}
