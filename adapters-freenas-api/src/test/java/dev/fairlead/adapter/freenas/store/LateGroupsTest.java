package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls on the snapshots of a group that a box up to 25.10 does after their caller has gone. */
class LateGroupsTest {
    private static final Fault.Late LATE = new Fault.Late(Duration.ZERO);
    private static final GroupRequest REQUEST =
            new GroupRequest(new CsiName("group-1"), List.of(new NativeId("pvc-a"), new NativeId("pvc-b")), Map.of());

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    private VolumeStore store(SimulatedBox box) {
        VolumeStore store =
                FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of(), Map.of(), new LateCalls(now::get));
        for (NativeId id : REQUEST.sources()) {
            store.create(store.plan(TestVolumes.empty(id.value()), id), TestWork.patient());
        }
        return store;
    }

    private static SnapshotGroups groups(VolumeStore store) {
        return store.snapshots().orElseThrow().groups().orElseThrow();
    }

    private static StoredGroup take(VolumeStore store) {
        return groups(store).take(REQUEST, 100, TestWork.patient());
    }

    @Test
    void a_group_that_is_taken_late_changes_nothing_of_the_one_that_the_repetition_took() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            box.fault(Fault.at("pool.snapshot.create", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> take(store));

            StoredGroup taken = take(store);
            box.awaitLate();

            assertThat(groups(store).find(taken.id(), TestWork.patient())).contains(taken);
            assertThat(taken.isWhole()).isTrue();
        }
    }

    @Test
    void a_snapshot_that_is_deleted_late_is_of_no_group_that_is_handed_out() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            StoredGroup taken = take(store);
            box.fault(Fault.at("pool.snapshot.delete", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> groups(store).delete(taken.id(), TestWork.patient()));

            Failing.with(Failure.BackendUnavailable.class, () -> take(store));
            Failing.with(Failure.BackendUnavailable.class, () -> groups(store).delete(taken.id(), TestWork.patient()));
            box.awaitLate();
            groups(store).delete(taken.id(), TestWork.patient());

            // The note is with the dataset, and says nothing of whether the call has come.
            Failing.with(Failure.BackendUnavailable.class, () -> take(store));
            now.set(now.get().plus(LateCalls.LONGEST).plusSeconds(1));
            assertThat(take(store).isWhole()).isTrue();
        }
    }

    @Test
    void a_group_whose_last_step_comes_late_is_not_seen_before() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            box.fault(Fault.at("pool.snapshot.delete", LATE));
            Failing.with(Failure.OutcomeUnknown.class, () -> take(store));

            assertThat(groups(store).findByName(REQUEST.name(), 100, TestWork.patient()))
                    .isEmpty();
            Failing.with(Failure.BackendUnavailable.class, () -> take(store));
            box.awaitLate();

            assertThat(take(store).isWhole()).isTrue();
        }
    }

    /** It was finished after its volume had been looked at, and the box does not describe it a moment later. */
    @Test
    void a_snapshot_of_a_group_that_is_not_described_before_its_deletion_is_kept() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            take(store(box));
            String member = box.left().stream()
                    .filter(name -> name.startsWith(SimulatedBox.PARENT + "/pvc-a@"))
                    .findFirst()
                    .orElseThrow();
            String name = member.substring(member.indexOf('@') + 1);
            box.call("pool.snapshot.create", Map.of("dataset", SimulatedBox.PARENT, "name", name));
            VolumeStore store = FreenasFixture.store(
                    box.before("pool.snapshot.query", call -> {
                        if (call == 5) { // after the volume's and the parent's, by names and with details
                            box.tamper("snapshot", SimulatedBox.PARENT + "@" + name, _ -> new JsonObject());
                            box.fault(Fault.at("pool.snapshot.query", new Fault.Result("[]")));
                        }
                    }),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of(),
                    Map.of("foreignSnapshots", "destroy"),
                    new LateCalls(now::get));

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> store.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient()));

            assertThat(box.left()).contains(member);
        }
    }
}
