package dev.fairlead.adapter.freenas;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.testkit.AtOnce;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.adapter.freenas.testkit.WiredConnection;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.simulator.Simulator;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.SteppingClock;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies whose job waits on the box, with nothing at its target yet, while its callers come and go. */
class WaitingCopiesTest {
    private static final String COPYING = "replication.run_onetime";
    private static final NativeId COPY = new NativeId("pvc-copy");
    private static final NativeId DETACHED = new NativeId("pvc-a/s");

    private final TestWork work = TestWork.patient();

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void create(VolumeStore store, CreateRequest request, TestWork its) {
        store.create(store.plan(request, new NativeId(request.name().value())), its);
    }

    private static CreateRequest copy(String name, String source) {
        CreateRequest plain = TestVolumes.fromVolume(name, new NativeId(source));
        return new CreateRequest(
                plain.name(),
                plain.capacity(),
                plain.capabilities(),
                Map.of("detachedVolumesFromVolumes", "true"),
                new Content.OfVolume(new NativeId(source)));
    }

    private static TestWork brief() {
        return TestWork.named("brief").left(Duration.ofSeconds(2));
    }

    private static SnapshotStore snapshots(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static String gone(Runnable call) {
        Failure failure = Failing.failure(call);
        assertThat(failure).isInstanceOf(Failure.BackendUnavailable.class);
        return failure.message();
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void what_a_job_will_make_is_not_taken_for_deleted_by_another_process_either(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            hang(box.simulator());
            assertThat(gone(() -> create(box.store(), copy("pvc-copy", "pvc-a"), brief())))
                    .contains("goes on");
            var wanted =
                    new SnapshotRequest(new CsiName("s"), new NativeId("pvc-a"), Map.of("detachedSnapshots", "true"));
            assertThat(gone(() -> snapshots(box.store()).take(wanted, 200, brief())))
                    .contains("goes on");

            try (WiredConnection next = next(box, InstantSource.system())) {
                assertThat(gone(() -> next.store().delete(COPY, OnDependents.REFUSE, work)))
                        .contains("is being copied by a job");
                assertThat(gone(() -> snapshots(next.store()).delete(DETACHED, work)))
                        .contains("is being copied by a job");
            }
        }
    }

    private static void hang(Simulator simulator) {
        simulator.fault(Fault.at(COPYING, new Fault.JobHangs()).times(9));
    }

    @Test
    void copies_without_a_caller_count_among_those_that_go_on_at_once() {
        try (WiredBox box = WiredBox.start(Profile.V26, Protocol.NFS, folder)) {
            box.makeParents();
            for (String name : List.of("pvc-a", "pvc-b", "pvc-c")) {
                create(box.store(), TestVolumes.empty(name), work);
            }
            hang(box.simulator());
            waits(box, "pvc-copy-0", "pvc-a");
            waits(box, "pvc-copy-1", "pvc-a");

            assertThat(gone(() -> create(box.store(), copy("pvc-copy", "pvc-a"), work)))
                    .as("those of one volume leave turns to others")
                    .contains("2 copies are under way", "of 'tank/k8s/v/pvc-a'");
            waits(box, "pvc-copy-2", "pvc-b");
            waits(box, "pvc-copy-3", "pvc-b");
            assertThat(gone(() -> create(box.store(), copy("pvc-copy", "pvc-c"), work)))
                    .contains("4 copies are under way", "making:pvc-copy-0");

            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals(COPYING))
                    .hasSize(4);
        }
    }

    private static void waits(WiredBox box, String name, String source) {
        assertThat(gone(() -> create(box.store(), copy(name, source), brief()))).contains("goes on");
    }

    /** As after a kill in the middle of the call, of which another process knows no more than the box shows. */
    @Test
    void a_copy_whose_call_may_come_is_not_taken_for_ended_by_the_job_before_it() {
        try (WiredBox box = WiredBox.start(Profile.V25_10, Protocol.NFS, folder);
                WiredConnection next = next(box, InstantSource.system())) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            box.simulator().fault(Fault.at(COPYING, new Fault.JobFails("broken pipe", false)));
            Failure _ = Failing.failure(() -> create(box.store(), copy("pvc-copy", "pvc-a"), work));

            barredUntilTheCallComes(box, next);
        }
    }

    @Test
    void a_copy_whose_call_may_come_is_not_taken_for_ended_by_a_former_one_of_its_name() {
        var clock = SteppingClock.standing();
        try (WiredBox box = WiredBox.start(Profile.V25_10, Protocol.NFS, folder);
                WiredConnection next = next(box, clock)) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            barredUntilTheCallComes(box, next);
            next.store().delete(COPY, OnDependents.REFUSE, work);
            clock.advance(Duration.ofMinutes(4));

            barredUntilTheCallComes(box, next);
        }
    }

    /** Asks for the deletion of a copy after the call that asks for it was sent, and before it has come to its job. */
    private void barredUntilTheCallComes(WiredBox box, WiredConnection next) {
        CompletableFuture<Void> creation = hesitant(box, Duration.ofSeconds(5));

        assertThat(gone(() -> next.store().delete(COPY, OnDependents.REFUSE, work)))
                .contains("may come");

        creation.join();
    }

    /** Begins a copy, and returns when its call has a note and has not come to its job. */
    private CompletableFuture<Void> hesitant(WiredBox box, Duration by) {
        box.simulator().fault(Fault.at(COPYING, new Fault.Hesitant(by)));
        CompletableFuture<Void> creation = AtOnce.run(() -> create(box.store(), copy("pvc-copy", "pvc-a"), work));
        while (!notes(box).contains(":copy.") && !creation.isDone()) {
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        return creation;
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_copy_that_another_process_is_about_to_begin_is_not_begun_once_more(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder);
                WiredConnection next = next(box, InstantSource.system())) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            CompletableFuture<Void> creation = hesitant(box, Duration.ofSeconds(5));
            String noted = notes(box);

            assertThat(gone(() -> create(next.store(), copy("pvc-copy", "pvc-a"), work)))
                    .contains("another controller has begun to copy");

            assertThat(notes(box)).as("the other's note stays, its own goes").isEqualTo(noted);
            creation.join();
            assertThat(notes(box)).isEmpty();
            create(next.store(), copy("pvc-copy", "pvc-a"), work);
            assertThat(copying(box)).isEqualTo(1);

            next.store().delete(COPY, OnDependents.REFUSE, work);
            create(next.store(), copy("pvc-copy", "pvc-a"), work);
            assertThat(copying(box)).as("its own note that went is no obstacle").isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_copy_whose_job_failed_is_made_by_the_repetition(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            box.simulator().fault(Fault.at(COPYING, new Fault.JobFails("broken pipe", false)));
            Failure _ = Failing.failure(() -> create(box.store(), copy("pvc-copy", "pvc-a"), work));

            create(box.store(), copy("pvc-copy", "pvc-a"), work);

            assertThat(copying(box)).isEqualTo(2);
            assertThat(notes(box)).doesNotContain(":copy.");
        }
    }

    @Test
    void a_job_that_goes_on_is_not_taken_for_ended_by_a_later_one_that_failed() {
        try (WiredBox box = WiredBox.start(Profile.V25_10, Protocol.NFS, folder);
                WiredConnection next = next(box, InstantSource.system())) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            box.simulator().fault(Fault.at(COPYING, new Fault.JobHangs()));
            waits(box, "pvc-copy", "pvc-a");
            box.simulator().fault(Fault.at(COPYING, new Fault.JobFails("the target exists", false)));
            var _ = box.simulator().call(COPYING, sameCopy(box));
            awaitFailure(box);

            assertThat(gone(() -> next.store().delete(COPY, OnDependents.REFUSE, work)))
                    .contains("is being copied by a job");
            assertThat(gone(() -> create(next.store(), copy("pvc-copy", "pvc-a"), brief())))
                    .contains("goes on");
            assertThat(copying(box)).isEqualTo(2);
        }
    }

    private static long copying(WiredBox box) {
        return box.simulator().calls().stream()
                .filter(call -> call.method().equals(COPYING))
                .count();
    }

    /** Returns the arguments of the copy that was begun. */
    private static JsonArray sameCopy(WiredBox box) {
        return jobs(box).get(0).getAsJsonArray("arguments");
    }

    private static void awaitFailure(WiredBox box) {
        for (int i = 0;
                jobs(box).stream().noneMatch(job -> JsonTools.text(job, "state").equals("FAILED"));
                i++) {
            assertThat(i).as("looks at the jobs").isLessThan(6_000);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
    }

    private static List<JsonObject> jobs(WiredBox box) {
        return box.simulator().call("core.get_jobs", new JsonArray()).getAsJsonArray().asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(job -> JsonTools.text(job, "method").equals(COPYING))
                .toList();
    }

    private static WiredConnection next(WiredBox box, InstantSource clock) {
        return WiredConnection.open(box.simulator(), box.simulator().port(), Protocol.NFS, clock);
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void nothing_is_noted_any_more_once_a_copy_is_made(Profile profile) {
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);

            create(box.store(), copy("pvc-copy", "pvc-a"), work);

            assertThat(notes(box)).isEmpty();
            box.store().delete(COPY, OnDependents.REFUSE, work);
            assertThat(box.rows()).noneMatch(row -> row.contains("pvc-copy"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void the_note_of_a_copy_whose_end_was_cut_goes_with_the_repetition(Profile profile) {
        List<Fault> cuts = List.of(
                Fault.at(COPYING, new Fault.CutAfter()),
                Fault.at("pool.dataset.update", new Fault.CutBefore())
                        .having("dev.fairlead:copy.")
                        .nth(2));
        try (WiredBox box = WiredBox.start(profile, Protocol.NFS, folder)) {
            box.makeParents();
            create(box.store(), TestVolumes.empty("pvc-a"), work);
            for (Fault cut : cuts) {
                CreateRequest copy = copy("pvc-copy-" + cuts.indexOf(cut), "pvc-a");
                box.simulator().fault(cut);
                Failure _ = Failing.failure(() -> create(box.store(), copy, work));
                assertThat(notes(box)).contains(":copy.");

                create(box.store(), copy, work);

                assertThat(notes(box)).doesNotContain(":copy.");
                box.simulator().clearFaults();
            }
            assertThat(box.simulator().calls())
                    .filteredOn(call -> call.method().equals(COPYING))
                    .hasSize(cuts.size());
        }
    }

    private static String notes(WiredBox box) {
        JsonObject parent = JsonTools.child(JsonTools.child(box.simulator().dump(), "dataset"), WiredBox.PARENT);
        return String.join(" ", JsonTools.child(parent, "user").keySet());
    }
}
