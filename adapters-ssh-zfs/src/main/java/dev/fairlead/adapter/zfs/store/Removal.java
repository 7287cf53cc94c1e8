package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.out.store.VolumeStore.Departure;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.Layout;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Destroys the dataset of a volume, the helper snapshot that was taken at its source to make it, and, if asked for, the
 * snapshots that nobody took by CSI. Nothing is destroyed recursively.
 */
final class Removal {
    private static final String KIND = "zfs destroy";

    /** The number of helpers that one round trip has room for; a call that meets more is repeated. */
    private static final int AT_ONCE = 50;

    /**
     * The properties that show that a volume is ours and not a clone; before a clone is destroyed, its origin is looked
     * at too.
     */
    private static final List<String> NO_CLONE = List.of("type", PeerProperties.MANAGED, "origin");

    private static final List<String> UNFINISHED_IS = List.of(PeerProperties.MANAGED, OwnProperties.STATE);
    private static final List<String> UNFINISHED = List.of(
            PeerProperties.MANAGED + "\t" + PeerProperties.TRUE, OwnProperties.STATE + "\t" + OwnProperties.MAKING);

    /** The properties that are asked of the volume only, not of its family. */
    private static final List<String> VOLUMES = VolumeProperties.ASKED.stream()
            .filter(property -> !Family.ASKED.contains(property))
            .toList();

    private static final List<String> ALL =
            Stream.concat(VOLUMES.stream(), Family.ASKED.stream()).toList();

    private final ZfsHost host;
    private final DatasetType type;
    private final List<List<String>> oursAndNoClone;
    private final ForeignSnapshots foreign;
    private final Purge purge;
    private final Deferral deferral;

    /** @param type the type of its volumes' datasets; others below the same parent belong to another connection */
    Removal(ZfsHost host, DatasetType type, List<DatasetName> parents, ForeignSnapshots foreign) {
        this.host = host;
        this.type = type;
        this.oursAndNoClone = Stream.of("local", "received")
                .map(source -> List.of(type.word() + "\t-", PeerProperties.TRUE + "\t" + source, "-\t-"))
                .toList();
        this.foreign = foreign;
        this.purge = new Purge(host);
        this.deferral = new Deferral(host, parents);
    }

    /** @param isVolume whether it is a volume that its users know of */
    Departure departure(
            NativeId id, DatasetName name, OnDependents policy, Predicate<VolumeProperties> isVolume, Work work) {
        Steps steps = new Steps().then(host.zfs().get(name.value(), VOLUMES)).then(Family.command(host.zfs(), name));
        Outcome outcome = host.run("zfs list", name.value(), steps, work);
        if (!outcome.succeeded() && outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            return new Departure(Optional.empty(), List.of());
        }
        if (!outcome.succeeded()) {
            throw host.failure("reading " + name, outcome);
        }
        SortedMap<String, Map<String, Property>> rows = host.printed(outcome, name.value(), ALL, Family.ASKED);
        Map<String, Property> own = rows.getOrDefault(name.value(), Map.of());
        if (!own.keySet().containsAll(ALL)) {
            throw host.untrue("the properties of " + name + " were read without a complaint, and not all of them came");
        }
        List<Dependent> obstacles =
                ours(id, name, Family.in(rows, name).orElseThrow()).obstacles(policy, foreign);
        return new Departure(
                Optional.of(new VolumeProperties(name, own)).filter(isVolume).map(volume -> volume.volume(id)),
                obstacles);
    }

    private Family ours(NativeId id, DatasetName name, Family family) {
        if (!family.isManaged()) {
            throw new StorageException(new Failure.NotOurs(id.value(), "the dataset " + name));
        }
        if (!family.isOf(type)) {
            throw new StorageException(new Failure.NotOurs(id.value(), "another connection's dataset " + name));
        }
        return family;
    }

    /** Destroys a volume and returns once its dataset is proved absent. */
    void remove(NativeId id, DatasetName name, OnDependents policy, Work work) {
        Steps steps = new Steps()
                .then(Family.command(host.zfs(), name))
                .expect(host.zfs().valuesAndSources(name.value(), NO_CLONE), oursAndNoClone);
        int look = steps.then(host.zfs().destroy(name)).size();
        Outcome outcome = host.run(KIND, name.value(), steps.then(host.zfs().exists(name.value())), work);
        if (outcome.failedAt(0, Complaint.DOES_NOT_EXIST)) {
            if (policy == OnDependents.DEFER) {
                deferral.hidden(work).forEach(hidden -> clear(hidden, work)); // an interrupted call may have left them
            }
            return;
        }
        if (outcome.failedAt(look, Complaint.DOES_NOT_EXIST)) {
            return;
        }
        // ZFS refuses to destroy a dataset on which others depend; the output of the first step says which.
        Optional<Family> seen = outcome.failed().orElse(0) == 0
                ? Family.of(host, name, work)
                : Family.in(host.printed(outcome, name.value(), Family.ASKED, Family.ASKED), name);
        seen.ifPresent(family -> remove(id, name, family, policy, work));
    }

    /**
     * Destroys what a call began and did not finish, unless somebody else may have used it since.
     *
     * @param difference the reason why it cannot be finished
     */
    void discard(NativeId id, DatasetName name, String difference, Work work) {
        Optional<Family> found = Family.of(host, name, work);
        if (found.isEmpty()) {
            return;
        }
        Family family = ours(id, name, found.get());
        List<Dependent> obstacles = family.obstacles(OnDependents.REFUSE, ForeignSnapshots.REFUSE);
        if (!obstacles.isEmpty()) {
            throw new StorageException(new Failure.VolumeConflict(
                    id.value(),
                    difference + "; it was never finished, and cannot make room because of "
                            + obstacles.getFirst().what() + "; delete it first"));
        }
        // The call that began it may be about to finish it after all, or another dataset may have taken its place.
        Steps still = new Steps()
                .expect(host.zfs().ownOf(name.value(), UNFINISHED_IS), List.of(UNFINISHED))
                .expect(host.zfs().value(name.value(), "guid"), List.of(List.of(family.guid())));
        destroy(family, name, still, work);
        family.origin().map(SnapshotName::dataset).filter(Layout::isHidden).ifPresent(hidden -> clear(hidden, work));
    }

    private void remove(NativeId id, DatasetName name, Family seen, OnDependents policy, Work work) {
        Family family = ours(id, name, seen);
        new Departure(Optional.empty(), family.obstacles(policy, foreign)).refuseIfBarred(id.value());
        purge.of(family, name, work);
        if (family.hasClones()) {
            if (policy == OnDependents.DEFER) {
                deferral.hide(family, name, work);
                return;
            }
            promote(family, name, work);
            family = Family.of(host, name, work).orElseThrow(() -> host.untrue(name + " went while it was looked at"));
        }
        destroy(family, name, new Steps(), work);
        family.origin().map(SnapshotName::dataset).filter(Layout::isHidden).ifPresent(hidden -> clear(hidden, work));
    }

    /**
     * Destroys a volume that was put aside, if nothing depends on it any more, and then in turn the one it was a clone
     * of.
     */
    private void clear(DatasetName hidden, Work work) {
        Optional<Family> left = Family.of(host, hidden, work)
                .filter(family -> family.isHidden()
                        && family.obstacles(OnDependents.REFUSE, foreign).isEmpty());
        left.ifPresent(family -> {
            purge.of(family, hidden, work);
            destroy(family, hidden, new Steps(), work);
        });
        left.flatMap(Family::origin)
                .map(SnapshotName::dataset)
                .filter(Layout::isHidden)
                .ifPresent(next -> clear(next, work));
    }

    /** Makes the clones independent by promoting one of each snapshot, which takes that snapshot with it. */
    private void promote(Family family, DatasetName name, Work work) {
        List<DatasetName> clones = family.snapshots().stream()
                .flatMap(snapshot -> family.clonesOf(snapshot).stream().limit(1))
                .toList();
        for (int from = 0; from < clones.size(); from += AT_ONCE) {
            Steps steps = new Steps();
            clones.subList(from, Math.min(from + AT_ONCE, clones.size()))
                    .forEach(clone -> steps.then(host.zfs().promote(clone)));
            Outcome outcome = host.run("zfs promote", name.value(), steps, work);
            if (!outcome.succeeded()) {
                throw host.failure("promoting the clones of " + name, outcome);
            }
        }
    }

    /** @param steps the checks that have to succeed before anything is destroyed */
    private void destroy(Family family, DatasetName name, Steps steps, Work work) {
        // Only helpers: a snapshot that was taken meanwhile makes the last step fail, and the next call reports it.
        family.snapshots().stream()
                .filter(family::isHelper)
                .limit(AT_ONCE)
                .forEach(snapshot -> steps.then(host.zfs().destroy(snapshot, false)));
        // Deferred until its last clone has gone: so it disappears with this one, however often the call is
        // interrupted and repeated. A snapshot that a caller asked for may have a name like a helper's.
        family.origin()
                .filter(Layout::isHelper)
                .ifPresent(origin -> steps.thenUnless(
                        host.zfs().ownOf(origin.toString(), List.of(PeerProperties.SNAPSHOT_NAME)),
                        host.zfs().destroy(origin, true)));
        // The last step proves that the dataset is gone, by failing for that reason and no other.
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
