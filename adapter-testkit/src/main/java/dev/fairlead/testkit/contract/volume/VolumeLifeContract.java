package dev.fairlead.testkit.contract.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.application.port.out.store.VolumeStore.Creation;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.application.port.out.store.VolumeStore.Room;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.StoreSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a volume is planned, made, found, grown and deleted, each once, however often it is asked for. */
public interface VolumeLifeContract extends StoreSubject {
    Capacity DOUBLE = Capacity.ofBytes(2 * TestVolumes.SIZE.bytes());

    @Test
    default void planning_makes_nothing() {
        try (VolumeStore store = store()) {
            Birth birth = birth(store, TestVolumes.empty("pvc-planned"));

            assertThat(store.existing(birth, TestWork.patient())).isEmpty();
            assertThat(store.find(birth.id(), TestWork.patient())).isEmpty();
        }
        verifyEmpty();
    }

    @Test
    default void a_made_volume_is_what_was_planned() {
        try (VolumeStore store = store()) {
            Birth birth = birth(store, TestVolumes.empty("pvc-a"));

            Creation made = store.create(birth, TestWork.patient());

            assertThat(made.fresh()).isTrue();
            assertThat(made.volume().id()).isEqualTo(birth.id());
            assertThat(made.volume().name()).contains(birth.request().name());
            assertPlanned(made.volume().medium(), birth.medium());
            assertThat(made.volume().content()).isEqualTo(birth.request().content());
            assertThat(made.volume().capacity().orElse(birth.capacity())).isGreaterThanOrEqualTo(birth.capacity());
            assertThat(store.find(birth.id(), TestWork.patient())).contains(made.volume());
            assertThat(store.existing(birth, TestWork.patient())).contains(made.volume());
            assertThat(volumes(store)).containsExactly(made.volume());
        }
    }

    /** Asserts that a volume is as planned; where a filesystem is mounted may be known only once it is. */
    private static void assertPlanned(VolumeMedium made, VolumeMedium planned) {
        assertThat(made.kind()).isEqualTo(planned.kind());
        if (!planned.path().isEmpty()) {
            assertThat(made).isEqualTo(planned);
        }
    }

    @Test
    default void where_a_volume_was_is_told_when_it_is_gone() {
        StoredVolume made;
        try (VolumeStore store = store()) {
            made = make(store, TestVolumes.empty("pvc-a"));
            store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());

            assertThat(store.placeOf(made.id(), TestWork.patient())).contains(made.medium());
        }
        try (VolumeStore restarted = store()) {
            TestWork work = TestWork.patient();

            assertThat(restarted.placeOf(made.id(), work)).contains(made.medium());
        }
        verifyEmpty();
    }

    @Test
    default void making_a_volume_twice_makes_it_once() {
        try (VolumeStore store = store()) {
            Birth birth = birth(store, TestVolumes.empty("pvc-a"));
            Creation first = store.create(birth, TestWork.patient());
            write(first.volume(), "data", "precious");

            Creation second = store.create(birth, TestWork.patient());

            assertThat(second).isEqualTo(new Creation(first.volume(), false));
            assertThat(read(second.volume(), "data")).contains("precious");
            assertThat(volumes(store)).hasSize(1);
        }
    }

    @Test
    default void an_existing_volume_that_differs_comes_back_untouched() {
        try (VolumeStore store = store()) {
            StoredVolume first = make(store, TestVolumes.empty("pvc-a"));
            write(first, "data", "precious");
            Birth other = birth(store, TestVolumes.sized("pvc-a", DOUBLE)).noting(Map.of("context/other", "note"));

            Creation second = store.create(other, TestWork.patient());

            assertThat(second).isEqualTo(new Creation(first, false));
            assertThat(store.existing(other, TestWork.patient())).contains(first);
            assertThat(read(first, "data")).contains("precious");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void it_makes_the_media_that_it_declares_and_no_others(VolumeMedium.Kind kind) {
        CreateRequest request = switch (kind) {
            case FILESYSTEM -> TestVolumes.capable("pvc-of-kind", TestVolumes.MOUNT);
            case BLOCK_DEVICE -> TestVolumes.capable("pvc-of-kind", TestVolumes.BLOCK);
        };
        try (VolumeStore store = store()) {
            Optional<Birth> birth = Failing.unlessUnsupported(() -> birth(store, request));
            boolean declared = store.media().contains(kind);

            assertThat(store.media()).isNotEmpty();
            assertThat(birth.isPresent() || !declared)
                    .as("a declared medium is planned")
                    .isTrue();
            birth.ifPresent(planned -> {
                assertThat(store.media()).contains(planned.medium().kind());
                assertPlanned(store.create(planned, TestWork.patient()).volume().medium(), planned.medium());
            });
        }
    }

    @Test
    default void a_volume_and_its_data_are_there_after_a_restart() {
        StoredVolume made;
        try (VolumeStore store = store()) {
            made = make(store, TestVolumes.empty("pvc-a"));
            write(made, "data", "precious");
        }

        try (VolumeStore reopened = store()) {
            assertThat(reopened.find(made.id(), TestWork.patient())).contains(made);
            assertThat(make(reopened, TestVolumes.empty("pvc-a"))).isEqualTo(made);
            assertThat(read(made, "data")).contains("precious");
        }
    }

    @Test
    default void what_is_not_there_is_not_found() {
        NativeId absent = TestVolumes.id("pvc-absent");
        try (VolumeStore store = store()) {
            assertThat(store.find(absent, TestWork.patient())).isEmpty();
            assertThat(store.deletionCheck(absent, OnDependents.REFUSE, TestWork.patient())
                            .obstacles())
                    .isEmpty();
            Failing.with(
                    Failure.VolumeNotFound.class,
                    () -> store.expand(absent, TestVolumes.atLeast(DOUBLE), TestWork.patient()));
            Failing.with(Failure.VolumeNotFound.class, () -> store.note(absent, Map.of("a", "b"), TestWork.patient()));
        }
        verifyEmpty();
    }

    @Test
    default void a_volume_grows_within_the_range_or_not_at_all() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            for (long bytes : new long[] {DOUBLE.bytes() + 1, Long.MAX_VALUE}) {
                StoredVolume before = store.find(made.id(), TestWork.patient()).orElseThrow();
                CapacityRange range = CapacityRange.of(bytes, bytes);
                try {
                    StoredVolume grown = store.expand(made.id(), range, TestWork.patient());
                    assertThat(grown.capacity()).get().matches(range::fits);
                } catch (StorageException e) {
                    assertThat(e.failure()).isInstanceOfAny(Failure.CapacityOutOfRange.class, Failure.OutOfSpace.class);
                    assertThat(store.find(made.id(), TestWork.patient())).contains(before);
                }
            }
        }
    }

    @Test
    default void a_volume_grows_and_keeps_all_else() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            write(made, "data", "precious");

            StoredVolume grown = store.expand(made.id(), TestVolumes.atLeast(DOUBLE), TestWork.patient());
            StoredVolume again = store.expand(made.id(), TestVolumes.atLeast(DOUBLE), TestWork.patient());

            assertThat(grown.capacity().orElse(DOUBLE)).isGreaterThanOrEqualTo(DOUBLE);
            assertThat(again).isEqualTo(grown);
            assertThat(store.find(made.id(), TestWork.patient())).contains(grown);
            assertThat(grown)
                    .usingRecursiveComparison()
                    .ignoringFields("capacity")
                    .isEqualTo(made);
            assertThat(read(grown, "data")).contains("precious");
        }
    }

    @Test
    default void a_volume_never_shrinks() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.sized("pvc-a", DOUBLE));

            StoredVolume same = store.expand(made.id(), TestVolumes.atLeast(TestVolumes.SIZE), TestWork.patient());

            assertThat(same).isEqualTo(made);
            assertThat(store.find(made.id(), TestWork.patient())).contains(made);
        }
    }

    @Test
    default void a_deleted_volume_is_gone_with_its_data() {
        try (VolumeStore store = store()) {
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));
            write(made, "data", "old");

            store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());

            assertThat(store.find(made.id(), TestWork.patient())).isEmpty();
            assertThat(volumes(store)).isEmpty();
            StoredVolume anew = make(store, TestVolumes.empty("pvc-a"));
            assertThat(read(anew, "data")).isEmpty();
        }
    }

    @Test
    default void deleting_what_is_not_there_is_no_error() {
        try (VolumeStore store = store()) {
            StoredVolume kept = make(store, TestVolumes.empty("pvc-kept"));
            StoredVolume made = make(store, TestVolumes.empty("pvc-a"));

            store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());
            store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());
            store.delete(TestVolumes.id("pvc-never"), OnDependents.REFUSE, TestWork.patient());

            assertThat(volumes(store)).containsExactly(kept);
        }
    }

    @Test
    default void deleting_one_volume_leaves_the_others() {
        try (VolumeStore store = store()) {
            StoredVolume prefix = make(store, TestVolumes.empty("pvc-1"));
            StoredVolume made = make(store, TestVolumes.empty("pvc-10"));
            StoredVolume longer = make(store, TestVolumes.empty("pvc-100"));
            write(prefix, "data", "of 1");
            write(longer, "data", "of 100");

            store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());

            assertThat(volumes(store)).containsExactly(prefix, longer);
            assertThat(read(prefix, "data")).contains("of 1");
            assertThat(read(longer, "data")).contains("of 100");
        }
    }

    @Test
    default void the_room_is_told_in_sizes_that_agree() {
        try (VolumeStore store = store()) {
            Room room = store.room(Map.of(), TestWork.patient());

            assertThat(room.available()).isGreaterThan(Capacity.ZERO);
            assertThat(room.largest().orElse(Capacity.ZERO)).isLessThanOrEqualTo(room.available());
        }
    }

    @Test
    default void a_size_beyond_all_room_is_refused_with_nothing_left_or_only_recorded() {
        try (VolumeStore store = store()) {
            CreateRequest huge = TestVolumes.sized("pvc-huge", Capacity.ofBytes(Long.MAX_VALUE));

            Optional<StoredVolume> made = Failing.orEmpty(() -> make(store, huge));

            assertThat(volumes(store)).hasSize(made.isPresent() ? 1 : 0);
        }
    }
}
