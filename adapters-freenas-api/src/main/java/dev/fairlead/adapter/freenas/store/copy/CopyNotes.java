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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Notes with the dataset that is to hold a copy that a job is begun for it. A job may wait for hours before there is
 * anything at its target, and nothing but the box's list of jobs shows it until then; a deletion asks for that list
 * only if it meets a note, in what it reads anyway.
 *
 * <p>A note's value is the id of the call that asks for the job, as other calls that may come late have one, and the
 * number of the last job before it: an older job tells nothing of this call. If an earlier call of this process may
 * come too, no job tells whose it is, and there is no number.
 *
 * <p>Each call has a note of its own, since two processes may begin the same copy, the old leader and the new one: of
 * one note for both, the second would take away what tells of the first one's call, and a deletion would leave the copy
 * that comes by it. The box does one update after the other and answers with all properties, so at least the later one
 * sees the other's note. It takes its own back and asks for no job: its job would fail, as there is a target by then,
 * and its caller would be told that there is no copy, while the first process makes it.
 */
public record CopyNotes(CopyJobs jobs, DatasetCalls datasets, LateCalls late) {
    private static final String PREFIX = "dev.fairlead:copy.";
    private static final String NO_NUMBER = "-";
    private static final int BYTES = 12;

    /**
     * Runs the call that asks for a job, soon after its note or not at all, and takes the note away if the job has
     * ended.
     *
     * @param last the number of the last job that the box has now
     */
    void sending(DatasetName target, long last, Runnable call, Work work) {
        // Its value is replaced by what no job ends, if the call of an earlier attempt may come.
        List<String> former =
                late.taken(thing(target)).map(id -> key(target, id)).stream().toList();
        String before = late.mayChange(thing(target)) ? NO_NUMBER : String.valueOf(last);
        String id = late.begin(thing(target));
        List<String> keys = begin(target, id, before, former, work);
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
                quietly(() -> end(target, keys, work.finishing()), work);
            }
            throw e;
        }
        late.end(id);
        end(target, keys, work);
    }

    /** Sets the note, and returns it and those of calls that come no more; throws if another process's may come. */
    private List<String> begin(DatasetName target, String id, String before, List<String> former, Work work) {
        String key = key(target, id);
        JsonObject fields = DatasetFields.removing(DatasetFields.updated(Map.of(key, id + " " + before)), former);
        Map<String, String> all;
        try {
            all = switch (datasets.update(holder(target), fields, work)) {
                case ApiResult.Done done -> notes(target, datasets.answered(done, holder(target), work));
                case ApiResult.Refused refused ->
                    throw refused.isAbsent() || refused.says("does not exist")
                            ? datasets.unavailable(
                                    holder(target) + " is gone, below which " + target + " was to be copied")
                            : refused.failure();
            };
        } catch (StorageException e) {
            late.end(id); // no call is sent for it
            throw e;
        }
        boolean isAnothers = all.entrySet().stream()
                .anyMatch(note -> !note.getKey().equals(key) && late.mayCome(id(note.getValue())));
        if (isAnothers) {
            late.end(id);
            quietly(() -> remove(target, List.of(key), work.finishing()), work);
            throw datasets.unavailable("another controller has begun to copy to " + target
                    + ", whose call may come for " + LateCalls.LONGEST.toMinutes() + " minutes; ask again");
        }
        return Stream.concat(Stream.of(key), all.keySet().stream()).distinct().toList();
    }

    /**
     * Takes the notes away of calls that are known to have come by a job, which has ended. Another process's call that
     * has come tells nothing of this one's, which may still come if its own note is not among them.
     */
    void ended(DatasetName target, JsonObject job, Work work) {
        Map<String, String> come = new LinkedHashMap<>();
        datasets.find(holder(target), work).ifPresent(holder -> come.putAll(notes(target, holder)));
        List<String> own =
                come.values().stream().filter(note -> late.isOwn(id(note))).toList();
        come.values().removeIf(note -> CopyJobs.number(job) <= last(note));
        if (!come.isEmpty()) {
            come.values().forEach(note -> late.end(id(note)));
            if (!own.isEmpty() && come.values().containsAll(own)) {
                late.settle(thing(target));
            }
            end(target, List.copyOf(come.keySet()), work);
        }
    }

    /**
     * Takes notes away, once the job has ended. If another call to make the same copy may come, the next deletion that
     * meets them does so.
     */
    private void end(DatasetName target, List<String> keys, Work work) {
        if (!late.mayChange(thing(target))) {
            remove(target, keys, work);
        }
    }

    private void remove(DatasetName target, List<String> keys, Work work) {
        JsonObject fields = DatasetFields.removing(DatasetFields.updated(Map.of()), keys);
        ApiResult _ = datasets.update(holder(target), fields, work);
        late.forget(thing(target), id -> keys.contains(key(target, id)));
    }

    private static void quietly(Runnable step, Work work) {
        try {
            step.run();
        } catch (StorageException _) {
            work.checkEnding();
        }
    }

    /** Says whether a call asked for this copy, and nobody has seen the end of it. */
    public boolean isNoted(DatasetName target, DatasetEntry holder) {
        return !notes(target, holder).isEmpty();
    }

    /**
     * Throws if a job may still make this copy.
     *
     * @param holder what is to hold it, as it was just read
     */
    public void requireNone(DatasetName target, DatasetEntry holder, Work work) {
        Map<String, String> all = notes(target, holder);
        if (all.isEmpty()) {
            return;
        }
        Optional<JsonObject> job = jobs.latest(target, work);
        if (job.filter(CopyJobs::goesOn).isPresent()) {
            throw jobs.underWay(target);
        }
        // Without a job of its own, the call that asks for one may still come.
        long ended = job.map(CopyJobs::number).orElse(0L);
        boolean mayCome = all.values().stream().anyMatch(note -> ended <= last(note) && late.mayCome(id(note)));
        if (late.mayChange(thing(target)) || mayCome) {
            throw datasets.unavailable("a call to copy to " + target
                    + " was sent and its end was not seen; it may come for " + LateCalls.LONGEST.toMinutes()
                    + " minutes; ask again");
        }
        end(target, List.copyOf(all.keySet()), work);
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

    /** Returns the notes of a target, each by its property. */
    private static Map<String, String> notes(DatasetName target, DatasetEntry holder) {
        Map<String, String> found = new TreeMap<>();
        holder.rows().keySet().stream()
                .filter(key -> key.equals(key(target)) || key.startsWith(key(target) + "."))
                .forEach(key -> holder.own(key).ifPresent(note -> found.put(key, note)));
        return found;
    }

    private static String key(DatasetName target, String id) {
        return key(target) + "." + id;
    }

    /** Returns what the properties of a target's notes begin with; the one note that there was once had it alone. */
    private static String key(DatasetName target) {
        return PREFIX + HexFormat.of().formatHex(Digests.sha256(target.value()), 0, BYTES);
    }
}
