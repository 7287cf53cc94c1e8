package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.Compatibility;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.Notes;
import dev.fairlead.domain.volume.ShapeDigest;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes below the parent that their class names, beside those below the usual one. */
class ParentOfClassTest {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final String FAST_PARENT = "tank/fast";
    private static final Map<String, String> USUAL = Map.of();
    private static final Map<String, String> FAST = Map.of("parent", "fast");

    @TempDir
    private Path folder = Path.of("/nowhere");

    private SimulatedBox box() {
        var box = new SimulatedBox(Profile.V25_10, folder);
        box.putDataset(FAST_PARENT, "FILESYSTEM", new com.google.gson.JsonObject());
        return box;
    }

    private static VolumeStore store(SimulatedBox box, Map<String, String> parents) {
        return FreenasFixture.store(
                box,
                VolumeMedium.Kind.FILESYSTEM,
                Map.of(),
                Map.of("parents", parents),
                new LateCalls(InstantSource.system()));
    }

    private static CreateRequest request(CreateRequest plain, Map<String, String> parameters) {
        return new CreateRequest(
                plain.name(),
                plain.capacity(),
                plain.capabilities(),
                parameters,
                plain.content(),
                plain.mutable(),
                plain.reach());
    }

    private static Birth birth(VolumeStore store, CreateRequest request) {
        return store.plan(request, new NativeId(request.name().value()))
                .noting(Map.of(Notes.DIGEST, ShapeDigest.of(request).value()));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(birth(store, request), TestWork.patient()).volume();
    }

    /** A volume below it may well be there: what is told to be gone is never looked for again. */
    @Test
    void without_its_label_a_volume_or_snapshot_is_neither_missing_nor_deleted() {
        try (SimulatedBox box = box()) {
            VolumeStore before = store(box, Map.of("fast", FAST_PARENT));
            StoredVolume volume = make(before, request(TestVolumes.empty("pvc-1"), FAST));
            NativeId snapshot = before.snapshots()
                    .orElseThrow()
                    .take(TestVolumes.snapshot("s", volume), 100, TestWork.patient())
                    .id();
            VolumeStore store = store(box, Map.of("quick", FAST_PARENT));
            SnapshotStore snapshots = store.snapshots().orElseThrow();
            var there = box.left();

            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> snapshots.find(snapshot, TestWork.patient()),
                    () -> snapshots.delete(snapshot, TestWork.patient()),
                    () -> snapshots.take(TestVolumes.snapshot("s2", volume), 100, TestWork.patient()),
                    () -> make(store, request(TestVolumes.fromSnapshot("pvc-2", snapshot), USUAL)),
                    () -> make(store, request(TestVolumes.fromVolume("pvc-2", volume.id()), USUAL)),
                    () -> store.find(volume.id(), TestWork.patient()),
                    () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()))) {
                assertThatThrownBy(call)
                        .hasMessageContainingAll("'fast'", "fairlead.parents", "put it back")
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                e -> assertThat(e.failure()).isInstanceOf(Failure.BackendRejected.class));
            }
            assertThat(box.left()).isEqualTo(there);
        }
    }

    @Test
    void the_same_name_for_another_parent_is_the_volume_that_is_there_and_a_conflict() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box, Map.of("fast", FAST_PARENT));
            box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()));
            CreateRequest first = request(TestVolumes.empty("pvc-1"), USUAL);
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, first));
            CreateRequest other = request(TestVolumes.empty("pvc-1"), FAST);
            Birth birth = birth(store, other);

            Optional<StoredVolume> existing = store.existing(birth, TestWork.patient());
            VolumeStore.Creation again = store.create(birth, TestWork.patient());

            assertThat(again.fresh()).isFalse();
            assertThat(again.volume().id()).hasToString("pvc-1");
            assertThat(existing).contains(again.volume());
            assertThat(Compatibility.difference(again.volume(), other, VolumeMedium.Kind.FILESYSTEM))
                    .get()
                    .asString()
                    .contains("StorageClass parameters");
            assertThat(box.left()).containsExactlyInAnyOrder(PARENT + "/pvc-1", FAST_PARENT);
            assertThat(make(store, first).id()).hasToString("pvc-1");
        }
    }

    @Test
    void a_creation_that_may_come_late_below_another_parent_is_waited_for() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box, Map.of("fast", FAST_PARENT));
            box.fault(Fault.at("pool.dataset.create", new Fault.Late(Duration.ZERO)));
            Failing.with(Failure.OutcomeUnknown.class, () -> make(store, request(TestVolumes.empty("pvc-1"), USUAL)));
            CreateRequest other = request(TestVolumes.empty("pvc-1"), FAST);

            Failing.with(Failure.BackendUnavailable.class, () -> make(store, other));
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> make(store(box, Map.of("fast", FAST_PARENT)), other)); // of another process
            box.awaitLate();

            assertThat(make(store, other).id()).hasToString("pvc-1");
        }
    }

    @Test
    void what_is_not_ours_below_another_parent_is_in_nobodys_way_and_looking_is_one_call() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box, Map.of("fast", FAST_PARENT));
            box.putDataset(PARENT + "/pvc-2", "FILESYSTEM", new com.google.gson.JsonObject());
            make(store, request(TestVolumes.empty("pvc-1"), FAST));
            box.forgetCalls();

            StoredVolume made = make(store, request(TestVolumes.empty("pvc-2"), FAST));

            assertThat(made.id()).hasToString("fast.pvc-2");
            assertThat(box.calls()).filteredOn("pool.dataset.create"::equals).hasSize(1);
            // one of them looks at the other parent, once in a process
            assertThat(box.calls()).filteredOn("pool.dataset.query"::equals).hasSizeLessThanOrEqualTo(3);
        }
    }
}
