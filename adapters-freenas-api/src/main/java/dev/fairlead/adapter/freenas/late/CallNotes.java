package dev.fairlead.adapter.freenas.late;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.ApiResult;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetEntry;
import dev.fairlead.adapter.freenas.store.dataset.DatasetFields;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.zfs.dataset.DatasetName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Notes with a dataset that a call is about to be sent which must not come late: one that destroys or renames it, or
 * that sets what it had read before.
 *
 * <p>A box destroys and sets by name alone and compares nothing, so a call that comes late would take what was made
 * anew under the name, or undo what was set since. One rule keeps that from happening: <b>no two such calls are ever
 * under way for one thing</b>. Each call has a note of its own, a property with an id as its name and what the call is
 * about as its value. The box does one update after the other and answers with all properties: of two who note a call,
 * at least the later one sees the other's note, and takes its own back. Who sees none sends the call, soon after its
 * note or not at all. As long as a note's call may come, nobody sends another one, and nobody uses or hands out what it
 * is about. A call takes its note away by its effect. So a process after a restart, another controller and another
 * connection find out by the box alone.
 *
 * @param datasets the calls by which notes are set
 * @param late says of whose calls may still come
 */
public record CallNotes(DatasetCalls datasets, LateCalls late) {
    private static final String PREFIX = "dev.fairlead:call.";

    /**
     * The prefix of the notes with which a parent names what is being made below it. From 25.10 on a box shows each of
     * its datasets with what it inherits as if it was its own, so a note must not be taken for one of the dataset.
     */
    private static final String CREATION = PREFIX + "creation.";

    /**
     * Describes a call that was noted.
     *
     * @param entry the dataset as it was read back with the note
     */
    public record CallNote(String id, DatasetEntry entry) {}

    /**
     * Notes a call by a step that sets other properties too; empty if that says so.
     *
     * @param about the name of the dataset or of a snapshot of it
     * @param setting sets the properties that it is given, and reads the dataset by that
     * @throws StorageException {@code BackendUnavailable}, without the note, if another call may come
     */
    public Optional<CallNote> note(
            String about, Function<Map<String, String>, Optional<DatasetEntry>> setting, Work work) {
        String id = late.begin();
        boolean isSet = false;
        try {
            Optional<DatasetEntry> entry = setting.apply(Map.of(PREFIX + id, about));
            isSet = entry.isPresent();
            return entry.map(it -> alone(new CallNote(id, it), about, work));
        } finally {
            if (!isSet) {
                late.end(id); // no call is sent for it
            }
        }
    }

    private CallNote alone(CallNote noted, String about, Work work) {
        if (alive(noted.entry(), about).stream().anyMatch(other -> !other.equals(PREFIX + noted.id()))) {
            withdraw(noted, work);
            throw barred(about);
        }
        return noted;
    }

    /** Notes a call that is about a dataset itself; empty if there is none. */
    public Optional<CallNote> note(DatasetName name, Work work) {
        return note(name, name.value(), Optional.empty(), work);
    }

    /**
     * Notes a call; empty if there is no such dataset.
     *
     * @param former a call that was refused; its note goes by the same step
     */
    public Optional<CallNote> note(DatasetName name, String about, Optional<CallNote> former, Work work) {
        List<String> old = former.map(it -> List.of(PREFIX + it.id())).orElse(List.of());
        return note(about, fresh -> set(name, DatasetFields.removing(DatasetFields.updated(fresh), old), work), work);
    }

    private Optional<DatasetEntry> set(DatasetName name, JsonObject fields, Work work) {
        ApiResult result = datasets.update(name, fields, work);
        if (result instanceof ApiResult.Refused refused && (refused.isAbsent() || refused.says("does not exist"))) {
            return Optional.empty();
        }
        result.orThrow();
        return Optional.of(datasets.answered((ApiResult.Done) result, name, work));
    }

    /**
     * Sends a call that was noted.
     *
     * @param call takes the time within which it is to be sent
     */
    public ApiResult send(CallNote noted, Function<Duration, ApiResult> call) {
        Duration left = late.left(noted.id());
        if (!left.isPositive()) {
            late.end(noted.id());
            throw datasets.unavailable("a change of " + noted.entry().name() + " took too long to begin; ask again");
        }
        try {
            ApiResult result = call.apply(left);
            late.end(noted.id());
            return result;
        } catch (StorageException e) {
            if (LateCalls.mayCome(e)) {
                late.lose(noted.id());
            } else {
                late.end(noted.id());
            }
            throw e;
        }
    }

    /** Sends a change of the dataset's properties, which takes the note away by the same step. */
    public ApiResult change(CallNote noted, JsonObject fields, Work work) {
        DatasetName name = noted.entry().name();
        return send(noted, left -> datasets.update(name, without(noted, fields), left, work));
    }

    /** Returns fields by which a call's note is taken away, and those of calls that come no more. */
    public JsonObject without(CallNote noted, JsonObject fields) {
        List<String> keys = new ArrayList<>(List.of(PREFIX + noted.id()));
        DatasetEntry entry = noted.entry();
        entry.rows().keySet().stream()
                .filter(key -> isOfCall(key) && !keys.contains(key))
                .filter(key -> entry.own(key)
                        .filter(about -> isOfSiblings(entry.name(), about) && !late.mayCome(id(key)))
                        .isPresent())
                .forEach(keys::add);
        return DatasetFields.removing(fields, keys);
    }

    /**
     * Returns fields by which the notes of calls are taken away that come no more, or that find nothing by the name
     * that the dataset has now.
     */
    public JsonObject withoutOld(DatasetEntry entry, DatasetName now, JsonObject fields) {
        List<String> keys = entry.rows().keySet().stream()
                .filter(CallNotes::isOfCall)
                .filter(key -> entry.own(key)
                        .filter(about ->
                                isOfSiblings(now, about) && (!about.startsWith(now.value()) || !late.mayCome(id(key))))
                        .isPresent())
                .toList();
        return DatasetFields.removing(fields, keys);
    }

    /** Runs a step before a call that was noted; if it fails the call is not sent, and its note goes. */
    public void before(CallNote noted, Runnable step, Work work) {
        try {
            step.run();
        } catch (StorageException e) {
            late.end(noted.id());
            try {
                withdraw(noted, work);
            } catch (StorageException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    /** Takes a note away without its effect: the call was refused, or is not sent. */
    public void withdraw(CallNote noted, Work work) {
        boolean _ = isWithdrawn(noted, work);
    }

    /** Takes a note away without its effect, and says whether the dataset was there for that. */
    public boolean isWithdrawn(CallNote noted, Work work) {
        late.end(noted.id());
        return datasets.update(noted.entry().name(), without(noted, DatasetFields.updated(Map.of())), work)
                instanceof ApiResult.Done;
    }

    /** Throws if a call that is about a dataset itself may still come. */
    public void requireNone(DatasetEntry entry) {
        requireNone(entry, entry.name().value());
    }

    /** Throws if a call that is about this, and noted with this dataset, may still come. */
    public void requireNone(DatasetEntry entry, String about) {
        if (!alive(entry, about).isEmpty()) {
            throw barred(about);
        }
    }

    private StorageException barred(String about) {
        return datasets.unavailable("a call that changes or removes " + about
                + " was sent and its end was not seen, or another controller sends one; nothing is done with it until"
                + " it is done, or for " + LateCalls.LONGEST.toMinutes() + " minutes; ask again");
    }

    /** Returns the notes of calls that may still come. One of a former name is none: no call finds that any more. */
    private List<String> alive(DatasetEntry entry, String about) {
        return alive(entry, about, CallNotes::isOfCall);
    }

    private List<String> alive(DatasetEntry entry, String about, Predicate<String> which) {
        return entry.rows().keySet().stream()
                .filter(which)
                .filter(key -> entry.own(key).filter(about::equals).isPresent())
                .filter(key -> late.mayCome(id(key)))
                .toList();
    }

    /** Says whether a property is the note of a call that changes or removes something. */
    private static boolean isOfCall(String key) {
        return isNote(key) && !key.startsWith(CREATION);
    }

    /**
     * Says whether a note is about this dataset, under its name or a former one, or a snapshot of it. From 25.10 on a
     * box shows it with the notes of its parent too, and refuses to take these away there.
     */
    private static boolean isOfSiblings(DatasetName name, String about) {
        return name.parent().map(parent -> about.startsWith(parent + "/")).orElse(true);
    }

    private static boolean isNote(String key) {
        return key.startsWith(PREFIX);
    }

    private static String id(String key) {
        return key.substring((key.startsWith(CREATION) ? CREATION : PREFIX).length());
    }

    /** Returns what a pending creation of a dataset is remembered by. */
    public LateCalls.ChangeTarget creation(DatasetName name) {
        return LateCalls.thing(datasets.api(), "dataset " + name);
    }

    /**
     * Notes a creation whose end was not seen with the parent, for those who come after this process. If that fails, as
     * with a box that is away, this process alone knows.
     */
    public void noteCreation(DatasetName name, Work work) {
        List<String> former = late.taken(creation(name)).stream()
                .map(id -> CREATION + id)
                .toList(); // of an earlier attempt, or each one would leave a note more
        Map<String, String> note = Map.of(CREATION + late.begin(creation(name)), name.value());
        try {
            JsonObject fields = DatasetFields.removing(DatasetFields.updated(note), former);
            ApiResult _ = datasets.update(name.parent().orElseThrow(), fields, work);
        } catch (StorageException _) {
            work.checkEnding();
        }
    }

    /** Notes that a creation whose end was not seen has come. */
    public void creationCame(DatasetName name, Work work) {
        late.settle(creation(name));
        late.taken(creation(name)).ifPresent(id -> remove(name.parent().orElseThrow(), List.of(CREATION + id), work));
    }

    /** Throws if a dataset that is not there may still be made by a call that was cut, says its parent or this one. */
    public void requireNoCreation(DatasetName name, DatasetEntry parent, Work work) {
        if (late.mayChange(creation(name))
                || !alive(parent, name.value(), CallNotes::isNote).isEmpty()) {
            throw datasets.unavailable(
                    name + " is not there, and a call to make it was cut, which the box may still be at; ask again");
        }
        clean(parent, work);
    }

    /** Takes old notes of creations from a parent, where nothing else would. */
    private void clean(DatasetEntry parent, Work work) {
        List<String> old = parent.rows().keySet().stream()
                .filter(CallNotes::isNote)
                .filter(key -> parent.own(key).isPresent())
                .filter(key -> !late.mayCome(id(key)))
                .toList();
        if (!old.isEmpty()) {
            remove(parent.name(), old, work);
        }
    }

    private void remove(DatasetName name, List<String> keys, Work work) {
        ApiResult _ = datasets.update(name, DatasetFields.removing(DatasetFields.updated(Map.of()), keys), work);
    }
}
