package dev.fairlead.adapter.freenas.store.destroy;

import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.late.CallNotes.CallNote;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
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
import dev.fairlead.zfs.volume.DatasetTree;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes one dataset that was seen, or puts it aside. It is looked at immediately before, as another controller may
 * have been at work since it was seen; and a call that may come late is noted before it is sent.
 *
 * @param notes see there for the reasons
 */
record TreeRemoval(
        TruenasApi api,
        FreenasStoreSettings settings,
        DatasetCalls datasets,
        SnapshotCalls snapshots,
        TreeReader trees,
        CallNotes notes) {
    private static final Backoff BETWEEN = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));
    private static final int MOST_ATTEMPTS = 12;

    /** Deletes the snapshots that go with their volume; a clone of one of them makes the box refuse. */
    void purge(DatasetTree tree, Work work) {
        for (SnapshotName snapshot : tree.snapshots()) {
            if (tree.clonesOf(snapshot).isEmpty()) {
                if (trees.mayBeOfFinishedGroup(snapshot, work)) {
                    throw changed(snapshot.dataset()); // it was unfinished when it was checked
                }
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

    /** Renames a volume that clones depend on; it is gone from then on, and goes with the last of them. */
    void putAside(SeenTree seen, CallNote noted, Work work) {
        DatasetEntry entry = seen.entry();
        DatasetName name = entry.name();
        if (!api.has(ApiAction.DATASET_RENAME, work)) {
            notes.withdraw(noted, work);
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
        if (notes.send(noted, left -> datasets.rename(name, hidden, left, work)) instanceof ApiResult.Refused refused) {
            notes.withdraw(noted, work);
            throw refused.failure();
        }
        datasets.update(hidden, notes.without(noted, DatasetFields.updated(marks)), work)
                .orThrow();
    }

    void delete(NativeId id, SeenTree seen, CallNote first, Work work) {
        DatasetName name = seen.entry().name();
        notes.before(first, () -> deleteOrigin(seen, work), work);
        ApiResult.Refused last = null;
        Optional<CallNote> noted = Optional.of(first);
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            if (!(notes.send(noted.get(), left -> datasets.delete(name, left, work))
                            instanceof ApiResult.Refused refused)
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
            noted = note(seen, noted, work);
            if (noted.isEmpty()) {
                return;
            }
        }
        noted.ifPresent(it -> notes.withdraw(it, work));
        refuse(id, name, last, work);
    }

    private void deleteOrigin(SeenTree seen, Work work) {
        // It stays until its last clone has gone: so it goes with this one, however often the call is cut and repeated.
        seen.entry()
                .origin()
                .filter(DatasetLayout::isHelper)
                .filter(origin -> snapshots
                        .find(origin, work)
                        .flatMap(entry -> entry.own(PeerProperties.SNAPSHOT_NAME))
                        .isEmpty())
                .ifPresent(origin -> deleteSnapshot(origin, true, work));
    }

    /**
     * Notes that a call is about to be sent which removes a dataset, and looks at it in the same step; throws if it is
     * another one by now.
     *
     * @param former a call that was refused
     * @return empty if it is not there any more
     */
    Optional<CallNote> note(SeenTree seen, Optional<CallNote> former, Work work) {
        DatasetName name = seen.entry().name();
        Optional<CallNote> noted = notes.note(name, name.value(), former, work);
        noted.filter(it -> !seen.isSameAs(it.entry())).ifPresent(it -> {
            notes.withdraw(it, work);
            throw changed(name);
        });
        return noted;
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

    StorageException changed(DatasetName name) {
        return datasets.unavailable(name + " was changed or replaced by others meanwhile; ask again");
    }
}
