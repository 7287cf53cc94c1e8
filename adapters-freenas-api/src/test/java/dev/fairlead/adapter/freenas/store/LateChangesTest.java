package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What changes that come late, or of several controllers and connections at once, do to a volume. */
class LateChangesTest {
    private static final String DATASET = SimulatedBox.PARENT + "/pvc-a";
    private static final NativeId ID = new NativeId("pvc-a");
    private static final Map<String, Object> QUOTA = Map.of("datasetEnableQuotas", true);

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final LateCalls late = new LateCalls(now::get);

    private static VolumeStore store(SharedClient<TruenasApi> client, LateCalls late) {
        return FreenasFixture.store(client, VolumeMedium.Kind.FILESYSTEM, QUOTA, late);
    }

    private VolumeStore restarted(SimulatedBox box) {
        return store(box.client(), new LateCalls(now::get));
    }

    private void laterByAnHour() {
        now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
    }

    private static void make(VolumeStore store) {
        store.create(store.plan(TestVolumes.sized("pvc-a", gib(1)), ID), TestWork.patient());
    }

    private static void delete(VolumeStore store) {
        store.delete(ID, OnDependents.REFUSE, TestWork.patient());
    }

    private static Capacity gib(int number) {
        return Capacity.ofBytes((long) number << 30);
    }

    private static void grow(VolumeStore store, int size) {
        store.expand(ID, TestVolumes.atLeast(gib(size)), TestWork.patient());
    }

    private static void modify(VolumeStore store, String compression) {
        store.modification().orElseThrow().modify(ID, Map.of("compression", compression), TestWork.patient());
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_smaller_growth_that_comes_late_undoes_no_greater_one(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box.client(), late);
            make(store);
            box.fault(Fault.at("pool.dataset.update", new Fault.CutBefore()).having("refquota"));
            Failing.with(Failure.OutcomeUnknown.class, () -> grow(store, 2));

            for (VolumeStore each : new VolumeStore[] {store, restarted(box)}) {
                Failing.with(Failure.BackendUnavailable.class, () -> grow(each, 3));
                Failing.with(Failure.BackendUnavailable.class, () -> grow(each, 1));
            }
            box.doLate("pool.dataset.update");
            grow(store, 3);

            assertThat(store.find(ID, TestWork.patient()).orElseThrow().capacity())
                    .contains(gib(3));
            assertThat(box.rows("dataset").toString()).doesNotContain("dev.fairlead:call");
        }
    }

    /** A box shows it on all below from 25.10 on, and refuses to take away there what is not there. */
    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10_0", "V25_10", "V26"})
    void a_note_of_the_parent_is_none_of_its_volumes(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box.client(), late);
            make(store);
            String note = "dev.fairlead:call." + late.begin();
            box.tamper("dataset", SimulatedBox.PARENT, row -> {
                JsonTools.child(row, "user").addProperty(note, SimulatedBox.PARENT + "@fairlead:group:1");
                return row;
            });
            laterByAnHour();

            grow(store, 2);

            assertThat(store.find(ID, TestWork.patient()).orElseThrow().capacity())
                    .contains(gib(2));
        }
    }

    /** The parent is told of a creation that was cut, and from 25.10 on its volumes are shown with what it has. */
    @ParameterizedTest
    @CsvSource({"V25_04, true", "V25_10, true", "V25_10, false", "V26, true"})
    void a_volume_whose_creation_was_cut_and_has_come_is_answered_at_once(Profile profile, boolean again) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box.client(), late);
            box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store));
            assertThat(box.rows("dataset").toString()).contains("dev.fairlead:call");

            make(again ? restarted(box) : store);
            grow(restarted(box), 2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_modification_that_comes_late_undoes_no_later_one(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box.client(), late);
            make(store);
            box.fault(Fault.at("pool.dataset.update", new Fault.CutBefore()).having("ZSTD"));
            Failing.with(Failure.OutcomeUnknown.class, () -> modify(store, "zstd"));

            for (VolumeStore each : new VolumeStore[] {store, restarted(box)}) {
                Failing.with(Failure.BackendUnavailable.class, () -> modify(each, "gzip-9"));
            }
            box.doLate("pool.dataset.update");
            modify(store, "gzip-9");

            assertThat(box.own(DATASET, Set.of("compression"))).containsEntry("compression", "gzip-9");
            assertThat(box.rows("dataset").toString()).doesNotContain("dev.fairlead:call");
        }
    }

    @Test
    void of_two_controllers_that_remove_a_volume_at_once_one_sends_the_call() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore other = restarted(box);
            make(other);
            VolumeStore one = store(
                    box.interrupted(
                            "pool.dataset.delete",
                            () -> Failing.with(Failure.BackendUnavailable.class, () -> delete(other))),
                    late);
            box.forgetCalls();

            delete(one);

            assertThat(box.calls()).containsOnlyOnce("pool.dataset.delete");
            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void another_connection_over_the_same_parent_waits_for_a_call_that_was_cut() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore nfs = store(box.client("nfs"), late);
            VolumeStore smb = store(box.client("smb"), late);
            make(nfs);
            box.fault(Fault.at("pool.dataset.delete", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(nfs));

            Failing.with(Failure.BackendUnavailable.class, () -> make(smb));
            Failing.with(Failure.BackendUnavailable.class, () -> delete(smb));
            box.doLate("pool.dataset.delete");
            make(smb);

            assertThat(box.left()).containsExactly(DATASET);
        }
    }

    @Test
    void a_creation_of_another_connection_that_was_cut_keeps_a_deletion_waiting() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            box.fault(Fault.at("pool.dataset.create", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store(box.client("nfs"), late)));

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store(box.client("smb"), late)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_creation_that_was_cut_before_a_restart_keeps_a_deletion_waiting(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            box.fault(Fault.at("pool.dataset.create", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store(box.client(), late)));
            VolumeStore store = restarted(box);

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store));
            box.doLate("pool.dataset.create");
            laterByAnHour();
            delete(store);

            assertThat(box.left()).isEmpty();
            assertThat(box.rows("dataset").toString()).doesNotContain("dev.fairlead:call");
        }
    }

    @Test
    void a_volume_that_was_made_after_a_creation_was_cut_is_not_deleted_for_good_while_that_may_come() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box.client(), late);
            box.fault(Fault.at("pool.dataset.create", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store));
            make(store);

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store));
            box.doLate("pool.dataset.create");
            laterByAnHour();
            delete(store);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_creation_that_came_keeps_no_deletion_waiting() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box.client(), late);
            box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store));
            make(store);

            delete(store);

            assertThat(box.left()).isEmpty();
            assertThat(box.rows("dataset").toString()).doesNotContain("dev.fairlead:call");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Profile.class, names = "V25_10")
    void a_controller_whose_clock_is_another_one_waits_as_long(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            make(store(box.client(), late));
            box.fault(Fault.at("pool.dataset.delete", new Fault.CutBefore()).times(2));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(store(box.client(), late)));
            for (int hours : new int[] {-5, 5}) {
                var clock = new AtomicReference<>(now.get().plus(Duration.ofHours(hours)));
                VolumeStore other = store(box.client(), new LateCalls(clock::get));

                Failing.with(Failure.BackendUnavailable.class, () -> delete(other));
                clock.updateAndGet(time -> time.plus(LateCalls.LONGEST).minusSeconds(1));
                Failing.with(Failure.BackendUnavailable.class, () -> delete(other));
            }
        }
    }

    @Test
    void a_removal_is_not_sent_long_after_its_note() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(
                    box.interrupted("pool.dataset.update", () -> now.updateAndGet(time -> time.plusSeconds(60))), late);
            make(store);

            Failing.with(Failure.BackendUnavailable.class, () -> delete(store));
            assertThat(box.calls()).doesNotContain("pool.dataset.delete");
            delete(store);

            assertThat(box.left()).isEmpty();
        }
    }
}
