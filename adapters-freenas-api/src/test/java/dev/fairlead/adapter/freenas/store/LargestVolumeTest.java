package dev.fairlead.adapter.freenas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.freenas.fake.FreenasFixture;
import dev.fairlead.adapter.freenas.fake.SimulatedBox;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.VolumeMedium;
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

/** The largest volume that a connection says it can make is one that a box makes. */
class LargestVolumeTest {
    private static final long MIB = 1L << 20;

    @TempDir
    private Path folder = Path.of("/nowhere");

    private static void make(VolumeStore store, String name, long bytes) {
        store.create(
                store.plan(TestVolumes.sized(name, Capacity.ofBytes(bytes)), new NativeId(name)), TestWork.patient());
    }

    private static long largest(VolumeStore store) {
        return store.room(Map.of(), TestWork.patient()).largest().orElseThrow().bytes();
    }

    @ParameterizedTest
    @EnumSource(names = {"SCALE_24_10", "V25_04", "V25_10", "V26"})
    void a_block_device_has_four_fifths_of_what_its_parent_has(Profile profile) {
        try (var box = new SimulatedBox(profile, folder)) {
            VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.BLOCK_DEVICE, Map.of());
            long largest = largest(store) / MIB * MIB;

            Failing.with(Failure.OutOfSpace.class, () -> make(store, "pvc-a", largest + MIB));
            make(store, "pvc-b", largest);

            assertThat(store.find(new NativeId("pvc-b"), TestWork.patient())).isPresent();
        }
    }

    @Test
    void a_volume_of_files_has_all_of_it() {
        try (var box = new SimulatedBox(Profile.V25_10, folder)) {
            VolumeStore store = FreenasFixture.store(box, VolumeMedium.Kind.FILESYSTEM, Map.of());

            assertThat(largest(store))
                    .isEqualTo(
                            store.room(Map.of(), TestWork.patient()).available().bytes());
        }
    }
}
