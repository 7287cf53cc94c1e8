package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a box that goes on with calls that were cut destroys or renames late: nothing that was made since. */
@Execution(ExecutionMode.CONCURRENT)
class LateRemovalsTest {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final NativeId ID = new NativeId("pvc-a");
    private static final Fault.Late LATE = new Fault.Late(Duration.ZERO);

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    private SimulatedBox box(Profile profile) {
        return new SimulatedBox(profile, folder);
    }

    /** Opens a store as a process does that begins now. */
    private VolumeStore store(SimulatedBox box, Map<String, Object> zfs) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, zfs, Map.of(), new LateCalls(now::get));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static void delete(VolumeStore store, OnDependents policy) {
        store.delete(ID, policy, TestWork.patient());
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10"})
    void a_volume_that_a_late_deletion_may_still_take_is_neither_handed_out_nor_deleted_again(Profile profile) {
        try (SimulatedBox box = box(profile)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.delete", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(store, OnDependents.REFUSE));

            for (VolumeStore each : new VolumeStore[] {store, store(box, Map.of())}) {
                Failing.with(Failure.BackendUnavailable.class, () -> make(each, TestVolumes.empty("pvc-a")));
                Failing.with(Failure.BackendUnavailable.class, () -> delete(each, OnDependents.REFUSE));
            }
            box.awaitLate();
            make(store, TestVolumes.empty("pvc-a"));

            assertThat(box.left()).containsExactly(PARENT + "/pvc-a");
        }
    }

    @Test
    void a_deletion_that_never_comes_is_repeated_once_it_can_come_no_more() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.delete", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(store, OnDependents.REFUSE));
            Failing.with(Failure.BackendUnavailable.class, () -> delete(store, OnDependents.REFUSE));

            now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
            delete(store, OnDependents.REFUSE);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_box_of_26_that_did_not_learn_of_the_cut_does_it_late_too() {
        try (SimulatedBox box = box(Profile.V26)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.delete", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(store, OnDependents.REFUSE));

            for (VolumeStore each : new VolumeStore[] {store, store(box, Map.of())}) {
                Failing.with(Failure.BackendUnavailable.class, () -> make(each, TestVolumes.empty("pvc-a")));
                Failing.with(Failure.BackendUnavailable.class, () -> delete(each, OnDependents.REFUSE));
            }
            box.doLate("pool.dataset.delete");
            make(store, TestVolumes.empty("pvc-a"));

            assertThat(box.left()).containsExactly(PARENT + "/pvc-a");
        }
    }

    @Test
    void a_box_of_26_that_was_told_of_the_cut_is_asked_again_at_once() {
        try (SimulatedBox box = box(Profile.V26)) {
            VolumeStore store = store(box, Map.of("datasetEnableQuotas", true));
            make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.delete", new Fault.Silent()));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(store, OnDependents.REFUSE));

            delete(store, OnDependents.REFUSE);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void a_deletion_that_was_refused_is_repeated_at_once() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            box.fault(Fault.at("pool.dataset.delete", new Fault.Refusal(14, "it cannot be done")));
            Failing.with(Failure.BackendUnavailable.class, () -> delete(store, OnDependents.REFUSE));

            delete(store, OnDependents.REFUSE);

            assertThat(box.left()).isEmpty();
        }
    }

    @Test
    void what_an_earlier_call_began_is_not_made_anew_while_its_removal_may_still_come() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of("datasetPermissionsMode", "0777"));
            box.fault(Fault.at("filesystem.setperm", new Fault.CutBefore()));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.empty("pvc-a")));
            box.fault(Fault.at("pool.dataset.delete", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, TestVolumes.empty("pvc-a")));

            Failing.with(Failure.BackendUnavailable.class, () -> make(store, TestVolumes.empty("pvc-a")));
            box.awaitLate();
            make(store, TestVolumes.empty("pvc-a"));

            assertThat(store.find(ID, TestWork.patient())).isPresent();
        }
    }

    @Test
    void a_volume_that_is_put_aside_late_is_not_handed_out_before() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            make(store, TestVolumes.fromVolume("pvc-clone", source.id()));
            box.fault(Fault.at("pool.dataset.rename", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> delete(store, OnDependents.DEFER));

            Failing.with(Failure.BackendUnavailable.class, () -> make(store, TestVolumes.empty("pvc-a")));
            box.awaitLate();
            make(store, TestVolumes.empty("pvc-a"));

            assertThat(store.find(ID, TestWork.patient())).isPresent();
        }
    }

    @Test
    void a_snapshot_that_a_late_deletion_may_still_take_is_not_handed_out() {
        try (SimulatedBox box = box(Profile.V25_10)) {
            VolumeStore store = store(box, Map.of());
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            var role = store.snapshots().orElseThrow();
            var taken = role.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());
            box.fault(Fault.at("pool.snapshot.delete", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> role.delete(taken.id(), TestWork.patient()));

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> role.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient()));
            Failing.with(Failure.BackendUnavailable.class, () -> role.delete(taken.id(), TestWork.patient()));
            box.awaitLate();
            role.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());

            assertThat(role.find(taken.id(), TestWork.patient())).isPresent();
        }
    }
}
