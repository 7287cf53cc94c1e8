package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is done below a parent with the mark of managed volumes, which boxes from 25.10 on show on all below it. */
class MarkedParentsTest {
    private static final String TOP = "tank/k8s/s";
    private static final NativeId FOREIGN = new NativeId("photos");

    @TempDir
    private Path folder = Path.of("/nowhere");

    /** One that was not met yet: a process is told of a parent once. */
    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of("detachedSnapshotsDatasetParentName", TOP));
    }

    private static void mark(SimulatedBox box, String dataset) {
        box.tamper("dataset", dataset, row -> {
            JsonTools.child(row, "user").addProperty("democratic-csi:managed_resource", "true");
            return row;
        });
    }

    private static void unmark(SimulatedBox box, String dataset) {
        box.tamper("dataset", dataset, row -> {
            JsonTools.child(row, "user").remove("democratic-csi:managed_resource");
            return row;
        });
    }

    private static void make(VolumeStore store, String id) {
        VolumeStore.Birth planned = store.plan(TestVolumes.empty(id), new NativeId(id));
        assertThat(store.existing(planned, TestWork.patient())).isEmpty();
        store.create(planned, TestWork.patient());
    }

    /** Makes a dataset that is nobody's volume. */
    private static void makeForeign(SimulatedBox box) {
        make(store(box), FOREIGN.value());
        unmark(box, SimulatedBox.PARENT + "/" + FOREIGN.value());
    }

    private static void delete(VolumeStore store, NativeId id) {
        var _ = store.deletionCheck(id, OnDependents.REFUSE, TestWork.patient());
        store.delete(id, OnDependents.REFUSE, TestWork.patient());
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10_0", "V25_10", "V26_BETA", "V26", "V27"})
    void nothing_is_done_where_a_foreign_dataset_looks_like_a_volume(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            makeForeign(box);
            mark(box, SimulatedBox.PARENT);
            String before = box.left().toString();

            assertThat(Failing.failure(() -> delete(store(box), FOREIGN)).toString())
                    .contains("zfs inherit democratic-csi:managed_resource " + SimulatedBox.PARENT);
            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> store(box).delete(FOREIGN, OnDependents.REFUSE, TestWork.patient()));
            Failing.with(Failure.BackendUnavailable.class, () -> store(box).find(FOREIGN, TestWork.patient()));
            Failing.with(
                    Failure.BackendUnavailable.class, () -> store(box).list(PageRequest.all(), TestWork.patient()));
            Failing.with(Failure.BackendUnavailable.class, () -> make(store(box), "pvc-a"));

            assertThat(box.left()).hasToString(before);
            unmark(box, SimulatedBox.PARENT);
            Failing.with(Failure.NotOurs.class, () -> delete(store(box), FOREIGN));
            make(store(box), "pvc-a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04"})
    void a_box_that_tells_inherited_marks_apart_goes_on(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            makeForeign(box);
            mark(box, SimulatedBox.PARENT);

            Failing.with(Failure.NotOurs.class, () -> delete(store(box), FOREIGN));
            assertThat(store(box).find(FOREIGN, TestWork.patient())).isEmpty();
            make(store(box), "pvc-a");
            delete(store(box), new NativeId("pvc-a"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_foreign_dataset_is_no_detached_snapshot_by_the_mark_of_its_parent(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box);
            make(store, "pvc-1");
            var request = new SnapshotRequest(
                    new CsiName("snap-1"), new NativeId("pvc-1"), Map.of("detachedSnapshots", "true"));
            NativeId copy = store.snapshots()
                    .orElseThrow()
                    .take(request, 100, TestWork.patient())
                    .id();
            mark(box, TOP);

            Failing.with(
                    Failure.BackendUnavailable.class,
                    () -> store(box).snapshots().orElseThrow().delete(copy, TestWork.patient()));
            unmark(box, TOP);
            store(box).snapshots().orElseThrow().delete(copy, TestWork.patient());
        }
    }
}
