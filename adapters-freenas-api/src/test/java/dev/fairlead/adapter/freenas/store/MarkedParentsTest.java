package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.testkit.Protocol;
import dev.fairlead.adapter.freenas.testkit.WiredBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.engine.JsonTools;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
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
    void nodes_are_shut_out_of_a_volume_below_it(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            make(store(box), "pvc-a");
            mark(box, SimulatedBox.PARENT);
            VolumeStore store = store(box);

            Failing.with(Failure.BackendUnavailable.class, () -> store.find(new NativeId("pvc-a"), TestWork.patient()));
            assertThat(store.fencing().find(new NativeId("pvc-a"), TestWork.patient()))
                    .isPresent();
        }
    }

    @Test
    void a_parent_that_is_another_s_stops_no_volume_below_the_others() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = FreenasFixture.store(
                    box.client(),
                    VolumeMedium.Kind.FILESYSTEM,
                    Map.of(),
                    Map.of("parents", Map.of("bulk", "tank/bulk")),
                    new LateCalls(InstantSource.system()));
            box.putDataset("tank/bulk", "FILESYSTEM", new JsonObject());
            mark(box, "tank/bulk");

            make(store, "pvc-a");
            assertThat(store.find(new NativeId("pvc-a"), TestWork.patient())).isPresent();
        }
    }

    /** The process was told of the parent by the release before. */
    @Test
    void a_box_that_is_upgraded_meanwhile_is_looked_at_anew() {
        try (WiredBox box = WiredBox.start(Profile.V25_04, Protocol.NFS, folder)) {
            box.makeParents();
            box.make(WiredBox.PARENT + "/photos", VolumeMedium.Kind.FILESYSTEM, Map.of());
            box.simulator().tamper("dataset", WiredBox.PARENT, row -> {
                JsonTools.child(row, "user").addProperty("democratic-csi:managed_resource", "true");
                return row;
            });
            Failing.with(Failure.NotOurs.class, () -> delete(box.store(), FOREIGN));

            box.simulator().upgrade(Profile.V25_10);

            String refused = "";
            for (int i = 0; i < 200 && !refused.contains("zfs inherit"); i++) { // the session of before ends first
                refused = Failing.failure(() -> delete(box.store(), FOREIGN)).toString();
            }
            assertThat(refused).contains("zfs inherit democratic-csi:managed_resource " + WiredBox.PARENT);
            assertThat(box.rows()).contains("dataset " + WiredBox.PARENT + "/photos");
        }
    }

    /** A box whose pool was replaced has such a parent, and no volumes. */
    @Test
    void to_shut_nodes_out_the_mark_of_the_file_may_lack_where_the_volume_is_and_nowhere_else() {
        try (var box = new SimulatedBox(Profile.V26, folder)) {
            make(store(box), "pvc-a");
            VolumeStore fencing = FreenasFixture.store(
                            box.client(),
                            VolumeMedium.Kind.FILESYSTEM,
                            Map.of(),
                            Map.of("parentMark", "nas-1"),
                            new LateCalls(InstantSource.system()))
                    .fencing();

            assertThat(fencing.find(new NativeId("pvc-a"), TestWork.patient())).isPresent();
            Failing.with(
                    Failure.BackendUnavailable.class, () -> fencing.find(new NativeId("pvc-b"), TestWork.patient()));
            box.tamper("dataset", SimulatedBox.PARENT, row -> {
                JsonTools.child(row, "user").addProperty("dev.fairlead:parent", "nas-2");
                return row;
            });
            Failing.with(
                    Failure.BackendUnavailable.class, () -> fencing.find(new NativeId("pvc-a"), TestWork.patient()));
        }
    }
}
