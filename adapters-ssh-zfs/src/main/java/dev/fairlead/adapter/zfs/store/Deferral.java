package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts a deleted volume that clones hang on out of sight, under a name that no volume has. It keeps its data on the
 * pool until the last of its clones is deleted, and goes with that.
 */
final class Deferral {
    private final ZfsHost host;
    private final List<DatasetName> parents;

    Deferral(ZfsHost host, List<DatasetName> parents) {
        this.host = host;
        this.parents = List.copyOf(parents);
    }

    /** From the rename on the volume is gone; what follows makes that plain to those who look at marks. */
    void hide(Family family, DatasetName name, Work work) {
        DatasetName hidden = Layout.hidden(name, family.guid());
        Steps steps = new Steps()
                .then(host.zfs().rename(name, hidden))
                .then(host.zfs().set(hidden.value(), marks()))
                .then(host.zfs().exists(name.value()));
        Outcome outcome = host.run("zfs rename", name.value(), steps, work);
        if (outcome.failedAt(2, Complaint.DOES_NOT_EXIST)) {
            return;
        }
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("putting " + name + " aside", outcome);
        }
        if (host.get(name.value(), List.of("type"), work).isPresent()) {
            throw host.untrue(name + " was put aside, and is still there");
        }
    }

    private static Map<String, String> marks() {
        Map<String, String> marks = new LinkedHashMap<>();
        marks.put(PeerProperties.MANAGED, "false");
        marks.put(OwnProperties.STATE, OwnProperties.HIDDEN);
        return marks;
    }

    /** All that were put aside; each is for the caller to look at. */
    List<DatasetName> hidden(Work work) {
        return host
                .below(parents, 1, Set.of(DatasetType.FILESYSTEM, DatasetType.VOLUME), List.of("type"), work)
                .keySet()
                .stream()
                .map(DatasetName::new)
                .filter(name -> Layout.isHidden(name) && parents.stream().anyMatch(name::isBelow))
                .toList();
    }
}
