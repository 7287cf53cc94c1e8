package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.Content;
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
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes of which something is there that the box, or democratic-csi, has not finished. */
class UnfinishedBirthsTest {
    private static final String VOLUME = SimulatedBox.PARENT + "/pvc-a";
    private static final NativeId SOURCE = new NativeId("pvc-source");
    private static final String SENT = SimulatedBox.PARENT + "/pvc-source";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SimulatedBox box, Map<String, Object> zfs) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, zfs);
    }

    private static Birth birth(VolumeStore store, CreateRequest request) {
        return store.plan(request, new NativeId(request.name().value()));
    }

    private static void make(VolumeStore store, CreateRequest request) {
        store.create(birth(store, request), TestWork.patient());
    }

    /** The box sets it after the dataset is made, by a job that waits for others. */
    @ParameterizedTest
    @EnumSource(names = {"V25_04", "V25_10", "V26"})
    void a_volume_for_windows_is_whole_only_once_its_access_list_is_known_to_be_set(Profile profile) {
        try (SimulatedBox box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box, Map.of());
            Birth birth = birth(store, TestVolumes.empty("pvc-a")).exported(Map.of(), Map.of("share_type", "SMB"));
            box.fault(Fault.at("pool.dataset.create", new Fault.CutAfter()));
            Failing.with(Failure.OutcomeUnknown.class, () -> store.create(birth, TestWork.patient()));
            assertThat(box.left()).containsExactly(VOLUME);

            assertThat(store.existing(birth, TestWork.patient())).isEmpty();
            store.create(birth, TestWork.patient());

            assertThat(box.calls()).contains("pool.dataset.delete");
            assertThat(store.existing(birth, TestWork.patient())).isPresent();
        }
    }

    private static JsonObject begun(String... more) {
        JsonObject marks =
                JsonTools.object("democratic-csi:managed_resource", "true", "democratic-csi:csi_volume_name", "pvc-a");
        for (int i = 0; i < more.length; i += 2) {
            marks.addProperty("democratic-csi:" + more[i], more[i + 1]);
        }
        return marks;
    }

    private static JsonObject row(SimulatedBox box) {
        return box.rows("dataset").stream()
                .filter(row -> JsonTools.text(row, "name").equals(VOLUME))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void what_democratic_csi_began_gets_its_mode_and_owner_before_it_is_whole() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box, Map.of("datasetPermissionsMode", "0770", "datasetPermissionsUser", "1000"));
            box.putDataset(VOLUME, "FILESYSTEM", begun());
            box.fault(Fault.at("filesystem.setperm", new Fault.JobFails("[EFAULT] not now", false)));

            Failing.with(Failure.BackendUnavailable.class, () -> make(store, TestVolumes.empty("pvc-a")));
            assertThat(row(box).toString()).doesNotContain("provision_success", "dev.fairlead:state");
            make(store, TestVolumes.empty("pvc-a"));

            assertThat(JsonTools.number(JsonTools.child(row(box), "perm"), "mode", 0))
                    .isEqualTo(0770);
            assertThat(row(box).toString()).contains("provision_success");
        }
    }

    @Test
    void what_democratic_csi_began_empty_is_not_given_out_as_made_from_a_source() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty(SOURCE.value()));
            box.putDataset(VOLUME, "FILESYSTEM", begun());
            String before = row(box).toString();

            Failing.with(Failure.VolumeConflict.class, () -> make(store, TestVolumes.fromVolume("pvc-a", SOURCE)));

            assertThat(row(box)).hasToString(before);
        }
    }

    @Test
    void what_democratic_csi_marked_as_a_clone_and_is_none_is_not_given_out() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty(SOURCE.value()));
            box.putDataset(VOLUME, "FILESYSTEM", ofSource("volume", SOURCE));

            Failing.with(Failure.VolumeConflict.class, () -> make(store, TestVolumes.fromVolume("pvc-a", SOURCE)));
        }
    }

    private static JsonObject ofSource(String type, NativeId source) {
        return begun("csi_volume_content_source_type", type, "csi_volume_content_source_id", source.value());
    }

    @Test
    void what_democratic_csi_began_with_another_size_is_not_given_out() {
        try (SimulatedBox box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = store(box, Map.of("datasetEnableQuotas", true));
            box.putDataset(VOLUME, "FILESYSTEM", begun());
            box.tamper("dataset", VOLUME, row -> {
                JsonTools.child(row, "props").addProperty("refquota", Long.toString(1L << 30));
                return row;
            });
            var more = TestVolumes.sized("pvc-a", Capacity.ofBytes(2L << 30));

            Failing.with(Failure.VolumeConflict.class, () -> make(store, more));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void the_snapshot_that_came_with_a_copy_of_democratic_csi_does_not_bar_its_deletion(Profile profile) {
        try (SimulatedBox box = new SimulatedBox(profile, folder)) {
            VolumeStore store = store(box, Map.of());
            make(store, TestVolumes.empty(SOURCE.value()));
            var taken = new SnapshotRequest(new CsiName("snap-1"), SOURCE, Map.of());
            NativeId snapshot = store.snapshots()
                    .orElseThrow()
                    .take(taken, 100, TestWork.patient())
                    .id();
            var request = new CreateRequest(
                    new CsiName("pvc-a"),
                    TestVolumes.atLeast(TestVolumes.SIZE),
                    TestVolumes.empty("pvc-a").capabilities(),
                    Map.of("detachedVolumesFromSnapshots", "true"),
                    new Content.OfSnapshot(snapshot));
            box.putDataset(VOLUME, "FILESYSTEM", ofSource("snapshot", snapshot));
            box.call("pool.snapshot.create", Map.of("dataset", VOLUME, "name", "snap-1"));
            box.tamper("snapshot", VOLUME + "@snap-1", row -> JsonTools.with(row, "guid", guid(box)));

            make(store, request);
            store.delete(new NativeId("pvc-a"), OnDependents.REFUSE, TestWork.patient());

            assertThat(box.left()).containsExactly(SENT, SENT + "@snap-1");
        }
    }

    private static String guid(SimulatedBox box) {
        return box.rows("snapshot").stream()
                .filter(row -> JsonTools.text(row, "name").equals(SENT + "@snap-1"))
                .map(row -> JsonTools.text(row, "guid"))
                .findFirst()
                .orElseThrow();
    }
}
