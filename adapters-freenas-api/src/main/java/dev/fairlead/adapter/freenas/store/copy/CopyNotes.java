package dev.fairlead.adapter.freenas.store.copy;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notes with the dataset that is to hold a copy that a job is begun for it. A job may wait for hours before there is
 * anything at its target, and nothing but the box's list of jobs shows it until then; a deletion asks for that list
 * only if it meets the note, in what it reads anyway.
 *
 * <p>A note's value is the id of the call that asks for the job, as other calls that may come late have one, and the
 * number of the last job before it: an older job tells nothing of this call. If an earlier call of this process may
 * come too, no job tells whose it is, and there is no number.
 */
public record CopyNotes(CopyJobs jobs, DatasetCalls datasets, LateCalls late) {
    private static final String PREFIX = "dev.fairlead:copy.";
    private static final String NO_NUMBER = "-";
    private static final int BYTES = 12;

    /**
     * Sets the note, before the job is asked for.
     *
     * @param last the number of the last job that the box has now
     * @return the id of the call that asks for it
     */
    String begin(DatasetName target, long last, Work work) {
        String id = late.begin();
        String before = late.mayChange(thing(target)) ? NO_NUMBER : String.valueOf(last);
        JsonObject fields = DatasetFields.updated(Map.of(key(target), id + " " + before));
        if (datasets.update(holder(target), fields, work) instanceof ApiResult.Refused refused) {
            late.end(id);
            throw refused.isAbsent() || refused.says("does not exist")
                    ? datasets.unavailable(holder(target) + " is gone, below which " + target + " was to be copied")
                    : refused.failure();
        }
        return id;
    }

    /** Runs the call that was noted, soon after its note or not at all, and takes the note away if it has ended. */
    void sending(DatasetName target, String id, Runnable call, Work work) {
        if (!late.left(id).isPositive()) {
            late.end(id);
            throw datasets.unavailable("a copy to " + target + " took too long to begin; ask again");
        }
        try {
            late.changing(thing(target), () -> {
                call.run();
                return true;
            });
        } catch (StorageException e) {
            if (LateCalls.mayCome(e)) {
                late.lose(id);
                throw e;
            }
            late.end(id);
            if (!(e.failure() instanceof Failure.BackendUnavailable)) { // of a job that goes on the note stays
                quietly(() -> end(target, work.finishing()), work);
            }
            throw e;
        }
        late.end(id);
        end(target, work);
    }

    /** Takes the note away of a call that is known to have come by its job, which has ended. */
    void ended(DatasetName target, JsonObject job, Work work) {
        datasets.find(holder(target), work)
                .flatMap(holder -> holder.own(key(target)))
                .filter(note -> CopyJobs.number(job) > last(note))
                .ifPresent(note -> {
                    late.end(id(note));
                    late.settle(thing(target));
                    end(target, work);
                });
    }

    /**
     * Takes the note away, once the job has ended. If another call to make the same copy may come, the next deletion
     * that meets it does so.
     */
    private void end(DatasetName target, Work work) {
        if (late.mayChange(thing(target))) {
            return;
        }
        JsonObject fields = DatasetFields.removing(DatasetFields.updated(Map.of()), List.of(key(target)));
        ApiResult _ = datasets.update(holder(target), fields, work);
    }

    private static void quietly(Runnable step, Work work) {
        try {
            step.run();
        } catch (StorageException _) {
            work.checkEnding();
        }
    }

    /**
     * Throws if a job may still make this copy.
     *
     * @param holder what is to hold it, as it was just read
     */
    public void requireNone(DatasetName target, DatasetEntry holder, Work work) {
        Optional<String> note = holder.own(key(target));
        if (note.isEmpty()) {
            return;
        }
        Optional<JsonObject> job = jobs.latest(target, work);
        if (job.filter(CopyJobs::goesOn).isPresent()) {
            throw jobs.underWay(target);
        }
        // Without a job of its own, the call that asks for one may still come.
        boolean hasEnded =
                job.filter(it -> CopyJobs.number(it) > last(note.get())).isPresent();
        if (late.mayChange(thing(target)) || (!hasEnded && late.mayCome(id(note.get())))) {
            throw datasets.unavailable("a call to copy to " + target
                    + " was sent and its end was not seen; it may come for " + LateCalls.LONGEST.toMinutes()
                    + " minutes; ask again");
        }
        end(target, work);
    }

    private static String id(String note) {
        return note.replaceFirst(" .*", "");
    }

    private static long last(String note) {
        String number = note.substring(note.indexOf(' ') + 1);
        return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : Long.MAX_VALUE;
    }

    private LateCalls.ChangeTarget thing(DatasetName target) {
        return LateCalls.thing(datasets.api(), "copy to " + target);
    }

    private static DatasetName holder(DatasetName target) {
        return target.parent().orElseThrow();
    }

    private static String key(DatasetName target) {
        return PREFIX + HexFormat.of().formatHex(Digests.sha256(target.value()), 0, BYTES);
    }
}
