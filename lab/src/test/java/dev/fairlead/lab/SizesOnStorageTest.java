package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes of blocks, limits, quotas and reservations, as the real ZFS keeps and refuses them. */
@OnStorage
class SizesOnStorageTest {
    private static final NativeId PVC = TestVolumes.id("pvc-a");
    private static final long SIZE = TestVolumes.SIZE.bytes();

    private Optional<ZfsPoolFixture> fixture = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        fixture = Optional.of(new ZfsPoolFixture(host));
    }

    @AfterEach
    void nothing_is_left() {
        assertThat(rig().left()).isEmpty();
    }

    private ZfsPoolFixture rig() {
        return fixture.orElseThrow();
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        Birth birth = store.plan(request, new NativeId(request.name().value()));
        return store.create(birth, TestWork.patient()).volume();
    }

    private static void delete(VolumeStore store, NativeId... ids) {
        List.of(ids).forEach(id -> store.delete(id, OnDependents.REFUSE, TestWork.patient()));
    }

    private String property(String key) {
        return rig().shell("zfs get -Hp -o value " + key + " " + rig().parent() + "/" + PVC)
                .strip();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_clone_of_a_volume_with_larger_blocks_can_be_had(boolean copied) {
        try (VolumeStore before = rig().volumes(Map.of("zvolBlocksize", "64K"))) {
            make(before, TestVolumes.empty("pvc-a"));
        }
        try (VolumeStore store = rig().volumes(Map.of())) {
            StoredVolume volume = make(
                    store,
                    new CreateRequest(
                            new CsiName("pvc-b"),
                            CapacityRange.of(SIZE + 1, 0),
                            List.of(TestVolumes.MOUNT),
                            Map.of("detachedVolumesFromVolumes", Boolean.toString(copied)),
                            new Content.OfVolume(PVC)));

            assertThat(volume.capacity()).contains(Capacity.ofBytes(SIZE + (128 << 10)));
            delete(store, volume.id(), PVC);
        }
    }

    @Test
    void a_block_volume_grows_within_the_limit_or_not_at_all() {
        try (VolumeStore store = rig().volumes(Map.of("zvolBlocksize", "64K"))) {
            make(store, TestVolumes.empty("pvc-a"));

            Failing.with(
                    Failure.CapacityOutOfRange.class,
                    () -> store.expand(PVC, CapacityRange.of(SIZE + 1, SIZE + 16384), TestWork.patient()));
            assertThat(property("volsize")).isEqualTo(Long.toString(SIZE));
            store.expand(PVC, CapacityRange.of(SIZE + 1, SIZE + 65536), TestWork.patient());

            assertThat(property("volsize")).isEqualTo(Long.toString(SIZE + 65536));
            delete(store, PVC);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_reservation_that_the_pool_has_no_room_for_leaves_the_size(boolean quota) {
        try (VolumeStore store =
                rig().filesystems(Map.of("datasetEnableQuotas", quota, "datasetEnableReservation", true))) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            CapacityRange range = TestVolumes.atLeast(Capacity.ofGibibytes(1L << 20));

            Failing.with(Failure.OutOfSpace.class, () -> store.expand(PVC, range, TestWork.patient()));
            Failing.with(Failure.OutOfSpace.class, () -> store.expand(PVC, range, TestWork.patient()));

            assertThat(store.find(PVC, TestWork.patient())).contains(made);
            assertThat(property("refreservation")).isEqualTo(Long.toString(SIZE));
            delete(store, PVC);
        }
    }

    @Test
    void so_does_one_that_a_block_volume_cannot_have() {
        try (VolumeStore store = rig().volumes(Map.of("zvolEnableReservation", true))) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            Failing.with(
                    Failure.OutOfSpace.class,
                    () -> store.expand(PVC, TestVolumes.atLeast(Capacity.ofGibibytes(1L << 20)), TestWork.patient()));

            assertThat(store.find(PVC, TestWork.patient())).contains(made);
            delete(store, PVC);
        }
    }

    @Test
    void a_quota_is_raised_though_the_connection_sets_none_any_more() {
        try (VolumeStore before = rig().filesystems(Map.of("datasetEnableQuotas", true))) {
            make(before, TestVolumes.empty("pvc-a"));
        }
        try (VolumeStore store = rig().filesystems(Map.of())) {
            store.expand(PVC, CapacityRange.of(2 * SIZE, 0), TestWork.patient());

            assertThat(property("refquota")).isEqualTo(Long.toString(2 * SIZE));
            delete(store, PVC);
        }
    }
}
