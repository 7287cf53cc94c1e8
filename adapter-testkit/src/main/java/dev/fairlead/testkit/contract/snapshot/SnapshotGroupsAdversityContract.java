package dev.fairlead.testkit.contract.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.AmbiguousNames;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests groups of snapshots under hostile names, cut calls and callers at the same time. */
public interface SnapshotGroupsAdversityContract extends SnapshotGroupsSubject {
    @Test
    default void a_group_of_any_name_is_found_by_the_id_of_exactly_that_name() {
        String stem = "group-" + "x".repeat(121);
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-0a1b2c3d-4e5f-6789-abcd-ef0123456789", "b");
            List<CsiName> names = HostileInput.names()
                    .limit(50)
                    .filter(name -> AmbiguousNames.unlessTorn(name, () -> group(store, name.value(), volumes))
                            .isPresent())
                    .toList();

            List.of(new CsiName(stem + "1"), new CsiName(stem + "2"))
                    .forEach(name -> holds(store, group(store, name.value(), volumes), name));
            names.forEach(name -> holds(store, group(store, name.value(), volumes), name));

            assertThat(snapshots(store)).hasSize(2 * (names.size() + 2));
        }
    }

    private void holds(VolumeStore store, StoredGroup taken, CsiName name) {
        assertThat(taken.isWhole()).isTrue();
        assertThat(groups(store).findByName(name, MAX_ID, TestWork.patient())).contains(taken);
        assertThat(taken.id().value()).hasSizeLessThanOrEqualTo(MAX_ID);
        assertThat(taken.snapshots())
                .allSatisfy(snapshot -> assertThat(snapshot.id().value()).hasSizeLessThanOrEqualTo(MAX_ID));
        assertThat(groups(store).find(taken.id(), TestWork.patient())).contains(taken);
    }

    @Test
    default void hostile_parameters_of_a_group_are_refused_with_nothing_made_or_do_no_harm() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b");

            HostileInput.texts().limit(100).forEach(text -> {
                Map<String, String> parameters = Map.of("parameter", text, text, "value");
                var request = new GroupRequest(new CsiName("group-1"), ids(volumes), parameters);
                Optional<StoredGroup> taken =
                        Failing.unlessUnsupported(() -> groups(store).take(request, MAX_ID, TestWork.patient()));
                assertThat(snapshots(store)).hasSize(taken.isPresent() ? 2 : 0);
                taken.ifPresent(made -> groups(store).delete(made.id(), TestWork.patient()));
            });
        }
    }

    @Test
    default void a_group_that_was_cut_anywhere_is_all_or_nothing_and_a_retry_succeeds() {
        try (VolumeStore store = store()) {
            List<StoredVolume> volumes = volumes(store, "pvc-a", "pvc-b", "pvc-c");
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                TestWork work = TestWork.patient().cancelledAfter(effects);

                cut = !Failing.works(
                        () -> groups(store).take(SnapshotGroupsSubject.of("group-1", volumes), MAX_ID, work));

                assertThat(snapshots(store).size()).as("all or nothing").isIn(0, 3);
                StoredGroup taken = group(store, "group-1", volumes);
                assertThat(taken.isWhole()).isTrue();
                cutDeletion(store, taken, effects);
                assertThat(effects).isLessThan(1000);
            }
        }
    }

    /**
     * Cuts a deletion after so many effects, checks that a group that is deleted half-way is not whole, and deletes the
     * rest by the next call.
     */
    private void cutDeletion(VolumeStore store, StoredGroup taken, int effects) {
        Failing.works(() -> groups(store).delete(taken.id(), TestWork.patient().cancelledAfter(effects)));
        groups(store)
                .find(taken.id(), TestWork.patient())
                .ifPresent(left ->
                        assertThat(left.isWhole()).isEqualTo(left.snapshots().size() == 3));
        groups(store).delete(taken.id(), TestWork.patient());
        assertThat(snapshots(store)).isEmpty();
    }

    @Test
    default void groups_taken_at_once_are_all_there_and_one_name_is_one_group() {
        try (VolumeStore one = store();
                VolumeStore two = store()) {
            List<StoredVolume> volumes = volumes(one, "pvc-a", "pvc-b");

            Concurrently.run(List.of(
                    () -> group(one, "group-1", volumes),
                    () -> group(one, "group-2", volumes),
                    () -> group(two, "group-3", volumes)));
            var outcomes = Concurrently.outcomes(
                    List.of(() -> group(one, "group-4", volumes), () -> group(two, "group-4", volumes)));

            assertThat(outcomes).allSatisfy(thrown -> {
                if (thrown != null) {
                    assertThat(thrown).isInstanceOf(StorageException.class);
                }
            });
            assertThat(group(one, "group-4", volumes).isWhole()).isTrue();
            assertThat(snapshots(two)).hasSize(8);
        }
    }
}
