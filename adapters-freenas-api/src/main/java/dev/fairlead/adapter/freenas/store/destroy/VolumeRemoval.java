package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.late.CallNotes.CallNote;
import dev.fairlead.adapter.freenas.store.copy.CopyNotes;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.application.port.out.store.VolumeStore.DeletionCheck;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.volume.DatasetTree;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Deletes the dataset of a volume, the helper snapshot that it is a clone of, and, if asked for, snapshots that nobody
 * took by CSI. Nothing is deleted recursively: a box that does so deletes other volumes, those that are clones.
 *
 * <p>What is deleted is looked at immediately before, as another controller may have been at work since it was checked;
 * and a call that may come late is noted before it is sent, see {@link CallNotes}.
 */
public final class VolumeRemoval {
    private final TruenasApi api;
    private final FreenasStoreSettings settings;
    private final DatasetCalls datasets;
    private final ParentLookup parents;
    private final TreeReader trees;
    private final CheckedTrees checked;
    private final CallNotes notes;
    private final CopyNotes copying;
    private final TreeRemoval removal;
    private final TrashRemoval trash;

    public VolumeRemoval(
            TruenasApi api,
            FreenasStoreSettings settings,
            ParentLookup parents,
            CheckedTrees checked,
            CallNotes notes,
            CopyNotes copying,
            InstantSource clock) {
        this.api = api;
        this.settings = settings;
        this.datasets = new DatasetCalls(api);
        var snapshots = new SnapshotCalls(api);
        this.parents = parents;
        this.trees = new TreeReader(parents, datasets, snapshots);
        this.checked = checked;
        this.notes = notes;
        this.copying = copying;
        this.removal = new TreeRemoval(api, settings, datasets, snapshots, trees, notes);
        this.trash = new TrashRemoval(trees, removal, clock);
    }

    /** @param isVolume whether it is a volume that its users know of */
    public DeletionCheck check(
            NativeId id, DatasetName name, OnDependents policy, Predicate<VolumeProperties> isVolume, Work work) {
        Optional<SeenTree> seen = withoutLeftovers(name, work);
        seen.ifPresent(tree -> checked.remember(name, tree));
        return seen.map(tree -> new DeletionCheck(
                        Optional.of(tree.entry().volume()).filter(isVolume).map(volume -> volume.volume(id)),
                        ours(id, tree).tree().obstacles(possible(policy, work), settings.foreign())))
                .orElseGet(() -> new DeletionCheck(Optional.empty(), List.of()));
    }

    /** Returns a dataset after the clones of it that calls began and did not finish were deleted. */
    private Optional<SeenTree> withoutLeftovers(DatasetName name, Work work) {
        Optional<SeenTree> seen = trees.find(name, work);
        List<DatasetName> left =
                seen.stream().flatMap(tree -> leftovers(tree, work).stream()).toList();
        left.forEach(clone -> discard(clone, work));
        return left.isEmpty() ? seen : trees.find(name, work);
    }

    private List<DatasetName> leftovers(SeenTree seen, Work work) {
        return seen.tree().snapshots().stream()
                .flatMap(snapshot -> seen.tree().clonesOf(snapshot).stream())
                .filter(clone -> DatasetLayout.isStaged(clone)
                        && clone.parent()
                                .filter(settings.layout().parents().all()::contains)
                                .isPresent()
                        && datasets.find(clone, work).filter(trash::isLeft).isPresent())
                .toList();
    }

    /** Returns the policy as far as the box can do it: one that renames no dataset puts none aside. */
    private OnDependents possible(OnDependents policy, Work work) {
        boolean cannot = policy == OnDependents.DEFER && !api.has(ApiAction.DATASET_RENAME, work);
        return cannot ? OnDependents.REFUSE : policy;
    }

    private SeenTree ours(NativeId id, SeenTree seen) {
        if (!seen.tree().isManaged()) {
            throw new StorageException(new Failure.NotOurs(
                    id.value(), "the dataset " + seen.entry().name()));
        }
        if (!seen.isOf(settings.kind())) {
            throw new StorageException(new Failure.NotOurs(
                    id.value(), "another connection's dataset " + seen.entry().name()));
        }
        return seen;
    }

    /** Deletes a volume and what calls that were cut have left of it, and returns once all of it is proved absent. */
    public void remove(NativeId id, DatasetName name, OnDependents policy, Work work) {
        // What was checked a moment ago is looked at once more by its note; the box refuses what came in between.
        Optional<SeenTree> seen = checked.take(name).or(() -> withoutLeftovers(name, work));
        seen.ifPresent(tree -> remove(id, ours(id, tree), possible(policy, work), work));
        DatasetName staged = DatasetLayout.staged(name);
        List<DatasetEntry> all = parents.withParent(List.of(name, staged), work);
        for (DatasetEntry left : all.subList(1, all.size())) {
            if (left.name().equals(name)) {
                throw datasets.untrue(name + " was deleted, and is still there");
            }
            discard(staged, work);
        }
        if (copying.isNoted(staged, all.getFirst())) {
            copying.requireNone(staged, all.getFirst(), work);
            discard(staged, work); // a job that has ended may have made it since it was looked for
        }
        notes.requireNoCreation(name, all.getFirst(), work);
        seen.flatMap(tree -> tree.entry().origin())
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(hidden -> trash.clear(hidden, work));
        trash.look(name.parent().orElseThrow(), work);
    }

    private void remove(NativeId id, SeenTree seen, OnDependents policy, Work work) {
        DatasetTree tree = seen.tree();
        new DeletionCheck(Optional.empty(), tree.obstacles(policy, settings.foreign())).refuseIfBarred(id.value());
        notes.requireNone(seen.entry());
        removal.purge(tree, work);
        boolean aside = tree.hasClones() && policy == OnDependents.DEFER;
        if (tree.hasClones() && !aside) {
            promote(tree, work);
        }
        noted(id, seen, work).ifPresent(noted -> {
            if (aside) {
                removal.putAside(seen, noted, work);
            } else {
                removal.delete(id, seen, noted, work);
            }
        });
    }

    /** Notes the call that removes a volume; throws that it is another's by now, if it is that which has changed. */
    private Optional<CallNote> noted(NativeId id, SeenTree seen, Work work) {
        try {
            return removal.note(seen, Optional.empty(), work);
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.BackendUnavailable) {
                trees.find(seen.entry().name(), work).ifPresent(now -> ours(id, now));
            }
            throw e;
        }
    }

    private void promote(DatasetTree tree, Work work) {
        for (SnapshotName snapshot : tree.snapshots()) {
            for (DatasetName clone : tree.clonesOf(snapshot).stream().limit(1).toList()) {
                datasets.promote(clone, work).orThrow();
            }
        }
    }

    /** Removes what a creation has begun under a volume's name, and not what democratic-csi has. */
    public void discardBegun(DatasetName name, Work work) {
        datasets.each(List.of(name, DatasetLayout.staged(name)), work).stream()
                .filter(entry -> DatasetLayout.isStaged(entry.name())
                        || entry.own(OwnProperties.STATE)
                                .filter(OwnProperties.MAKING::equals)
                                .isPresent())
                .forEach(entry -> discard(entry.name(), work));
    }

    /** Deletes a volume that its own creation has just made, and that nobody was given. */
    public void takeBack(DatasetName name, Work work) {
        trees.find(name, work).ifPresent(seen -> trash.discard(seen, work));
    }

    /** Deletes a snapshot that is a dataset of its own. */
    public void removeCopy(NativeId id, DatasetName name, Work work) {
        trees.find(name, work).ifPresent(seen -> {
            notes.requireNone(seen.entry());
            new DeletionCheck(Optional.empty(), seen.tree().obstacles(OnDependents.REFUSE, settings.foreign()))
                    .refuseIfBarred(id.value());
            removal.purge(seen.tree(), work);
            removal.note(seen, Optional.empty(), work).ifPresent(noted -> removal.delete(id, seen, noted, work));
        });
    }

    /** Deletes what a call began and did not finish, or puts it aside: nobody was ever given it. */
    public void discard(DatasetName name, Work work) {
        Optional<SeenTree> seen = trees.find(name, work);
        if (seen.isEmpty()) {
            return;
        }
        DatasetTree tree = seen.get().tree();
        if (!DatasetLayout.isStaged(name)
                && (!tree.isManaged() || seen.get().entry().volume().isWhole())) {
            return; // another call has finished it
        }
        trash.discard(seen.get(), work);
    }
}
