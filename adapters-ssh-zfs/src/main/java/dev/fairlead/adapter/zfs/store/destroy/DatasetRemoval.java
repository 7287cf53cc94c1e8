package dev.fairlead.adapter.zfs.store.destroy;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.snapshot.SnapshotPurge;
import dev.fairlead.adapter.zfs.store.volume.TreeLookup;
import dev.fairlead.application.port.out.store.VolumeStore.DeletionCheck;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.property.Property;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.volume.DatasetTree;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Destroys the dataset of a volume, the helper snapshot that was taken at its source to make it, and, if asked for, the
 * snapshots that nobody took by CSI. Nothing is destroyed recursively.
 */
public final class DatasetRemoval {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetRemoval.class);
    static final String KIND = "zfs destroy";

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

    /** The properties that are asked of the volume only, not of its snapshots and children. */
    private static final List<String> VOLUMES = VolumeProperties.ASKED.stream()
            .filter(property -> !DatasetTree.ASKED.contains(property))
            .toList();

    private static final List<String> ALL =
            Stream.concat(VOLUMES.stream(), DatasetTree.ASKED.stream()).toList();

    private final ZfsHost host;
    private final DatasetType type;
    private final List<List<String>> oursAndNoClone;
    private final ForeignSnapshots foreign;
    private final SnapshotPurge purge;
    private final DeferredDeletion deferral;
    private final DatasetRetry retry;

    /** @param type the type of its volumes' datasets; others below the same parent belong to another connection */
    public DatasetRemoval(ZfsHost host, DatasetType type, List<DatasetName> parents, ForeignSnapshots foreign) {
        this.host = host;
        this.type = type;
        this.oursAndNoClone = Stream.of("local", "received")
                .map(source -> List.of(type.word() + "\t-", PeerProperties.TRUE + "\t" + source, "-\t-"))
                .toList();
        this.foreign = foreign;
        this.purge = new SnapshotPurge(host);
        this.deferral = new DeferredDeletion(host, parents);
        this.retry = new DatasetRetry(host);
    }

    /** @param isVolume whether it is a volume that its users know of */
    public DeletionCheck check(
            NativeId id, DatasetName name, OnDependents policy, Predicate<VolumeProperties> isVolume, Work work) {
        Steps steps =
                new Steps().then(host.zfs().get(name.value(), VOLUMES)).then(TreeLookup.command(host.zfs(), name));
        StepsOutcome outcome = host.run("zfs list", name.value(), steps, work);
        if (!outcome.succeeded() && outcome.complaint() == Complaint.DOES_NOT_EXIST) {
            return new DeletionCheck(Optional.empty(), List.of());
        }
        if (!outcome.succeeded()) {
            throw host.failure("reading " + name, outcome);
        }
        SortedMap<String, Map<String, Property>> rows = host.printed(outcome, name.value(), ALL, DatasetTree.ASKED);
        Map<String, Property> own = rows.getOrDefault(name.value(), Map.of());
        if (!own.keySet().containsAll(ALL)) {
            throw host.untrue("the properties of " + name + " were read without a complaint, and not all of them came");
        }
        List<Dependent> obstacles =
                ours(id, name, DatasetTree.in(rows, name).orElseThrow()).obstacles(policy, foreign);
        return new DeletionCheck(
                Optional.of(new VolumeProperties(name, own)).filter(isVolume).map(volume -> volume.volume(id)),
                obstacles);
    }

    private DatasetTree ours(NativeId id, DatasetName name, DatasetTree tree) {
        if (!tree.isManaged()) {
            throw new StorageException(new Failure.NotOurs(id.value(), "the dataset " + name));
        }
        if (!tree.isOf(type)) {
            throw new StorageException(new Failure.NotOurs(id.value(), "another connection's dataset " + name));
        }
        return tree;
    }

    /** Destroys a volume and returns once its dataset is proved absent. */
    public void remove(NativeId id, DatasetName name, OnDependents policy, Work work) {
        Steps steps = new Steps()
                .then(RemovalPart.TREE, TreeLookup.command(host.zfs(), name))
                .expect(host.zfs().valuesAndSources(name.value(), NO_CLONE), oursAndNoClone);
        StepsOutcome outcome = host.run(KIND, name.value(), steps.and(retry.destroy(name)), work);
        if (outcome.failedFirst(Complaint.DOES_NOT_EXIST)) {
            if (policy == OnDependents.DEFER) {
                deferral.hidden(work).forEach(hidden -> clearIfPossible(hidden, work));
            }
            return;
        }
        if (outcome.failedIn(RemovalPart.ABSENCE, Complaint.DOES_NOT_EXIST)) {
            return;
        }
        // ZFS refuses to destroy a dataset on which others depend; the tree that was printed says which.
        Optional<DatasetTree> seen = outcome.succeeded() || outcome.failedIn(RemovalPart.TREE)
                ? TreeLookup.of(host, name, work)
                : DatasetTree.in(host.printed(outcome, name.value(), DatasetTree.ASKED, DatasetTree.ASKED), name);
        seen.ifPresent(tree -> remove(id, name, tree, policy, work));
    }

    /**
     * Destroys what a call began and did not finish, unless somebody else may have used it since.
     *
     * @param difference the reason why it cannot be finished
     */
    public void discard(NativeId id, DatasetName name, String difference, Work work) {
        Optional<DatasetTree> found = TreeLookup.of(host, name, work);
        if (found.isEmpty()) {
            return;
        }
        DatasetTree tree = ours(id, name, found.get());
        List<Dependent> obstacles = tree.obstacles(OnDependents.REFUSE, ForeignSnapshots.REFUSE);
        if (!obstacles.isEmpty()) {
            throw new StorageException(new Failure.VolumeConflict(
                    id.value(),
                    difference + "; it was never finished, and cannot make room because of "
                            + obstacles.getFirst().what() + "; delete it first"));
        }
        // The call that began it may be about to finish it after all.
        Steps still = new Steps().expect(host.zfs().ownOf(name.value(), UNFINISHED_IS), List.of(UNFINISHED));
        destroy(tree, name, still, work);
        tree.origin()
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(hidden -> clear(hidden, work));
    }

    private void remove(NativeId id, DatasetName name, DatasetTree seen, OnDependents policy, Work work) {
        DatasetTree tree = ours(id, name, seen);
        new DeletionCheck(Optional.empty(), tree.obstacles(policy, foreign)).refuseIfBarred(id.value());
        purge.of(tree, name, work);
        if (tree.hasClones()) {
            if (policy == OnDependents.DEFER) {
                deferral.hide(tree, name, work);
                return;
            }
            promote(tree, name, work);
            String guid = tree.guid();
            tree = TreeLookup.of(host, name, work)
                    .filter(now -> now.guid().equals(guid))
                    .orElseThrow(() -> host.notNow(name + " went while its clones were promoted"));
        }
        destroy(tree, name, new Steps(), work);
        tree.origin()
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(hidden -> clear(hidden, work));
    }

    /**
     * Destroys a volume that was put aside, if nothing depends on it any more, and then in turn the one it was a clone
     * of.
     */
    private void clear(DatasetName hidden, Work work) {
        Optional<DatasetTree> left = TreeLookup.of(host, hidden, work)
                .filter(tree -> tree.isHidden()
                        && tree.obstacles(OnDependents.REFUSE, foreign).isEmpty());
        left.ifPresent(tree -> {
            purge.of(tree, hidden, work);
            destroy(tree, hidden, new Steps(), work);
        });
        left.flatMap(DatasetTree::origin)
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(next -> clear(next, work));
    }

    /**
     * Clears, if that is possible, what an interrupted call may have left: the volume that is gone now has no part in
     * it.
     */
    private void clearIfPossible(DatasetName hidden, Work work) {
        try {
            clear(hidden, work);
        } catch (StorageException e) {
            LOG.atWarn()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("dataset", hidden)
                    .addKeyValue("why", e.getMessage())
                    .log("a deleted volume without clones cannot be destroyed and takes its space; the next"
                            + " deletion tries it again");
        }
    }

    /** Makes the clones independent by promoting one of each snapshot, which takes that snapshot with it. */
    private void promote(DatasetTree tree, DatasetName name, Work work) {
        List<DatasetName> clones = tree.snapshots().stream()
                .flatMap(snapshot -> tree.clonesOf(snapshot).stream().limit(1))
                .toList();
        for (int from = 0; from < clones.size(); from += AT_ONCE) {
            Steps steps = new Steps();
            clones.subList(from, Math.min(from + AT_ONCE, clones.size()))
                    .forEach(clone -> steps.then(host.zfs().promote(clone)));
            StepsOutcome outcome = host.run("zfs promote", name.value(), steps, work);
            if (!outcome.succeeded()) {
                throw host.failure("promoting the clones of " + name, outcome);
            }
        }
    }

    /** @param checks the checks that have to succeed before anything is destroyed */
    private void destroy(DatasetTree tree, DatasetName name, Steps checks, Work work) {
        // Another dataset may have taken its place since it was looked at.
        Steps still =
                new Steps().and(checks).expect(host.zfs().value(name.value(), "guid"), List.of(List.of(tree.guid())));
        Steps steps = new Steps().and(still);
        // Only helpers: a snapshot that was taken meanwhile makes the last step fail, and the next call reports it.
        tree.snapshots().stream()
                .filter(tree::isHelper)
                .limit(AT_ONCE)
                .forEach(snapshot -> steps.then(host.zfs().destroy(snapshot, false)));
        // Deferred until its last clone has gone: so it disappears with this one, however often the call is
        // interrupted and repeated. A snapshot that a caller asked for may have a name like a helper's.
        tree.origin()
                .filter(DatasetLayout::isHelper)
                .ifPresent(origin -> steps.thenUnless(
                        host.zfs().ownOf(origin.toString(), List.of(PeerProperties.SNAPSHOT_NAME)),
                        host.zfs().destroy(origin, true)));
        StepsOutcome first = host.run(KIND, name.value(), steps.and(retry.destroy(name)), work);
        // One that was put aside is tried again by the next deletion.
        StepsOutcome outcome = DatasetLayout.isHidden(name) ? first : retry.whileBusy(first, name, still, work);
        if (outcome.failedIn(RemovalPart.ABSENCE, Complaint.DOES_NOT_EXIST)) {
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
