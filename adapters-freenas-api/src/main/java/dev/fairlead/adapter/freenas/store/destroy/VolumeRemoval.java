package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.FreenasStoreSettings;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.dataset.ParentLookup;
import dev.fairlead.adapter.freenas.store.dataset.PendingChanges;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.application.port.out.store.VolumeStore.DeletionCheck;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import dev.fairlead.zfs.volume.DatasetTree;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Deletes the dataset of a volume, the helper snapshot that it is a clone of, and, if asked for, snapshots that nobody
 * took by CSI. Nothing is deleted recursively: a box that does so deletes other volumes, those that are clones.
 */
public final class VolumeRemoval {
    private static final Backoff BETWEEN = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));
    private static final int MOST_ATTEMPTS = 12;

    private final TruenasApi api;
    private final FreenasStoreSettings settings;
    private final DatasetCalls datasets;
    private final SnapshotCalls snapshots;
    private final ParentLookup parents;
    private final TreeReader trees;
    private final CheckedTrees checked;
    private final PendingChanges pending;

    public VolumeRemoval(
            TruenasApi api,
            FreenasStoreSettings settings,
            ParentLookup parents,
            CheckedTrees checked,
            PendingChanges pending) {
        this.api = api;
        this.settings = settings;
        this.datasets = new DatasetCalls(api);
        this.snapshots = new SnapshotCalls(api);
        this.parents = parents;
        this.trees = new TreeReader(parents, datasets, snapshots);
        this.checked = checked;
        this.pending = pending;
    }

    /** @param isVolume whether it is a volume that its users know of */
    public DeletionCheck check(
            NativeId id, DatasetName name, OnDependents policy, Predicate<VolumeProperties> isVolume, Work work) {
        Optional<SeenTree> seen = trees.find(name, work);
        seen.ifPresent(tree -> checked.remember(name, tree));
        return seen.map(tree -> new DeletionCheck(
                        Optional.of(tree.entry().volume()).filter(isVolume).map(volume -> volume.volume(id)),
                        ours(id, tree).tree().obstacles(policy, settings.foreign())))
                .orElseGet(() -> new DeletionCheck(Optional.empty(), List.of()));
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
        Optional<SeenTree> seen = checked.take(name).or(() -> trees.find(name, work));
        seen.ifPresent(tree -> remove(id, ours(id, tree), policy, work));
        DatasetName staged = DatasetLayout.staged(name);
        for (DatasetEntry left : parents.left(List.of(name, staged), work)) {
            if (left.name().equals(name)) {
                throw datasets.untrue(name + " was deleted, and is still there");
            }
            discard(staged, work);
        }
        if (pending.has(datasets.key(name))) {
            throw datasets.unavailable(
                    name + " is not there, and a call to make it was cut, which the box may still be at; ask again");
        }
        seen.flatMap(tree -> tree.entry().origin())
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(hidden -> clear(hidden, work));
    }

    private void remove(NativeId id, SeenTree seen, OnDependents policy, Work work) {
        DatasetTree tree = seen.tree();
        DatasetName name = seen.entry().name();
        new DeletionCheck(Optional.empty(), tree.obstacles(policy, settings.foreign())).refuseIfBarred(id.value());
        purge(tree, work);
        if (tree.hasClones()) {
            if (policy == OnDependents.DEFER) {
                putAside(name, seen.entry(), work);
                return;
            }
            promote(tree, work);
        }
        delete(id, seen, work);
    }

    /** Deletes the snapshots that go with their volume; a clone of one of them makes the box refuse. */
    private void purge(DatasetTree tree, Work work) {
        for (SnapshotName snapshot : tree.snapshots()) {
            if (tree.clonesOf(snapshot).isEmpty()) {
                deleteSnapshot(snapshot, false, work);
            }
        }
    }

    private void deleteSnapshot(SnapshotName snapshot, boolean deferred, Work work) {
        if (snapshots.delete(snapshot, deferred, work) instanceof ApiResult.Refused refused
                && !refused.isAbsent()
                && !refused.says("not found")) {
            throw refused.isBusy() || refused.says("clones")
                    ? datasets.unavailable("the snapshot " + snapshot + " is in use: " + refused.text())
                    : refused.failure();
        }
    }

    private void promote(DatasetTree tree, Work work) {
        for (SnapshotName snapshot : tree.snapshots()) {
            for (DatasetName clone : tree.clonesOf(snapshot).stream().limit(1).toList()) {
                datasets.promote(clone, work).orThrow();
            }
        }
    }

    /** Renames a volume that clones depend on; it is gone from then on, and goes with the last of them. */
    private void putAside(DatasetName name, DatasetEntry entry, Work work) {
        if (!api.has(ApiAction.DATASET_RENAME, work)) {
            throw new StorageException(new Failure.Unsupported(
                    "putting aside a volume that has clones",
                    "delete the clones first, or upgrade the box to 25.10 or later"));
        }
        String born = entry.text("creation")
                .filter(text -> text.matches("[0-9]{1,20}"))
                .orElse("0");
        DatasetName hidden = DatasetLayout.hidden(
                name,
                born,
                entry.snapshots().stream()
                        .flatMap(text -> SnapshotName.of(text).stream())
                        .toList());
        Map<String, String> marks = new LinkedHashMap<>();
        marks.put(PeerProperties.MANAGED, "false");
        marks.put(OwnProperties.STATE, OwnProperties.HIDDEN);
        datasets.rename(name, hidden, work).orThrow();
        datasets.update(hidden, DatasetFields.updated(marks), work).orThrow();
    }

    private void delete(NativeId id, SeenTree seen, Work work) {
        DatasetName name = seen.entry().name();
        // It stays until its last clone has gone: so it goes with this one, however often the call is cut and repeated.
        seen.entry()
                .origin()
                .filter(DatasetLayout::isHelper)
                .filter(origin -> snapshots
                        .find(origin, work)
                        .flatMap(entry -> entry.own(PeerProperties.SNAPSHOT_NAME))
                        .isEmpty())
                .ifPresent(origin -> deleteSnapshot(origin, true, work));
        ApiResult.Refused last = null;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            if (!(datasets.delete(name, work) instanceof ApiResult.Refused refused)
                    || refused.isAbsent()
                    || (refused.says("does not exist") && !refused.isBusy())) {
                return;
            }
            last = refused;
            Duration pause = BETWEEN.after(attempt);
            if (!isBusy(refused) || pause.compareTo(work.left()) > 0) {
                break;
            }
            work.checkEnding();
            Backoff.pause(pause, work);
        }
        refuse(id, name, last, work);
    }

    private static boolean isBusy(ApiResult.Refused refused) {
        return refused.isBusy() && !refused.says("clones") && !refused.says("has snapshots");
    }

    /** Throws what stands in the way by now, if something came that was not there when it was looked at. */
    private void refuse(
            NativeId id, DatasetName name, ApiResult.@org.jspecify.annotations.Nullable Refused refused, Work work) {
        trees.find(name, work)
                .ifPresent(tree -> new DeletionCheck(
                                Optional.empty(), tree.tree().obstacles(OnDependents.REFUSE, settings.foreign()))
                        .refuseIfBarred(id.value()));
        throw datasets.unavailable(
                "deleting " + name + ": " + (refused == null ? "it is still there" : refused.text()));
    }

    /**
     * Deletes what a call began and did not finish: nobody was ever given it. What cannot be deleted, since somebody
     * made a clone of it, is put aside, so that it does not bar the name for ever.
     */
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
        if (tree.hasClones() || !seen.get().entry().children().isEmpty()) {
            putAside(name, seen.get().entry(), work);
            return;
        }
        purge(tree, work);
        delete(
                new NativeId(settings.layout().volume(name).map(NativeId::value).orElse("unfinished")),
                seen.get(),
                work);
    }

    /** Deletes a volume that was put aside if nothing depends on it any more, and then the one it was a clone of. */
    private void clear(DatasetName hidden, Work work) {
        Optional<SeenTree> left = trees.find(hidden, work)
                .filter(seen -> seen.tree().isHidden()
                        && seen.tree()
                                .obstacles(OnDependents.REFUSE, ForeignSnapshots.DESTROY)
                                .isEmpty());
        left.ifPresent(seen -> {
            purge(seen.tree(), work);
            delete(new NativeId("hidden"), seen, work);
        });
        left.flatMap(seen -> seen.entry().origin())
                .map(SnapshotName::dataset)
                .filter(DatasetLayout::isHidden)
                .ifPresent(next -> clear(next, work));
    }
}
