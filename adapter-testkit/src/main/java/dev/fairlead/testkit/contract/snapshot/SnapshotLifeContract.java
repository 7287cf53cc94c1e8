package dev.fairlead.testkit.contract.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that a snapshot is taken, found, restored and deleted, each once, however often it is asked for. */
public interface SnapshotLifeContract extends SnapshotSubject {
    @Test
    default void a_taken_snapshot_is_found_by_id_and_by_name() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));

            StoredSnapshot taken = take(store, "snap-1", source);

            assertThat(taken.source()).isEqualTo(source.id());
            assertThat(taken.name()).contains(new CsiName("snap-1"));
            assertThat(taken.size()).isLessThanOrEqualTo(source.capacity().orElse(Capacity.ofBytes(Long.MAX_VALUE)));
            assertThat(role(store).find(taken.id(), TestWork.patient())).contains(taken);
            assertThat(role(store).findByName(new CsiName("snap-1"), TestWork.patient()))
                    .contains(taken);
            assertThat(snapshots(store)).containsExactly(taken);
        }
    }

    @Test
    default void taking_a_snapshot_twice_takes_it_once() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            write(source, "data", "before");
            StoredSnapshot first = take(store, "snap-1", source);
            write(source, "data", "after");

            StoredSnapshot second = take(store, "snap-1", source);

            assertThat(second).isEqualTo(first);
            assertThat(snapshots(store)).containsExactly(first);
            restored(store, first)
                    .ifPresent(volume -> assertThat(read(volume, "data")).contains("before"));
        }
    }

    @Test
    default void a_name_that_is_used_for_another_volume_takes_nothing() {
        try (VolumeStore store = store()) {
            StoredSnapshot first = take(store, "snap-1", make(store, TestVolumes.empty("pvc-a")));
            StoredVolume other = make(store, TestVolumes.empty("pvc-b"));

            StoredSnapshot second = take(store, "snap-1", other);

            assertThat(second).isEqualTo(first);
            assertThat(snapshots(store)).containsExactly(first);
        }
    }

    @Test
    default void a_snapshot_is_no_volume() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));

            StoredSnapshot taken = take(store, "snap-1", source);

            assertThat(volumes(store)).containsExactly(source);
            assertThat(store.find(taken.id(), TestWork.patient())).isEmpty();
            assertThat(role(store).find(source.id(), TestWork.patient())).isEmpty();
        }
    }

    @Test
    default void a_snapshot_is_there_after_a_restart() {
        StoredSnapshot taken;
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            write(source, "data", "precious");
            taken = take(store, "snap-1", source);
        }

        try (VolumeStore reopened = store()) {
            assertThat(role(reopened).find(taken.id(), TestWork.patient())).contains(taken);
            assertThat(snapshots(reopened)).containsExactly(taken);
            restored(reopened, taken)
                    .ifPresent(volume -> assertThat(read(volume, "data")).contains("precious"));
        }
    }

    @Test
    default void a_deleted_snapshot_is_gone_and_its_volume_is_not() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            write(source, "data", "precious");
            StoredSnapshot taken = take(store, "snap-1", source);
            StoredSnapshot other = take(store, "snap-10", source);

            role(store).delete(taken.id(), TestWork.patient());
            role(store).delete(taken.id(), TestWork.patient());

            assertThat(role(store).find(taken.id(), TestWork.patient())).isEmpty();
            assertThat(role(store).findByName(new CsiName("snap-1"), TestWork.patient()))
                    .isEmpty();
            assertThat(snapshots(store)).containsExactly(other);
            assertThat(read(source, "data")).contains("precious");
        }
    }

    @Test
    default void what_was_never_taken_is_not_found_and_deleting_it_is_no_error() {
        try (VolumeStore store = store()) {
            assertThat(role(store).find(TestVolumes.id("absent"), TestWork.patient()))
                    .isEmpty();
            assertThat(role(store).findByName(new CsiName("absent"), TestWork.patient()))
                    .isEmpty();
            role(store).delete(TestVolumes.id("absent"), TestWork.patient());
        }
        verifyEmpty();
    }

    @Test
    default void a_snapshot_of_a_missing_volume_is_refused_and_nothing_is_made() {
        SnapshotRequest request = new SnapshotRequest(new CsiName("snap-1"), TestVolumes.id("absent"), Map.of());
        try (VolumeStore store = store()) {
            Failing.with(
                    Failure.VolumeNotFound.class,
                    () -> role(store).take(request, SnapshotSubject.MAX_ID, TestWork.patient()));

            assertThat(snapshots(store)).isEmpty();
        }
        verifyEmpty();
    }

    @Test
    default void a_volume_with_snapshots_goes_and_they_stay_or_it_is_kept_and_says_why() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            write(source, "data", "precious");
            StoredSnapshot taken = take(store, "snap-1", source);
            boolean depends = !store.deletionCheck(source.id(), OnDependents.REFUSE, TestWork.patient())
                    .obstacles()
                    .isEmpty();

            boolean gone = Failing.works(() -> store.delete(source.id(), OnDependents.REFUSE, TestWork.patient()));

            assertThat(gone).isEqualTo(!depends);
            assertThat(store.find(source.id(), TestWork.patient()).isPresent()).isEqualTo(depends);
            assertThat(role(store).find(taken.id(), TestWork.patient())).contains(taken);
            restored(store, taken)
                    .ifPresent(volume -> assertThat(read(volume, "data")).contains("precious"));
        }
    }

    @Test
    default void an_id_keeps_to_its_length_and_tells_long_names_apart() {
        String stem = "snapshot-" + "x".repeat(118);
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-0a1b2c3d-4e5f-6789-abcd-ef0123456789"));

            StoredSnapshot one = take(store, stem + "1", source);
            StoredSnapshot two = take(store, stem + "2", source);

            assertThat(one.id()).isNotEqualTo(two.id());
            assertThat(List.of(one, two)).allSatisfy(taken -> {
                assertThat(taken.id().value()).hasSizeLessThanOrEqualTo(SnapshotSubject.MAX_ID);
                assertThat(role(store).find(taken.id(), TestWork.patient())).contains(taken);
            });
            assertThat(take(store, stem + "1", source)).isEqualTo(one);
        }
    }

    private Optional<StoredVolume> restored(VolumeStore store, StoredSnapshot snapshot) {
        return Failing.unlessUnsupported(() -> make(store, TestVolumes.fromSnapshot("pvc-restored", snapshot.id())));
    }
}
