package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsHost.Outcome;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Destroys the dataset of a volume, and the helper snapshot that its making left at its source. Never recursive. */
final class Removal {
    private static final String KIND = "zfs destroy";

    /** What one round trip has room for; a call that meets more is repeated. */
    private static final int MOST_HELPERS = 50;

    private final ZfsHost host;
    private final Deferral deferral;

    Removal(ZfsHost host, List<DatasetName> parents) {
        this.host = host;
        this.deferral = new Deferral(host, parents);
    }

    List<Dependent> dependents(DatasetName name, Work work) {
        return Family.of(host, name, work).map(Family::dependents).orElse(List.of());
    }

    /** Returns once the dataset is proved absent. */
    void remove(NativeId id, DatasetName name, OnDependents policy, Work work) {
        Optional<Family> there = Family.of(host, name, work);
        if (there.isEmpty()) {
            if (policy == OnDependents.DEFER) {
                deferral.hidden(work).forEach(hidden -> clear(hidden, work)); // which a call that was cut has left
            }
            return;
        }
        Family family = there.get();
        if (!family.isManaged()) {
            throw new StorageException(new Failure.NotOurs(id.value(), "the dataset " + name));
        }
        List<Dependent> dependents = family.dependents();
        if (!dependents.isEmpty()) {
            // Snapshots that somebody asked for would become those of a clone, or could not be found under their ids.
            if (policy == OnDependents.REFUSE || !family.hasClonesOnly()) {
                throw inUse(id, dependents);
            }
            if (policy == OnDependents.DEFER) {
                deferral.hide(family, name, work);
                return;
            }
            promote(family, name, work);
            family = Family.of(host, name, work).orElseThrow(() -> host.untrue(name + " went while it was looked at"));
        }
        destroy(family, name, work);
        family.origin().map(SnapshotName::dataset).filter(Layout::isHidden).ifPresent(hidden -> clear(hidden, work));
    }

    /** Destroys a volume that was put aside, where nothing hangs on it any more; and in turn what it was a clone of. */
    private void clear(DatasetName hidden, Work work) {
        Optional<Family> left = Family.of(host, hidden, work)
                .filter(family -> family.isHidden() && family.dependents().isEmpty());
        left.ifPresent(family -> destroy(family, hidden, work));
        left.flatMap(Family::origin)
                .map(SnapshotName::dataset)
                .filter(Layout::isHidden)
                .ifPresent(next -> clear(next, work));
    }

    private static StorageException inUse(NativeId id, List<Dependent> dependents) {
        String by = dependents.stream().limit(3).map(Dependent::what).collect(Collectors.joining(", "));
        return new StorageException(new Failure.InUse(id.value(), by));
    }

    /** Makes the clones stand on their own; each takes the snapshot that it was made of with it. */
    private void promote(Family family, DatasetName name, Work work) {
        Steps steps = new Steps();
        for (SnapshotName snapshot : family.snapshots()) {
            family.clonesOf(snapshot).stream()
                    .findFirst()
                    .ifPresent(clone -> steps.then(host.zfs().promote(clone)));
        }
        Outcome outcome = host.run("zfs promote", name.value(), steps, work);
        if (!outcome.succeeded()) {
            throw host.failure("promoting the clones of " + name, outcome);
        }
    }

    private void destroy(Family family, DatasetName name, Work work) {
        Steps steps = new Steps();
        // Helpers alone: a snapshot that was taken since lets the last step fail, and the next call tells of it.
        family.snapshots().stream()
                .filter(family::isHelper)
                .limit(MOST_HELPERS)
                .forEach(snapshot -> steps.then(host.zfs().destroy(snapshot, false)));
        // Put off until its last clone has gone: so it goes with this one, however often this is cut and repeated.
        family.origin()
                .filter(Layout::isHelper)
                .ifPresent(origin -> steps.then(host.zfs().destroy(origin, true)));
        // That it is not there any more is the last step's to say, by failing for that reason and no other.
        int look = steps.then(host.zfs().destroy(name)).size();
        Outcome outcome = host.run(KIND, name.value(), steps.then(host.zfs().exists(name.value())), work);
        if (outcome.failedAt(look, Complaint.DOES_NOT_EXIST)) {
            return;
        }
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
        if (host.get(name.value(), List.of("type"), work).isPresent()) {
            throw host.untrue(name + " was destroyed, and is still there");
        }
    }
}
