package dev.fairlead.adapter.freenas.store;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.late.CallNotes;
import dev.fairlead.adapter.freenas.store.copy.ContentCopy;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.adapter.freenas.store.dataset.DetachedLookup;
import dev.fairlead.adapter.freenas.store.destroy.VolumeRemoval;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.adapter.freenas.store.snapshot.SourceSnapshot;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Keeps detached snapshots: copies that are datasets of their own below {@code detachedSnapshotsDatasetParentName}, and
 * outlive their volume. One is copied under a name that no snapshot has, marked as unfinished, renamed, and marked as
 * whole last.
 */
final class SnapshotCopies {
    private final TruenasApi api;
    private final DatasetLayout layout;
    private final DatasetCalls datasets;
    private final DetachedLookup detached;
    private final VolumeRemoval removal;
    private final CallNotes notes;
    private final ContentCopy copies;
    private final CopyHolders holders;

    SnapshotCopies(
            TruenasApi api,
            DatasetLayout layout,
            DetachedLookup detached,
            VolumeRemoval removal,
            CallNotes notes,
            ContentCopy copies) {
        this.api = api;
        this.layout = layout;
        this.datasets = new DatasetCalls(api);
        this.detached = detached;
        this.removal = removal;
        this.notes = notes;
        this.copies = copies;
        this.holders = new CopyHolders(datasets, notes);
    }

    /**
     * Holds what is asked for.
     *
     * @param properties the marks of the snapshot
     * @param check throws if the volume is none of ours; it may have gone since all of it was copied
     */
    record Wanted(DatasetName volume, NativeId id, DatasetName name, Map<String, String> properties, Runnable check) {
        DatasetName staged() {
            return DatasetLayout.staged(name);
        }

        DatasetName holder() {
            return name.parent().orElseThrow();
        }

        /** Returns the marks of a copy that is not finished yet. */
        Map<String, String> begun() {
            Map<String, String> begun = new LinkedHashMap<>(properties);
            begun.remove(PeerProperties.SUCCESS);
            begun.put(OwnProperties.STATE, OwnProperties.MAKING);
            return begun;
        }
    }

    /** Makes the copy, whatever an earlier call has left of it. */
    StoredSnapshot take(Wanted wanted, Work work) {
        copies.requirePossible("a detached snapshot", "leave the parameter out", work);
        var source = new SourceSnapshot(new SnapshotCalls(api), layout.originFor(wanted.volume(), wanted.name()));
        try {
            return take(wanted, source, work);
        } catch (StorageException e) {
            if (FinalCodes.isFinal(e.failure())) {
                clear(wanted, source, work.finishing());
            }
            throw e;
        }
    }

    private StoredSnapshot take(Wanted wanted, SourceSnapshot source, Work work) {
        Map<DatasetName, DatasetEntry> there = look(wanted.name(), work);
        DatasetEntry whole = there.get(wanted.name());
        if (whole != null) {
            return existing(wanted, source, whole, work);
        }
        DatasetName staged = wanted.staged();
        boolean marked = Optional.ofNullable(there.get(staged))
                .filter(entry -> entry.origin().isEmpty()
                        && DatasetFields.difference(wanted.begun(), entry).isEmpty())
                .isPresent();
        if (!marked) {
            copies.taking(source.name(), staged, () -> {
                if (!copies.follow(source.name(), staged, work)) {
                    copy(wanted, source, there, work);
                }
                return staged;
            });
            DatasetEntry made = update(staged, DatasetFields.updated(wanted.begun()), work);
            DatasetFields.difference(wanted.begun(), made).ifPresent(difference -> {
                throw datasets.untrue(staged + " was made, and " + difference);
            });
        }
        source.discard(work);
        StoredSnapshot made = finished(wanted, rename(wanted, work), work);
        forget(source.name(), wanted.name(), work);
        return made;
    }

    private void copy(Wanted wanted, SourceSnapshot source, Map<DatasetName, DatasetEntry> there, Work work) {
        wanted.check().run();
        if (there.containsKey(wanted.staged())) {
            removal.discard(wanted.staged(), work);
        }
        holders.require(wanted.holder(), Optional.ofNullable(there.get(wanted.holder())), work);
        if (!source.take(work)) {
            throw datasets.unavailable("another call copies the snapshot " + source.name());
        }
        copies.start(source.name(), wanted.staged(), work);
    }

    /** Returns what there is of a snapshot, of an unfinished one, and of what holds them, by one query. */
    private Map<DatasetName, DatasetEntry> look(DatasetName name, Work work) {
        return datasets
                .each(List.of(name, DatasetLayout.staged(name), name.parent().orElseThrow()), work)
                .stream()
                .collect(Collectors.toMap(DatasetEntry::name, entry -> entry));
    }

    private StoredSnapshot existing(Wanted wanted, SourceSnapshot source, DatasetEntry there, Work work) {
        SnapshotProperties found = detached.begun(there)
                .orElseThrow(() ->
                        new StorageException(new Failure.NotOurs(wanted.id().value(), "the dataset " + wanted.name())));
        notes.requireNone(there);
        StoredSnapshot made = found.snapshot();
        if (!found.isWhole()) {
            // A copy by SSH has its name and its marks before its content, and the API shows neither of what is
            // missing.
            if (!copies.isComplete(source.name(), wanted.name(), work)) {
                throw datasets.unavailable(wanted.name() + " is unfinished, and the snapshot "
                        + source.name().name() + " by which a complete copy is known is not there: it is still being"
                        + " received, or has to be destroyed by hand");
            }
            source.discard(work);
            made = finished(wanted, there, work);
        }
        forget(source.name(), wanted.name(), work);
        return made;
    }

    /** Deletes what a call has left of a copy after it was whole: the snapshot that came with it. */
    void tidy(DatasetName volume, DatasetName name, Work work) {
        forget(layout.originFor(volume, name), name, work);
    }

    /** Deletes the snapshot that came with a copy, which is used whether that succeeds or not. */
    private void forget(SnapshotName source, DatasetName name, Work work) {
        try {
            copies.forget(source, name, work.finishing());
        } catch (StorageException _) {
            work.checkEnding(); // a repetition tries again, and it goes with the copy
        }
    }

    /** Returns the copy as it was before it had its name. */
    private DatasetEntry rename(Wanted wanted, Work work) {
        DatasetName staged = wanted.staged();
        CallNotes.CallNote noted = notes.note(staged, work)
                .orElseThrow(() -> datasets.unavailable("another call removed what this one made: " + staged));
        if (notes.send(noted, left -> datasets.rename(staged, wanted.name(), left, work))
                instanceof ApiResult.Refused refused) {
            notes.withdraw(noted, work);
            throw refused.isThereAlready() || refused.isAbsent()
                    ? datasets.unavailable("another call makes " + wanted.name() + ": " + refused.text())
                    : refused.failure();
        }
        return noted.entry();
    }

    /**
     * Marks the copy as whole, and reads it back.
     *
     * @param before the copy as it was read last
     */
    private StoredSnapshot finished(Wanted wanted, DatasetEntry before, Work work) {
        Map<String, String> whole = new LinkedHashMap<>();
        whole.put(PeerProperties.SUCCESS, PeerProperties.TRUE);
        whole.put(OwnProperties.STATE, OwnProperties.WHOLE);
        DatasetEntry made =
                update(wanted.name(), notes.withoutOld(before, wanted.name(), DatasetFields.updated(whole)), work);
        notes.requireNone(made); // another controller may have begun to delete it
        return detached.snapshot(made)
                .map(SnapshotProperties::snapshot)
                .orElseThrow(() -> datasets.untrue(wanted.name() + " was made, and its properties say otherwise"));
    }

    private DatasetEntry update(DatasetName name, JsonObject fields, Work work) {
        return switch (datasets.update(name, fields, work)) {
            case ApiResult.Done done -> datasets.answered(done, name, work);
            case ApiResult.Refused refused ->
                throw refused.isAbsent()
                        ? datasets.unavailable("another call removed what this one made: " + refused.text())
                        : refused.failure();
        };
    }

    /** Removes what a call has begun whose failure is final. */
    private void clear(Wanted wanted, SourceSnapshot source, Work work) {
        Map<DatasetName, DatasetEntry> there = look(wanted.name(), work);
        if (there.containsKey(wanted.staged())) {
            removal.discard(wanted.staged(), work);
        }
        source.discard(work);
        holders.release(Optional.ofNullable(there.get(wanted.holder())), work);
    }

    /** Deletes a detached snapshot and what is left of an unfinished one, and what held it if that is empty then. */
    void delete(NativeId id, DatasetName name, Work work) {
        Map<DatasetName, DatasetEntry> there = look(name, work);
        if (there.isEmpty()) {
            detached.requirePool(work);
            there = look(name, work); // the pool may have come since
        }
        if (there.isEmpty()) {
            return;
        }
        if (Optional.ofNullable(there.get(name)).flatMap(detached::begun).isPresent()) {
            removal.removeCopy(id, name, work);
            if (datasets.find(name, work).isPresent()) {
                throw datasets.untrue(name + " was deleted, and is still there");
            }
        }
        DatasetName staged = DatasetLayout.staged(name);
        if (there.containsKey(staged)) {
            removal.discard(staged, work);
        }
        Optional<DatasetEntry> holder =
                Optional.ofNullable(there.get(name.parent().orElseThrow()));
        holder.filter(entry -> copies.isNoted(staged, entry)).ifPresent(entry -> {
            copies.requireNone(staged, entry, work);
            removal.discard(staged, work); // a job that has ended may have made it since it was looked for
        });
        holders.release(holder, work);
    }
}
