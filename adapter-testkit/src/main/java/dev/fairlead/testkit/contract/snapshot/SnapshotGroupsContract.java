package dev.fairlead.testkit.contract.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@code SnapshotGroups} promises; for the test class of a {@code VolumeStore} that returns this role.
 */
public interface SnapshotGroupsContract extends SnapshotGroupsAdversityContract {
    @Test
    default void a_group_is_found_and_its_snapshots_are_snapshots_like_any_other() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-b", "pvc-a");
            volumes.forEach(volume -> write(volume, "data", "then"));

            StoredGroup taken = group(store, "group-1", volumes);
            volumes.forEach(volume -> write(volume, "data", "now"));

            assertThat(taken.isWhole()).isTrue();
            assertThat(taken.shape()).isEqualTo(GroupShape.of(SnapshotGroupsSubject.of("group-1", volumes)));
            assertThat(taken.snapshots())
                    .extracting(StoredSnapshot::source)
                    .containsExactlyInAnyOrderElementsOf(ids(volumes));
            assertThat(taken.snapshots()).extracting(StoredSnapshot::group).containsOnly(Optional.of(taken.id()));
            assertThat(taken.snapshots().stream()
                            .map(StoredSnapshot::created)
                            .distinct()
                            .toList())
                    .as("one instant")
                    .hasSize(1)
                    .doesNotContain(Instant.EPOCH);
            assertThat(groups(store).find(taken.id(), TestWork.patient())).contains(taken);
            assertThat(snapshots(store)).containsExactlyInAnyOrderElementsOf(taken.snapshots());
            for (StoredSnapshot snapshot : taken.snapshots()) {
                assertThat(role(store).find(snapshot.id(), TestWork.patient())).contains(snapshot);
                Failing.unlessUnsupported(() -> make(store, restoring(snapshot)))
                        .ifPresent(
                                restored -> assertThat(read(restored, "data")).contains("then"));
            }
        }
    }

    @Test
    default void taking_a_group_twice_takes_it_once_whatever_the_order_of_its_volumes() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b");
            StoredGroup first = group(store, "group-1", volumes);

            StoredGroup second = group(store, "group-1", volumes.reversed());

            assertThat(second).isEqualTo(first);
            assertThat(snapshots(store)).hasSize(2);
        }
    }

    @Test
    default void a_group_of_the_same_name_comes_back_untouched_and_says_that_it_differs() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b", "pvc-c");
            StoredGroup first = group(store, "group-1", volumes.subList(0, 2));

            StoredGroup others = group(store, "group-1", volumes.subList(1, 3));
            StoredGroup more = group(store, "group-1", volumes);
            var parameters = new GroupRequest(
                    new CsiName("group-1"), ids(volumes.subList(0, 2)), Map.of("csi.storage.k8s.io/x", "1", "y", "2"));

            assertThat(List.of(others, more)).containsOnly(first);
            assertThat(first.shape().difference(GroupShape.of(SnapshotGroupsSubject.of("group-1", volumes))))
                    .isPresent();
            assertThat(first.shape().difference(GroupShape.of(parameters))).isPresent();
            assertThat(snapshots(store)).hasSize(2);
        }
    }

    @Test
    default void a_missing_volume_is_refused_and_nothing_is_taken_of_the_others() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b");
            for (String missing : List.of("absent", "pvc-aa", "zz")) {
                List<NativeId> ids = List.of(
                        volumes.get(0).id(),
                        TestVolumes.id(missing),
                        volumes.get(1).id());
                var request = new GroupRequest(new CsiName("group-1"), ids, Map.of());

                Failing.with(
                        Failure.VolumeNotFound.class,
                        () -> groups(store).take(request, SnapshotSubject.MAX_ID, TestWork.patient()));

                assertThat(snapshots(store)).isEmpty();
            }
            HostileInput.ids().forEach(id -> {
                var request = new GroupRequest(
                        new CsiName("group-1"), List.of(volumes.get(0).id(), id), Map.of());
                Failing.with(
                        Failure.VolumeNotFound.class,
                        () -> groups(store).take(request, SnapshotSubject.MAX_ID, TestWork.patient()));
            });
            assertThat(snapshots(store)).isEmpty();
        }
    }

    @Test
    default void a_snapshot_of_a_group_is_not_deleted_alone() {
        try (VolumeStore store = store()) {
            StoredGroup taken = group(store, "group-1", volumes(store, "pvc-a", "pvc-b"));

            for (StoredSnapshot snapshot : taken.snapshots()) {
                Failing.with(Failure.GroupMember.class, () -> role(store).delete(snapshot.id(), TestWork.patient()));
            }

            assertThat(groups(store).find(taken.id(), TestWork.patient())).contains(taken);
        }
    }

    @Test
    default void a_deleted_group_is_gone_and_nothing_else_is() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b");
            volumes.forEach(volume -> write(volume, "data", "precious"));
            StoredGroup taken = group(store, "group-1", volumes);
            StoredGroup other = group(store, "group-10", volumes);
            StoredSnapshot alone = take(store, "snap-1", volumes.getFirst());

            groups(store).delete(taken.id(), TestWork.patient());
            groups(store).delete(taken.id(), TestWork.patient());

            assertThat(groups(store).find(taken.id(), TestWork.patient())).isEmpty();
            assertThat(groups(store).find(other.id(), TestWork.patient())).contains(other);
            assertThat(snapshots(store)).hasSize(3).contains(alone);
            assertThat(volumes)
                    .allSatisfy(volume -> assertThat(read(volume, "data")).contains("precious"));
            assertThat(group(store, "group-1", volumes.subList(0, 1)).snapshots())
                    .hasSize(1);
        }
    }

    @Test
    default void what_was_never_taken_is_not_found_and_deleting_a_group_of_it_is_no_error() {
        try (VolumeStore store = store()) {
            StoredSnapshot alone = take(store, "snap-1", make(store, TestVolumes.empty("pvc-a")));

            assertThat(groups(store).find(TestVolumes.id("absent"), TestWork.patient()))
                    .isEmpty();
            assertThat(groups(store).find(alone.id(), TestWork.patient())).isEmpty();
            groups(store).delete(TestVolumes.id("absent"), TestWork.patient());
            groups(store).delete(alone.id(), TestWork.patient());
            hostileIds().forEach(id -> {
                assertThat(groups(store).find(id, TestWork.patient())).isEmpty();
                groups(store).delete(id, TestWork.patient());
            });

            assertThat(snapshots(store)).containsExactly(alone);
        }
    }

    @Test
    default void groups_and_snapshots_have_names_of_their_own() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b");
            StoredGroup taken = group(store, "same", volumes);

            assertThat(role(store).findByName(new CsiName("same"), TestWork.patient()))
                    .isEmpty();
            Optional<StoredSnapshot> alone = Failing.orEmpty(() -> take(store, "same", volumes.getFirst()));

            alone.ifPresent(snapshot -> {
                assertThat(snapshot.group()).isEmpty();
                role(store).delete(snapshot.id(), TestWork.patient());
            });
            assertThat(snapshots(store)).containsExactlyInAnyOrderElementsOf(taken.snapshots());
        }
    }

    @Test
    default void a_group_is_there_after_a_restart() {
        StoredGroup taken;
        try (VolumeStore store = store()) {
            taken = group(store, "group-1", volumes(store, "pvc-a", "pvc-b"));
        }

        try (VolumeStore reopened = store()) {
            assertThat(groups(reopened).find(taken.id(), TestWork.patient())).contains(taken);
        }
    }
}
