package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Detached snapshots that a connection by SSH has begun, and those of a parent that is not the file's. */
class UnfinishedCopiesTest {
    private static final String TOP = "tank/k8s/s";
    private static final String COPY = TOP + "/pvc-1/snap-1";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of("detachedSnapshotsDatasetParentName", TOP));
    }

    private static StoredSnapshot detach(VolumeStore store) {
        return detach(store, "pvc-1", "snap-1");
    }

    private static StoredSnapshot detach(VolumeStore store, String volume, String name) {
        var request = new SnapshotRequest(new CsiName(name), new NativeId(volume), Map.of("detachedSnapshots", "true"));
        return store.snapshots().orElseThrow().take(request, 100, TestWork.patient());
    }

    private static void mark(SimulatedBox box, String parent) {
        box.tamper("dataset", parent, row -> {
            JsonTools.child(row, "user").addProperty("dev.fairlead:parent", "nas-1");
            return row;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void nothing_is_copied_below_a_parent_without_its_mark(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore first = store(box);
            for (String name : List.of("pvc-1", "pvc-2")) {
                first.create(first.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient());
            }
            detach(first);
            mark(box, SimulatedBox.PARENT);
            VolumeStore marked = FreenasFixture.store(
                    box,
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of("detachedSnapshotsDatasetParentName", TOP),
                    Map.of("parentMark", "nas-1"),
                    new LateCalls(InstantSource.system()));
            var before = box.left();

            Failing.with(Failure.BackendUnavailable.class, () -> detach(marked, "pvc-2", "snap-2"));

            assertThat(box.left()).isEqualTo(before);
            mark(box, TOP);
            assertThat(detach(marked, "pvc-2", "snap-2").id()).isEqualTo(new NativeId("pvc-2/snap-2"));
        }
    }

    private static String state(SimulatedBox box) {
        return box.rows("dataset").stream()
                .filter(row -> JsonTools.text(row, "name").equals(COPY))
                .map(row -> JsonTools.text(JsonTools.child(row, "user"), "dev.fairlead:state"))
                .findFirst()
                .orElseThrow();
    }

    private static void begin(SimulatedBox box) {
        box.tamper("dataset", COPY, row -> {
            JsonObject user = JsonTools.child(row, "user");
            user.remove("democratic-csi:provision_success");
            user.addProperty("dev.fairlead:state", "making");
            return row;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void one_of_which_only_a_part_may_be_there_is_not_believed(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            store.create(store.plan(TestVolumes.empty("pvc-1"), new NativeId("pvc-1")), TestWork.patient());
            StoredSnapshot made = detach(store);
            begin(box);

            Failing.with(Failure.BackendUnavailable.class, () -> detach(store));

            assertThat(state(box)).isEqualTo("making");
            var complete = COPY + "@volume-source-for-snapshot-snap-1";
            box.call("pool.snapshot.create", Map.of("dataset", COPY, "name", "volume-source-for-snapshot-snap-1"));
            assertThat(detach(store).id()).isEqualTo(made.id());
            assertThat(state(box)).isEqualTo("whole");
            assertThat(box.left()).contains(COPY).doesNotContain(complete);
        }
    }

    @Test
    void a_copy_whose_job_may_still_come_is_not_forgotten_if_the_box_is_away_when_it_is_asked() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            var now = new AtomicReference<>(Instant.now());
            VolumeStore store = FreenasFixture.store(
                    box.interrupted("replication.run_onetime", () -> box.away(true)),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of(),
                    new LateCalls(now::get));
            store.create(store.plan(TestVolumes.empty("pvc-1"), new NativeId("pvc-1")), TestWork.patient());
            CreateRequest plain = TestVolumes.fromVolume("pvc-2", new NativeId("pvc-1"));
            var copy = new CreateRequest(
                    plain.name(),
                    plain.capacity(),
                    plain.capabilities(),
                    Map.of("detachedVolumesFromVolumes", "true"),
                    plain.content());
            var id = new NativeId("pvc-2");
            box.fault(Fault.at("replication.run_onetime", new Fault.Late(Duration.ZERO)));

            Failing.with(Failure.OutcomeUnknown.class, () -> store.create(store.plan(copy, id), TestWork.patient()));
            box.away(false);

            Failing.with(
                    Failure.BackendUnavailable.class, () -> store.delete(id, OnDependents.REFUSE, TestWork.patient()));
            box.awaitLate();
            now.set(now.get().plus(LateCalls.LONGEST).plusSeconds(1));
            deleteOnceItsJobHasEnded(store, id);
            assertThat(box.left()).noneMatch(name -> name.contains("pvc-2") && !name.contains("@"));
        }
    }

    private static void deleteOnceItsJobHasEnded(VolumeStore store, NativeId id) {
        Instant end = Instant.now().plusSeconds(30);
        while (true) {
            try {
                store.delete(id, OnDependents.REFUSE, TestWork.patient());
                return;
            } catch (StorageException e) {
                if (!(e.failure() instanceof Failure.BackendUnavailable)
                        || Instant.now().isAfter(end)) {
                    throw e;
                }
            }
        }
    }
}
