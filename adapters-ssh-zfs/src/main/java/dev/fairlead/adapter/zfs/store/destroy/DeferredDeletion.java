package dev.fairlead.adapter.zfs.store.destroy;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.volume.DatasetTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Hides a deleted volume that still has clones, under a name that no volume has. Its data stays on the pool until the
 * last of its clones is deleted, and is then deleted too.
 */
final class DeferredDeletion {
    private final ZfsHost host;
    private final List<DatasetName> parents;

    DeferredDeletion(ZfsHost host, List<DatasetName> parents) {
        this.host = host;
        this.parents = List.copyOf(parents);
    }

    /** Renames the volume, which is gone from then on, and sets marks that show that to programs that read them. */
    void hide(DatasetTree tree, DatasetName name, Work work) {
        DatasetName hidden = DatasetLayout.hidden(name, tree.guid(), tree.snapshots());
        Steps steps = sameSnapshots(tree, name)
                .then(host.zfs().rename(name, hidden))
                .then(host.zfs().set(hidden.value(), marks()))
                .then(RemovalPart.ABSENCE, host.zfs().exists(name.value()));
        StepsOutcome outcome = host.run("zfs rename", name.value(), steps, work);
        if (outcome.failedIn(RemovalPart.ABSENCE, Complaint.DOES_NOT_EXIST)) {
            return;
        }
        if (outcome.failedIn(RemovalPart.SNAPSHOTS) && outcome.complaint() == Complaint.OTHER) {
            throw host.notNow("a snapshot of " + name + " was taken or deleted while it was about to be put aside");
        }
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("putting " + name + " aside", outcome);
        }
        if (host.get(name.value(), List.of("type"), work).isPresent()) {
            throw host.untrue(name + " was put aside, and is still there");
        }
    }

    /**
     * Looks again, just before, for snapshots that callers were given: they would be hidden with the volume, which a
     * rename does not refuse. Those that are there already were put off, and ZFS prints them in an order of its own.
     */
    private Steps sameSnapshots(DatasetTree tree, DatasetName name) {
        List<String> look =
                host.zfs().ownBelow(List.of(name), 1, Set.of(DatasetType.SNAPSHOT), PeerProperties.SNAPSHOT_NAME);
        return new Steps().and(RemovalPart.SNAPSHOTS, new Steps().expectInAnyOrder(look, tree.givenSnapshots()));
    }

    private static Map<String, String> marks() {
        Map<String, String> marks = new LinkedHashMap<>();
        marks.put(PeerProperties.MANAGED, "false");
        marks.put(OwnProperties.STATE, OwnProperties.HIDDEN);
        return marks;
    }

    /** Returns all datasets that were put aside, each of which the caller has to check. */
    List<DatasetName> hidden(Work work) {
        return host
                .below(parents, 1, Set.of(DatasetType.FILESYSTEM, DatasetType.VOLUME), List.of("type"), work)
                .keySet()
                .stream()
                .map(DatasetName::new)
                .filter(name -> DatasetLayout.isHidden(name) && parents.stream().anyMatch(name::isBelow))
                .toList();
    }
}
