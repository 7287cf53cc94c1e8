package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.simulator.failure.Fault;
import dev.fairlead.simulator.profile.Profile;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes of which something is there that the box, or democratic-csi, has not finished. */
class UnfinishedBirthsTest {
    private static final String VOLUME = SimulatedBox.PARENT + "/pvc-a";

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static VolumeStore store(SimulatedBox box, Map<String, Object> zfs) {
        return FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, zfs);
    }

    private static Birth birth(VolumeStore store, CreateRequest request) {
        return store.plan(request, new NativeId(request.name().value()));
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
}
