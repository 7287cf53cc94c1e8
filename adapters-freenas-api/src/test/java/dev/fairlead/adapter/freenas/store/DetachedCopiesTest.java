package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes and snapshots that are whole copies of their own, by the box's local replication. */
class DetachedCopiesTest {
    private static final String PARENT = SimulatedBox.PARENT;
    private static final String TOP = "tank/k8s/s";
    private static final String OF_VOLUMES = "detachedVolumesFromVolumes";
    private static final String OF_SNAPSHOTS = "detachedVolumesFromSnapshots";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

    private static VolumeStore store(SimulatedBox box) {
        return store(box, VolumeMedium.Kind.FILESYSTEM);
    }

    private static VolumeStore store(SimulatedBox box, LateCalls late) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of("detachedSnapshotsDatasetParentName", TOP), Map.of(), late);
    }

    /** Repeats what is refused as long as a call of a process before this one may come. */
    private void afterwards(Runnable call) {
        if (!Failing.works(call)) {
            now.set(now.get().plus(LateCalls.LONGEST).plusSeconds(1));
            call.run();
        }
    }

    private static VolumeStore store(SimulatedBox box, VolumeMedium.Kind kind) {
        return FreenasFixture.store(box, kind, Map.of("detachedSnapshotsDatasetParentName", TOP));
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request, TestWork work) {
        return store.create(store.plan(request, new NativeId(request.name().value())), work)
                .volume();
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return make(store, request, TestWork.patient());
    }

    private static CreateRequest with(CreateRequest request, String key) {
        return new CreateRequest(
                request.name(), request.capacity(), request.capabilities(), Map.of(key, "true"), request.content());
    }

    private static CreateRequest copyOf(StoredVolume source) {
        return with(TestVolumes.fromVolume("pvc-2", source.id()), OF_VOLUMES);
    }

    private static StoredSnapshot detach(VolumeStore store, StoredVolume source, TestWork work) {
        var request = new SnapshotRequest(new CsiName("snap-1"), source.id(), Map.of("detachedSnapshots", "true"));
        return role(store).take(request, 100, work);
    }

    private static StoredSnapshot detach(VolumeStore store, StoredVolume source) {
        return detach(store, source, TestWork.patient());
    }

    private static SnapshotStore role(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static List<StoredSnapshot> listed(VolumeStore store, Optional<NativeId> source) {
        return role(store).list(source, PageRequest.all(), TestWork.patient()).items();
    }

    private static void delete(VolumeStore store, StoredVolume volume) {
        store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
    }

    private static JsonObject user(SimulatedBox box, String dataset) {
        return box.rows("dataset").stream()
                .filter(row -> JsonTools.text(row, "name").equals(dataset))
                .map(row -> JsonTools.child(row, "user"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10_0", "V25_10", "V26_BETA", "V26", "V27"})
    void a_copied_volume_has_the_content_and_hangs_on_nothing(Profile profile) {
        for (VolumeMedium.Kind kind : VolumeMedium.Kind.values()) {
            try (var box = new SimulatedBox(profile, folder.resolve(kind.name()))) {
                VolumeStore store = store(box, kind);
                StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
                box.write(PARENT + "/pvc-1", "data", "precious");

                StoredVolume copy = make(store, copyOf(source));

                assertThat(box.read(PARENT + "/pvc-2", "data")).contains("precious");
                assertThat(copy.content()).isEqualTo(new Content.OfVolume(source.id()));
                assertThat(make(store, copyOf(source))).isEqualTo(copy);
                assertThat(box.left()).containsExactly(PARENT + "/pvc-1", PARENT + "/pvc-2");
                delete(store, source);
                delete(store, copy);
                assertThat(box.left()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_copied_restore_leaves_the_snapshot_free_to_go(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
            box.write(PARENT + "/pvc-1", "data", "then");
            StoredSnapshot snapshot = role(store).take(TestVolumes.snapshot("snap.1", source), 100, TestWork.patient());
            box.write(PARENT + "/pvc-1", "data", "now");

            make(store, with(TestVolumes.fromSnapshot("pvc-2", snapshot.id()), OF_SNAPSHOTS));
            role(store).delete(snapshot.id(), TestWork.patient());

            assertThat(box.read(PARENT + "/pvc-2", "data")).contains("then");
            assertThat(box.left()).containsExactly(PARENT + "/pvc-1", PARENT + "/pvc-2");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26_BETA", "V26"})
    void a_detached_snapshot_outlives_its_volume_and_is_restored_from(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
            box.write(PARENT + "/pvc-1", "data", "precious");

            StoredSnapshot snapshot = detach(store, source);

            assertThat(snapshot.id()).isEqualTo(new NativeId("pvc-1/snap-1"));
            assertThat(snapshot.source()).isEqualTo(source.id());
            assertThat(detach(store, source)).isEqualTo(snapshot);
            assertThat(role(store).find(snapshot.id(), TestWork.patient())).contains(snapshot);
            assertThat(role(store).findByName(new CsiName("snap-1"), TestWork.patient()))
                    .contains(snapshot);
            assertThat(listed(store, Optional.empty())).containsExactly(snapshot);
            assertThat(listed(store, Optional.of(source.id()))).containsExactly(snapshot);
            assertThat(user(box, TOP + "/pvc-1/snap-1").keySet())
                    .contains(
                            "democratic-csi:managed_resource",
                            "democratic-csi:csi_snapshot_name",
                            "democratic-csi:csi_snapshot_source_volume_id",
                            "democratic-csi:provision_success");
            delete(store, source);
            StoredVolume clone = make(store, TestVolumes.fromSnapshot("pvc-2", snapshot.id()));
            StoredVolume copy = make(store, with(TestVolumes.fromSnapshot("pvc-3", snapshot.id()), OF_SNAPSHOTS));
            assertThat(box.read(PARENT + "/pvc-2", "data")).contains("precious");
            assertThat(box.read(PARENT + "/pvc-3", "data")).contains("precious");
            Failing.with(Failure.InUse.class, () -> role(store).delete(snapshot.id(), TestWork.patient()));
            delete(store, clone);
            role(store).delete(snapshot.id(), TestWork.patient());
            role(store).delete(snapshot.id(), TestWork.patient());
            delete(store, copy);
            assertThat(box.left()).containsExactly(TOP);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04"})
    void a_release_that_renames_nothing_refuses_before_any_effect(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"));

            for (Failure failure : List.of(
                    Failing.failure(() -> make(store, copyOf(source))), Failing.failure(() -> detach(store, source)))) {
                assertThat(failure).isInstanceOf(Failure.Unsupported.class);
                assertThat(failure.message()).contains("25.10");
            }

            assertThat(box.left()).containsExactly(PARENT + "/pvc-1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_cut_anywhere_is_finished_by_the_repetition_and_seen_by_nobody_before(Profile profile) {
        boolean cut = true;
        for (int effects = 0; cut; effects++) {
            try (var box = new SimulatedBox(profile, folder.resolve("cut" + effects))) {
                VolumeStore store = store(box);
                StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
                box.write(PARENT + "/pvc-1", "data", "precious");
                int most = effects;
                boolean made = Failing.works(
                        () -> make(store, copyOf(source), TestWork.patient().cancelledAfter(most)));
                boolean taken = Failing.works(
                        () -> detach(store, source, TestWork.patient().cancelledAfter(most)));
                cut = !(made && taken);

                if (!taken) {
                    assertThat(listed(store, Optional.empty())).isEmpty();
                }
                if (!made) {
                    assertThat(store.find(new NativeId("pvc-2"), TestWork.patient()))
                            .isEmpty();
                }
                VolumeStore next = store(box, new LateCalls(now::get));
                afterwards(() -> make(next, copyOf(source)));
                afterwards(() -> detach(next, source));

                assertThat(box.read(PARENT + "/pvc-2", "data")).contains("precious");
                assertThat(box.read(TOP + "/pvc-1/snap-1", "data")).contains("precious");
                assertThat(box.left())
                        .containsExactlyInAnyOrder(
                                PARENT + "/pvc-1", PARENT + "/pvc-2", TOP, TOP + "/pvc-1", TOP + "/pvc-1/snap-1");
            }
            assertThat(effects).isLessThan(50);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void what_a_cut_left_is_cleared_by_the_deletion(Profile profile) {
        for (int effects = 0; effects < 8; effects++) {
            try (var box = new SimulatedBox(profile, folder.resolve("cut" + effects))) {
                VolumeStore store = store(box);
                StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
                int most = effects;
                boolean _ = Failing.works(
                        () -> make(store, copyOf(source), TestWork.patient().cancelledAfter(most)));
                boolean _ = Failing.works(
                        () -> detach(store, source, TestWork.patient().cancelledAfter(most)));

                store.delete(new NativeId("pvc-2"), OnDependents.REFUSE, TestWork.patient());
                role(store).delete(new NativeId("pvc-1/snap-1"), TestWork.patient());
                delete(store, source);

                assertThat(box.left()).isSubsetOf(TOP);
            }
        }
    }

    @Test
    void a_job_that_succeeded_after_its_caller_had_gone_is_found_again_and_not_done_twice() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box);
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
            box.fault(Fault.at("replication.run_onetime", new Fault.CutAfter()));
            boolean _ = Failing.works(() -> make(store, copyOf(source)));

            make(store(box), copyOf(source));

            assertThat(box.calls())
                    .filteredOn("replication.run_onetime"::equals)
                    .hasSize(1);
        }
    }

    @Test
    void a_job_that_failed_leaves_nothing_and_is_not_believed() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            VolumeStore store = store(box);
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
            box.fault(Fault.at("replication.run_onetime", new Fault.JobFails("[EFAULT] it broke", true))
                    .times(2));

            Failing.with(Failure.BackendRejected.class, () -> make(store, copyOf(source)));
            Failing.with(Failure.BackendRejected.class, () -> detach(store, source));

            assertThat(box.left()).isSubsetOf(PARENT + "/pvc-1", TOP);
        }
    }

    @Test
    void a_dataset_of_somebody_else_is_never_taken_for_a_copy() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            VolumeStore store = store(box);
            StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
            List.of(PARENT + "/pvc-2", TOP, TOP + "/pvc-1", TOP + "/pvc-1/snap-1")
                    .forEach(name -> box.putDataset(name, "FILESYSTEM", new JsonObject()));

            Failing.with(Failure.NotOurs.class, () -> make(store, copyOf(source)));
            Failing.with(Failure.NotOurs.class, () -> detach(store, source));
            role(store).delete(new NativeId("pvc-1/snap-1"), TestWork.patient());

            assertThat(box.left()).contains(TOP + "/pvc-1/snap-1", PARENT + "/pvc-2");
        }
    }
}
