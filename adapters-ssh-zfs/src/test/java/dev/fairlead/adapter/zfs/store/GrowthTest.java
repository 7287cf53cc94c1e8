package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes that grow, and those that cannot. */
class GrowthTest {
    private static final NativeId PVC = TestVolumes.id("pvc-a");
    private static final String DATASET = "tank/v/pvc-a";
    private static final Map<String, ?> UNLIMITED = Map.of("datasetParentName", "tank/v");
    private static final Map<String, ?> LIMITED = Map.of("datasetParentName", "tank/v", "datasetEnableQuotas", true);

    private static final Capacity DOUBLE = Capacity.ofBytes(2 * TestVolumes.SIZE.bytes());

    private static ZfsFixture bench(VolumeMedium.Kind kind, Map<String, ?> keys) {
        var fixture = new ZfsFixture(kind, keys);
        try (VolumeStore store = fixture.open()) {
            CreateRequest request = TestVolumes.empty("pvc-a");
            store.create(store.plan(request, PVC), TestWork.patient());
        }
        return fixture;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_reservation_that_the_pool_has_no_room_for_is_said_so_and_leaves_the_size(boolean quota) {
        ZfsFixture fixture = bench(
                VolumeMedium.Kind.FILESYSTEM,
                Map.of("datasetParentName", "tank/v", "datasetEnableQuotas", quota, "datasetEnableReservation", true));
        try (VolumeStore store = fixture.open()) {
            Optional<StoredVolume> before = store.find(PVC, TestWork.patient());
            CapacityRange range = TestVolumes.atLeast(Capacity.ofGibibytes(1L << 20));

            Failing.with(Failure.OutOfSpace.class, () -> store.expand(PVC, range, TestWork.patient()));
            Failing.with(Failure.OutOfSpace.class, () -> store.expand(PVC, range, TestWork.patient()));

            assertThat(store.find(PVC, TestWork.patient())).isEqualTo(before);
        }
    }

    @Test
    void a_block_volume_that_the_pool_has_no_room_for_is_said_so() {
        ZfsFixture fixture = bench(VolumeMedium.Kind.BLOCK_DEVICE, UNLIMITED);
        fixture.pool().refuse("set", "cannot set property for '" + DATASET + "': size is greater than available space");
        try (VolumeStore store = fixture.open()) {
            Failing.with(
                    Failure.OutOfSpace.class, () -> store.expand(PVC, TestVolumes.atLeast(DOUBLE), TestWork.patient()));
        }
    }

    @Test
    void a_quota_is_raised_though_the_connection_sets_none_any_more() {
        ZfsFixture fixture = bench(VolumeMedium.Kind.FILESYSTEM, LIMITED);
        try (VolumeStore store = fixture.openWith(UNLIMITED)) {
            StoredVolume grown = store.expand(PVC, TestVolumes.atLeast(DOUBLE), TestWork.patient());

            assertThat(grown.capacity()).contains(DOUBLE);
            assertThat(fixture.pool().own(DATASET)).containsEntry("refquota", Long.toString(DOUBLE.bytes()));
        }
    }

    @Test
    void a_volume_without_a_quota_gets_one_where_the_connection_sets_them_by_now() {
        ZfsFixture fixture = bench(VolumeMedium.Kind.FILESYSTEM, UNLIMITED);
        try (VolumeStore store = fixture.openWith(LIMITED)) {
            StoredVolume grown = store.expand(PVC, TestVolumes.atLeast(DOUBLE), TestWork.patient());

            assertThat(grown.capacity()).contains(DOUBLE);
            assertThat(fixture.pool().own(DATASET)).containsEntry("refquota", Long.toString(DOUBLE.bytes()));
        }
    }
}
