package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A box that has begun to answer before its pool is imported, which is there when it is asked once more. */
class ReturningPoolsTest {
    private static final String TOP = "tank/k8s/s";
    private static final String DATASETS = "pool.dataset.query";
    private static final String SNAPSHOTS = "pool.snapshot.query";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private SimulatedBox box() {
        return new SimulatedBox(Profile.V25_10, folder);
    }

    private static VolumeStore store(SimulatedBox box) {
        return FreenasFixture.store(
                box, VolumeMedium.Kind.FILESYSTEM, Map.of("detachedSnapshotsDatasetParentName", TOP));
    }

    private static SnapshotStore role(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static StoredVolume make(VolumeStore store) {
        return store.create(store.plan(TestVolumes.empty("pvc-1"), new NativeId("pvc-1")), TestWork.patient())
                .volume();
    }

    private static NativeId detach(VolumeStore store, StoredVolume source) {
        var request = new SnapshotRequest(new CsiName("snap-1"), source.id(), Map.of("detachedSnapshots", "true"));
        return role(store).take(request, 100, TestWork.patient()).id();
    }

    private static void findsNothingOnce(SimulatedBox box, String query) {
        box.fault(Fault.at(query, new Fault.Result("[]")));
    }

    @Test
    void a_snapshot_is_not_taken_for_deleted() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box);
            NativeId id = role(store)
                    .take(TestVolumes.snapshot("snap-1", make(store)), 100, TestWork.patient())
                    .id();

            findsNothingOnce(box, SNAPSHOTS);
            assertThat(role(store).find(id, TestWork.patient())).isPresent();
            findsNothingOnce(box, SNAPSHOTS);
            role(store).delete(id, TestWork.patient());

            assertThat(box.left()).noneMatch(name -> name.contains("@"));
        }
    }

    @Test
    void a_group_is_not_taken_for_deleted() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box);
            var request =
                    new GroupRequest(new CsiName("group-1"), List.of(make(store).id()), Map.of());
            var groups = role(store).groups().orElseThrow();
            NativeId id = groups.take(request, 100, TestWork.patient()).id();

            findsNothingOnce(box, SNAPSHOTS);
            assertThat(groups.find(id, TestWork.patient())).isPresent();
            findsNothingOnce(box, SNAPSHOTS);
            groups.delete(id, TestWork.patient());

            assertThat(box.left()).noneMatch(name -> name.contains("@"));
        }
    }

    @Test
    void a_detached_snapshot_is_not_taken_for_deleted() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box);
            NativeId id = detach(store, make(store));

            findsNothingOnce(box, DATASETS);
            assertThat(role(store).find(id, TestWork.patient())).isPresent();
            findsNothingOnce(box, DATASETS);
            role(store).delete(id, TestWork.patient());

            assertThat(box.left()).noneMatch(name -> name.startsWith(TOP + "/"));
        }
    }

    @Test
    void lists_lack_nothing() {
        try (SimulatedBox box = box()) {
            VolumeStore store = store(box);
            StoredVolume volume = make(store);
            role(store).take(TestVolumes.snapshot("snap-2", volume), 100, TestWork.patient());
            detach(store, volume);

            findsNothingOnce(box, DATASETS);
            assertThat(store.list(PageRequest.all(), TestWork.patient()).items())
                    .hasSize(1);
            findsNothingOnce(box, SNAPSHOTS);
            findsNothingOnce(box, DATASETS);
            assertThat(role(store)
                            .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                            .items())
                    .hasSize(2);
        }
    }
}
