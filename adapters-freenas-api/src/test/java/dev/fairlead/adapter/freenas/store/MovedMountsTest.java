package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Parents that an administrator has mounted at another place than a box does. */
class MovedMountsTest {
    private static final String PARENT = SimulatedBox.PARENT;

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void mountElsewhere(SimulatedBox box) {
        box.tamper("dataset", PARENT, row -> {
            row.getAsJsonObject("props").addProperty("mountpoint", "/mnt/elsewhere");
            return row;
        });
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_10", "V26_BETA", "V26"})
    void a_volume_that_would_be_at_another_place_is_refused_each_time_and_leaves_nothing(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            for (Map<String, Object> zfs :
                    List.<Map<String, Object>>of(Map.of(), Map.of("datasetPermissionsMode", "0777"))) {
                VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, zfs);
                mountElsewhere(box);
                for (int round = 0; round < 2; round++) {
                    Failing.with(Failure.BackendRejected.class, () -> make(store, TestVolumes.empty("pvc-a")));

                    assertThat(box.left()).isEmpty();
                    assertThat(store.existing(
                                    store.plan(TestVolumes.empty("pvc-a"), new NativeId("pvc-a")), TestWork.patient()))
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"V25_10", "V26"})
    void a_volume_that_a_cut_left_at_another_place_is_not_taken_for_made(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());
            make(store, TestVolumes.empty("pvc-a"));
            mountElsewhere(box);
            var planned = store.plan(TestVolumes.empty("pvc-a"), new NativeId("pvc-a"));

            assertThat(store.existing(planned, TestWork.patient())).isEmpty();
            Failing.with(Failure.BackendRejected.class, () -> store.create(planned, TestWork.patient()));

            assertThat(box.left()).containsExactly(PARENT + "/pvc-a"); // somebody may have it
        }
    }

    @Test
    void a_volume_that_democratic_csi_made_at_another_place_is_found() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            mountElsewhere(box);
            var marks = new JsonObject();
            marks.addProperty("democratic-csi:managed_resource", "true");
            marks.addProperty("democratic-csi:csi_volume_name", "pvc-a");
            marks.addProperty("democratic-csi:provision_success", "true");
            marks.addProperty("democratic-csi:csi_share_volume_context", "{\"node_attach_driver\":\"nfs\"}");
            box.putDataset(PARENT + "/pvc-a", "FILESYSTEM", marks);
            VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());

            var planned = store.plan(TestVolumes.empty("pvc-a"), new NativeId("pvc-a"));

            assertThat(store.existing(planned, TestWork.patient()))
                    .get()
                    .extracting(volume -> volume.medium().path())
                    .isEqualTo("/mnt/elsewhere/pvc-a");
        }
    }
}
