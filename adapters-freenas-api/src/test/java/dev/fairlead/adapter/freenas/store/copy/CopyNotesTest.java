package dev.fairlead.adapter.freenas.store.copy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.store.dataset.DatasetCalls;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.dataset.DatasetName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process takes the calls for that ask for a copy, its own and those of the process before it. */
class CopyNotesTest {
    private static final DatasetName TARGET =
            DatasetName.of(SimulatedBox.PARENT + "/pvc-2").orElseThrow();

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private final LateCalls own = new LateCalls(now::get);
    private final LateCalls others = new LateCalls(now::get);
    private @Nullable SimulatedBox opened;

    private SimulatedBox box() {
        if (opened == null) {
            opened = new SimulatedBox(Profile.V25_10, folder);
        }
        return opened;
    }

    @AfterEach
    void close() {
        box().close();
    }

    private CopyNotes notes(LateCalls late) {
        TruenasApi api = box().client().get();
        return new CopyNotes(new CopyJobs(api), new DatasetCalls(api), late);
    }

    private static void cut() {
        throw new StorageException(new Failure.OutcomeUnknown("nas", "a copy", "it was cut"));
    }

    private void lose(LateCalls late, long last) {
        Failing.with(
                Failure.OutcomeUnknown.class,
                () -> notes(late).sending(TARGET, last, CopyNotesTest::cut, TestWork.patient()));
    }

    private LateCalls.ChangeTarget thing() {
        return LateCalls.thing(box().client().get(), "copy to " + TARGET);
    }

    /** Returns the notes that the parent has. */
    private List<String> noted() {
        return box().rows("dataset").stream()
                .filter(row -> JsonTools.text(row, "name").equals(SimulatedBox.PARENT))
                .flatMap(row -> JsonTools.child(row, "user").asMap().entrySet().stream())
                .filter(property -> property.getKey().startsWith("dev.fairlead:copy."))
                .map(property -> property.getValue().getAsString())
                .toList();
    }

    private static JsonObject job(long number) {
        var job = new JsonObject();
        job.addProperty("id", number);
        return job;
    }

    /** Leaves the note of a process before this one, whose call no job shows, for so long that it is taken for gone. */
    private void strangerIsLost(long last) {
        lose(others, last);
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> notes(own).sending(TARGET, last, CopyNotesTest::cut, TestWork.patient()));
        now.set(now.get().plus(LateCalls.LONGEST).plus(Duration.ofSeconds(1)));
    }

    @Test
    void a_job_after_the_call_of_another_process_does_not_tell_that_this_ones_has_come() {
        strangerIsLost(5);
        lose(own, 5);
        lose(own, 5); // now two calls of its own may come, and no job tells which of them it is of

        notes(own).ended(TARGET, job(6), TestWork.patient());

        assertThat(own.mayChange(thing())).isTrue();
        lose(own, 6);
        assertThat(noted()).as("no job ends what may be of three calls").anyMatch(note -> note.endsWith(" -"));
        assertThat(noted()).noneMatch(note -> note.endsWith(" 6"));
    }

    @Test
    void a_job_after_the_only_call_of_this_process_is_its_own_and_ends_all_notes() {
        strangerIsLost(5);
        lose(own, 5);

        notes(own).ended(TARGET, job(6), TestWork.patient());

        assertThat(own.mayChange(thing())).isFalse();
        assertThat(noted()).isEmpty();
        assertThat(own.taken(thing())).isEmpty();
    }

    @Test
    void a_copy_that_was_made_leaves_nothing_with_the_box_or_in_the_process() {
        notes(own).sending(TARGET, 5, () -> {}, TestWork.patient());

        assertThat(noted()).isEmpty();
        assertThat(own.taken(thing())).isEmpty();
    }

    @Test
    void a_call_that_was_lost_is_kept_by_the_process() {
        lose(own, 5);

        assertThat(noted()).hasSize(1);
        assertThat(own.taken(thing())).isPresent();
    }
}
