package dev.fairlead.adapter.freenas.store.copy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiAction;
import dev.fairlead.adapter.freenas.client.ApiCall;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.snapshot.SnapshotCalls;
import dev.fairlead.application.port.out.store.CopyTurns;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Copies a snapshot into a dataset of its own by the box's replication to itself: a job, which goes on whoever waits
 * for it, and is found again by its target as long as the box is not restarted. What it leaves is believed only if the
 * box says that it succeeded, and the snapshot is read back at the target.
 *
 * <p>The target has a name that no volume has until it is finished, so a release that renames no dataset makes no
 * copies.
 */
public final class ContentCopy {
    private final TruenasApi api;
    private final CopyJobs jobs;
    private final CopyTurns turns;
    private final CopyNotes notes;
    private final DatasetLayout layout;

    public ContentCopy(TruenasApi api, CopyTurns turns, CopyNotes notes, DatasetLayout layout) {
        this.api = api;
        this.jobs = notes.jobs();
        this.turns = turns;
        this.notes = notes;
        this.layout = layout;
    }

    /** Throws if a job may still make a copy, says the dataset that is to hold it. */
    public void requireNone(DatasetName target, DatasetEntry holder, Work work) {
        notes.requireNone(target, holder, work);
    }

    /** Says whether a call asked for this copy, and nobody has seen the end of it. */
    public boolean isNoted(DatasetName target, DatasetEntry holder) {
        return notes.isNoted(target, holder);
    }

    /**
     * Throws if the box's release cannot make a copy that is found again after a cut.
     *
     * @param otherwise what to do instead of an upgrade of the box
     */
    public void requirePossible(String what, String otherwise, Work work) {
        if (!api.has(ApiAction.REPLICATION_RUN, work) || !api.has(ApiAction.DATASET_RENAME, work)) {
            throw new StorageException(new Failure.Unsupported(
                    what + " by the API of " + api.release(work).shown(),
                    "upgrade the box to 25.10 or later, or " + otherwise));
        }
    }

    /**
     * Runs what waits for a copy if few enough others do that on this connection, since each takes one of its threads.
     */
    public <T> T taking(SnapshotName source, DatasetName target, CopyTurns.Copy<T, RuntimeException> copy) {
        return turns.taking(source.dataset().value(), target.value(), copy);
    }

    /**
     * Waits for the copy that an earlier call has begun, if one has.
     *
     * @return whether all of it is there; if not, a copy has to be begun anew, without what is at the target
     */
    public boolean follow(SnapshotName source, DatasetName target, Work work) {
        Optional<JsonObject> begun = jobs.latest(target, work);
        if (begun.isEmpty()) {
            return false;
        }
        boolean goesOn = begun.filter(CopyJobs::goesOn).isPresent();
        boolean succeeded = goesOn || CopyJobs.succeeded(begun.get());
        Optional<ApiResult> end = goesOn
                ? Optional.of(untilItEnds(target, () -> api.await(CopyJobs.job(begun.get()), work), work))
                : Optional.empty();
        notes.ended(target, begun.get(), work);
        if (end.isPresent() && end.get() instanceof ApiResult.Refused refused) {
            throw failure(refused);
        }
        return succeeded && CopyJobs.isOf(begun.get(), source) && isComplete(source, target, work);
    }

    /** Begins the copy, and waits for its end. There is nothing at the target. */
    public void start(SnapshotName source, DatasetName target, Work work) {
        List<JsonObject> all = jobs.all(work);
        Map<String, String> others = new LinkedHashMap<>();
        CopyJobs.underWay(all).forEach((other, its) -> {
            if (!other.equals(target) && isOfThisConnection(other)) {
                others.put(other.value(), its);
            }
        });
        turns.requireFree(source.dataset().value(), target.value(), others);
        notes.sending(target, CopyJobs.last(all), () -> run(source, target, work), work);
    }

    private boolean isOfThisConnection(DatasetName target) {
        Optional<DatasetName> parent = target.parent();
        return DatasetLayout.isStaged(target)
                && (parent.filter(layout.parents().all()::contains).isPresent()
                        || parent.flatMap(DatasetName::parent).equals(layout.detachedParent()));
    }

    private void run(SnapshotName source, DatasetName target, Work work) {
        ApiCall call = ApiCall.of(ApiAction.REPLICATION_RUN, fields(source, target));
        if (untilItEnds(target, () -> api.run(call, target.value(), work), work) instanceof ApiResult.Refused refused) {
            throw failure(refused);
        }
        if (!isComplete(source, target, work)) {
            throw new StorageException(new Failure.Unintelligible(
                    api.connection(), source + " was copied, and is not at " + target + " when that is read back"));
        }
    }

    /** Deletes the snapshot that came with the copy. */
    public void forget(SnapshotName source, DatasetName target, Work work) {
        if (new SnapshotCalls(api).delete(target.snapshot(source.name()), false, work)
                        instanceof ApiResult.Refused refused
                && !refused.isAbsent()
                && !refused.says("not found")) {
            throw refused.failure();
        }
    }

    /** Says whether all of a copy is there: the box shows the snapshot at the target only then. */
    public boolean isComplete(SnapshotName source, DatasetName target, Work work) {
        return new SnapshotCalls(api).find(target.snapshot(source.name()), work).isPresent();
    }

    private static JsonObject fields(SnapshotName source, DatasetName target) {
        var fields = new JsonObject();
        fields.addProperty("direction", "PUSH");
        fields.addProperty("transport", "LOCAL");
        var sources = new JsonArray();
        sources.add(source.dataset().value());
        fields.add("source_datasets", sources);
        fields.addProperty("target_dataset", target.value());
        fields.addProperty("recursive", false);
        fields.addProperty("name_regex", CopyJobs.pattern(source));
        fields.addProperty("retention_policy", "NONE");
        fields.addProperty("readonly", "IGNORE");
        fields.addProperty("properties", false);
        fields.addProperty("only_from_scratch", true);
        return fields;
    }

    /** Returns how a job ended; one that takes longer than its caller has time is waited for by the repetition. */
    private ApiResult untilItEnds(DatasetName target, Supplier<ApiResult> wait, Work work) {
        try {
            return wait.get();
        } catch (StorageException e) {
            boolean mayGoOn = e.failure() instanceof Failure.OutcomeUnknown || e.failure() instanceof Failure.TimedOut;
            if (mayGoOn && goesOn(target, e, work)) {
                throw unavailable("the box goes on copying: " + e.failure().message(), e);
            }
            throw e;
        }
    }

    /** Says whether a job goes on; not if the box cannot be asked, after which the first failure still holds. */
    private boolean goesOn(DatasetName target, StorageException first, Work work) {
        try {
            return jobs.latest(target, work.finishing())
                    .filter(CopyJobs::goesOn)
                    .isPresent();
        } catch (StorageException e) {
            first.addSuppressed(e);
            return false;
        }
    }

    private StorageException unavailable(String detail, @org.jspecify.annotations.Nullable StorageException cause) {
        return new StorageException(new Failure.BackendUnavailable(api.connection(), detail), cause);
    }

    private StorageException failure(ApiResult.Refused refused) {
        if (refused.isThereAlready()) {
            return unavailable("another call makes the same copy: " + refused.text(), null);
        }
        return refused.failure();
    }
}
