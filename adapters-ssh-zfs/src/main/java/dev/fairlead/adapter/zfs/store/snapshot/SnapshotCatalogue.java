package dev.fairlead.adapter.zfs.store.snapshot;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Lists the snapshots of our volumes with one command, however many there are. */
public record SnapshotCatalogue(ZfsHost host, DatasetLayout layout) {
    /** Returns managed snapshots by their ids, all or those of one volume. */
    public SortedMap<String, SnapshotProperties> all(Optional<NativeId> source, Work work) {
        List<DatasetName> tops = source.flatMap(layout::volume)
                .map(List::of)
                .orElse(layout.parents().all());
        SortedMap<String, SnapshotProperties> found = new TreeMap<>();
        rows(tops, source.isPresent() ? 1 : 2, work)
                .forEach((text, rows) -> SnapshotName.of(text)
                        .flatMap(name -> properties(name, rows))
                        .filter(SnapshotProperties::isManaged)
                        .ifPresent(snapshot -> found.put(snapshot.id().value(), snapshot)));
        return found;
    }

    /**
     * Returns the rows of the snapshots below these datasets. Those of the datasets themselves are asked for too, since
     * they tell an empty list from an output that got lost.
     */
    private SortedMap<String, Map<String, Property>> rows(List<DatasetName> tops, int depth, Work work) {
        Steps steps = new Steps()
                .then(host.zfs().getEach(tops, SnapshotProperties.ASKED))
                .then(host.zfs().getBelow(tops, depth, Set.of(DatasetType.SNAPSHOT), SnapshotProperties.ASKED));
        String all = tops.stream().map(DatasetName::value).collect(Collectors.joining(" "));
        StepsOutcome outcome = host.run("zfs list", all, steps, work);
        if (!outcome.succeeded() && outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            if (tops.size() == 1) {
                return new TreeMap<>();
            }
            Set<DatasetName> missing = outcome.missing(tops);
            host.requirePools(missing, work);
            List<DatasetName> left = new ArrayList<>(tops);
            boolean fewer = left.removeAll(missing);
            if (left.isEmpty()) {
                return new TreeMap<>();
            }
            if (fewer) { // one may be missing as long as it has no volumes
                return rows(left, depth, work);
            }
        }
        SortedMap<String, Map<String, Property>> rows = host.rows(outcome, all, SnapshotProperties.ASKED);
        for (DatasetName top : tops) {
            if (rows.remove(top.value()) == null) {
                throw host.untrue("the snapshots below " + top + " were listed without " + top + " itself");
            }
        }
        return rows;
    }

    /** Returns the snapshots that were taken with a group, in the order of their ids. */
    public List<SnapshotProperties> ofGroup(NativeId group, Work work) {
        return all(Optional.empty(), work).values().stream()
                .filter(snapshot ->
                        snapshot.group().filter(mark -> mark.id().equals(group)).isPresent())
                .toList();
    }

    /**
     * Throws if a group that was not found may still exist, because no parent of volumes is there at all. A single one
     * may be missing, since it is made with its first volume; that its pool is there was made sure of by whoever looked
     * for the group.
     */
    public void proveAbsence(NativeId group, Work work) {
        List<DatasetName> parents = layout.parents().all();
        if (host.each(parents, List.of("type"), work).isEmpty()) {
            for (DatasetName parent : parents) {
                // Whatever has this name: that it is missing is judged by what is known of the parent.
                var _ = host.get(parent + "/" + group, List.of("type"), work);
            }
        }
    }

    private Optional<SnapshotProperties> properties(SnapshotName name, Map<String, Property> rows) {
        return layout.snapshot(name)
                .flatMap(id -> layout.volume(name.dataset())
                        .map(volume -> new SnapshotProperties(name.toString(), id, volume, rows)));
    }
}
