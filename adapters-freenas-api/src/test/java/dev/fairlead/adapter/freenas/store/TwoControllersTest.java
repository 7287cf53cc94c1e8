package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.NoteChange;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of volumes if two controllers, or an administrator, are at work on a box at once. */
class TwoControllersTest {
    private static final String DATASET = SimulatedBox.PARENT + "/pvc-a";
    private static final NativeId ID = new NativeId("pvc-a");

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SharedClient<TruenasApi> client) {
        return FreenasFixture.store(client, VolumeMedium.Kind.FILESYSTEM, Map.of("datasetPermissionsMode", "0777"));
    }

    private static void make(VolumeStore store) {
        store.create(store.plan(TestVolumes.empty("pvc-a"), ID), TestWork.patient());
    }

    private static void delete(VolumeStore store) {
        store.delete(ID, OnDependents.REFUSE, TestWork.patient());
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10", "V26"})
    void a_volume_that_took_the_place_of_the_one_that_was_checked_stays(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box.client());
            make(store);
            store.deletionCheck(ID, OnDependents.REFUSE, TestWork.patient());
            box.tamper("dataset", DATASET, row -> {
                row.addProperty("creation", row.get("creation").getAsLong() + 5);
                return row;
            });

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store));

            assertThat(box.left()).containsExactly(DATASET);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_dataset_whose_mark_was_taken_away_since_it_was_checked_stays(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box.client());
            make(store);
            store.deletionCheck(ID, OnDependents.REFUSE, TestWork.patient());
            box.tamper("dataset", DATASET, row -> {
                row.add("user", new JsonObject());
                return row;
            });

            Failing.with(Failure.NotOurs.class, () -> delete(store));

            assertThat(box.left()).containsExactly(DATASET);
        }
    }

    @Test
    void a_volume_that_one_controller_hands_out_is_not_thrown_away_as_unfinished_by_the_other() throws Exception {
        try (var box = new SimulatedBox(Profile.V25_10, folder);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var finishing = new CountDownLatch(1);
            var goOn = new CountDownLatch(1);
            var ended = new CountDownLatch(1);
            VolumeStore one = store(box.interrupted("pool.dataset.update", () -> {
                finishing.countDown();
                await(goOn);
            }));
            VolumeStore other = store(box.interrupted("pool.dataset.delete", () -> {
                goOn.countDown();
                await(ended);
            }));
            var handedOut = threads.submit(() -> {
                boolean made = Failing.works(() -> {
                    make(one);
                    box.write(DATASET, "data", "written");
                });
                ended.countDown();
                return made;
            });
            await(finishing);

            boolean _ = Failing.works(() -> make(other));

            if (handedOut.get(30, TimeUnit.SECONDS)) {
                assertThat(box.read(DATASET, "data")).contains("written");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_change_of_a_note_that_another_controller_has_changed_meanwhile_is_not_made(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore other = store(box.client());
            make(other);
            VolumeStore one = store(box.interrupted(
                    "pool.dataset.update",
                    () -> other.change(ID, new NoteChange(Access.GRANTS, "", "theirs"), TestWork.patient())));

            boolean made = one.change(ID, new NoteChange(Access.GRANTS, "", "ours"), TestWork.patient());

            assertThat(made).isFalse();
            assertThat(other.find(ID, TestWork.patient()).orElseThrow().notes()).containsEntry(Access.GRANTS, "theirs");
            assertThat(one.change(ID, new NoteChange(Access.GRANTS, "theirs", "ours"), TestWork.patient()))
                    .isTrue();
            assertThat(box.rows("dataset").toString()).doesNotContain("dev.fairlead:lease");
        }
    }

    @Test
    void a_change_of_a_note_that_comes_late_undoes_no_later_one() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box.client());
            make(store);
            box.fault(Fault.at("pool.dataset.update", new Fault.Late(Duration.ZERO))
                    .having("first"));
            var first = new NoteChange(Access.GRANTS, "", "first");
            Failing.with(Failure.OutcomeUnknown.class, () -> store.change(ID, first, TestWork.patient()));

            for (VolumeStore each : new VolumeStore[] {store, store(box.client())}) {
                Failing.with(
                        Failure.BackendUnavailable.class,
                        () -> each.change(ID, new NoteChange(Access.GRANTS, "", "second"), TestWork.patient()));
            }
            box.awaitLate();
            boolean made = store.change(ID, new NoteChange(Access.GRANTS, "first", "second"), TestWork.patient());

            assertThat(made).isTrue();
            assertThat(store.find(ID, TestWork.patient()).orElseThrow().notes()).containsEntry(Access.GRANTS, "second");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
