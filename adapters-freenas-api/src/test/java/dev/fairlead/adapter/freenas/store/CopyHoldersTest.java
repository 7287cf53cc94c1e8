package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.SnapshotRequest;
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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holders of detached snapshots on a box that makes datasets without their marks. */
class CopyHoldersTest {
    private static final NativeId VOLUME = new NativeId("pvc-1");
    private static final String TOP = "tank/k8s/s";
    private static final String HOLDER = TOP + "/pvc-1";
    private static final String STATE = "dev.fairlead:state";
    private static final String COMMENT = "org.freenas:description";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private SimulatedBox box() {
        return new SimulatedBox(Profile.V26_BETA, folder);
    }

    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of("detachedSnapshotsDatasetParentName", TOP));
    }

    private static VolumeStore withVolume(SimulatedBox box) {
        VolumeStore store = store(box);
        store.create(store.plan(TestVolumes.empty("pvc-1"), VOLUME), TestWork.patient());
        return store;
    }

    private static void detach(VolumeStore store) {
        var request = new SnapshotRequest(new CsiName("snap-1"), VOLUME, Map.of("detachedSnapshots", "true"));
        store.snapshots().orElseThrow().take(request, 100, TestWork.patient());
    }

    private static void delete(VolumeStore store) {
        store.snapshots().orElseThrow().delete(new NativeId("pvc-1/snap-1"), TestWork.patient());
    }

    private static JsonObject user(SimulatedBox box) {
        return box.rows("dataset").stream()
                .filter(row -> JsonTools.text(row, "name").equals(HOLDER))
                .map(row -> JsonTools.child(row, "user"))
                .findFirst()
                .orElseThrow();
    }

    /** Leaves a holder that was made and not marked. */
    private static void cut(SimulatedBox box, VolumeStore store) {
        box.fault(Fault.at("pool.dataset.update", new Fault.CutBefore()).having("holder"));
        assertThat(Failing.works(() -> detach(store))).isFalse();
        box.clearFaults();
        assertThat(user(box).keySet()).doesNotContain(STATE);
    }

    @Test
    void one_that_was_cut_before_its_mark_is_marked_by_the_repetition() {
        try (SimulatedBox box = box()) {
            cut(box, withVolume(box));

            detach(store(box));

            assertThat(JsonTools.text(user(box), STATE)).isEqualTo("holder");
            delete(store(box));
            assertThat(box.left()).doesNotContain(HOLDER);
        }
    }

    @Test
    void one_that_was_cut_before_its_mark_goes_with_the_deletion_of_its_snapshot() {
        try (SimulatedBox box = box()) {
            cut(box, withVolume(box));

            delete(store(box));

            assertThat(box.left()).doesNotContain(HOLDER);
        }
    }

    @Test
    void an_administrators_dataset_is_used_and_neither_marked_nor_deleted() {
        try (SimulatedBox box = box()) {
            VolumeStore store = withVolume(box);
            cut(box, store);
            var top = new JsonObject();
            top.add(COMMENT, user(box).get(COMMENT));
            delete(store);
            box.putDataset(TOP, "FILESYSTEM", top); // which those below it inherit
            box.putDataset(HOLDER, "FILESYSTEM", new JsonObject());

            detach(store);

            assertThat(user(box).keySet()).isEmpty();
            delete(store);
            assertThat(box.left()).contains(HOLDER);
        }
    }
}
