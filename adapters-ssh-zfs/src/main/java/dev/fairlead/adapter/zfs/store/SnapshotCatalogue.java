package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.DatasetType;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.ZfsHost;
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
        host.below(top, source.isPresent() ? 1 : 2, Set.of(DatasetType.SNAPSHOT), SnapshotProperties.ASKED, work)
                .forEach((text, rows) -> SnapshotName.of(text)
                        .flatMap(name -> properties(name, rows))
                        .filter(SnapshotProperties::isManaged)
                        .ifPresent(snapshot -> found.put(snapshot.id().value(), snapshot)));
        return found;
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
