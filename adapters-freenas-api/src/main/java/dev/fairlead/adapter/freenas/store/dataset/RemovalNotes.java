package dev.fairlead.adapter.freenas.store.dataset;

import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Notes with a dataset, or a snapshot, that a call which destroys or renames it is about to be sent.
 *
 * <p>Up to 25.10 a box goes on with a call whose connection was cut, and may do it minutes later. It destroys by name
 * alone, and lists no calls that are no jobs; up to 25.04 it cannot rename either. So a call that comes late would take
 * what was made anew under the name. That is kept from happening by one rule: <b>no two such calls are ever under way
 * for one thing</b>. Before a call is sent, its time is noted with the thing itself, with the name that the call has.
 * As long as the note is young, nobody sends another call, and nobody uses or hands out the thing. Once the thing is
 * gone, the one call has done what it can, and cannot come any more: the name is free. Once the note is old, the call
 * can come no more either, and another one may be sent. Since the note is on the box, a process after a restart and
 * another controller find it, and it needs no cleaning: it goes with what it is about. A process that knows the end of
 * its own call does not wait for it.
 *
 * <p>The note is also how two controllers agree on what a call left unfinished. Who throws it away notes that first,
 * and goes on only if the answer shows it still unfinished; who finishes it reads the note back in the answer of that
 * step, and hands the volume out only if there is none. The box does one update after the other, so at least one of the
 * two sees the other. A call is sent only soon after its note, so that nobody takes a note for old whose call comes.
 *
 * @param datasets the calls by which notes of datasets are set
 */
public record RemovalNotes(DatasetCalls datasets, PendingChanges pending) {
    private static final String KEY = "dev.fairlead:removal";

    /** The time for which a note that was set is good for sending a call. */
    private static final Duration GOOD = Duration.ofMinutes(1);

    /** Says whether the box goes on with a call that was cut. */
    public boolean goesOn(Work work) {
        return !datasets.api().release(work).isAtLeast(26, 0);
    }

    /** Returns the note of this moment for a call that has this name. */
    public Map<String, String> fresh(String name) {
        pending.settle(key(name));
        return Map.of(KEY, pending.now().toEpochMilli() + " " + pending.process() + " " + name);
    }

    /** Returns the properties by which a note of a snapshot means nothing any more. */
    public static Map<String, String> ended() {
        return Map.of(KEY, "0");
    }

    /** Throws if a call that was noted may still come. */
    public void requireNone(DatasetEntry entry, Work work) {
        requireNone(entry.name().toString(), entry.own(KEY), work);
    }

    /** Throws the same for the note of a snapshot. */
    public void requireNone(String name, Optional<String> note, Work work) {
        if (note.filter(text -> mayCome(text, name, work)).isPresent()) {
            throw datasets.unavailable("a call that removes " + name
                    + " was sent and its end was not seen; nothing is done with it until it is gone, or for "
                    + PendingChanges.LONGEST.toMinutes() + " minutes; ask again");
        }
    }

    private boolean mayCome(String note, String name, Work work) {
        String[] parts = note.split(" ", 3);
        if (parts.length < 3 || !parts[2].equals(name)) {
            return false; // it was renamed since, and no call for the former name finds it
        }
        boolean ended = parts[1].equals(pending.process()) && !(goesOn(work) && pending.has(key(name)));
        return !ended && pending.isYoung(parts[0]);
    }

    /** Returns the key of the property that holds a note. */
    public static String property() {
        return KEY;
    }

    private String key(String name) {
        return datasets.api().connection() + " removal of " + name;
    }

    /** Sends a call that was noted, and remembers if its end was not seen. */
    public ApiResult send(String name, Supplier<ApiResult> call) {
        try {
            return call.get();
        } catch (StorageException e) {
            if (e.failure() instanceof Failure.OutcomeUnknown || e.failure() instanceof Failure.TimedOut) {
                pending.add(key(name));
            }
            throw e;
        }
    }

    /** Sets a note, and returns what is read back with it; empty if there is no such dataset. */
    public Optional<DatasetEntry> put(DatasetName name, Work work) {
        ApiResult result = datasets.update(name, DatasetFields.updated(fresh(name.value())), work);
        if (result instanceof ApiResult.Refused refused && (refused.isAbsent() || refused.says("does not exist"))) {
            return Optional.empty();
        }
        result.orThrow();
        return Optional.of(datasets.answered((ApiResult.Done) result, name, work));
    }

    /** Throws if a note that was read back is too old for a call to be sent by it, or is another process's by now. */
    public void requireGood(DatasetEntry noted) {
        boolean good = noted.own(KEY)
                .map(text -> text.split(" ", 3))
                .filter(parts -> parts.length == 3 && parts[1].equals(pending.process()))
                .map(parts -> Instant.ofEpochMilli(Long.parseLong(parts[0])))
                .filter(since -> since.plus(GOOD).isAfter(pending.now()))
                .isPresent();
        if (!good) {
            throw datasets.unavailable("the removal of " + noted.name() + " took too long to begin; it is begun anew");
        }
    }

    /** Takes a note away, after the box has refused the call. */
    public void remove(DatasetName name, Work work) {
        ApiResult _ =
                datasets.update(name, DatasetFields.removing(DatasetFields.updated(Map.of()), List.of(KEY)), work);
    }
}
