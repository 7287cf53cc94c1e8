package dev.fairlead.testkit.contract.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.AmbiguousNames;
import dev.fairlead.testkit.Concurrently;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.SnapshotSubject;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Snapshots under hostile names, cut calls and callers at the same time. */
public interface SnapshotAdversityContract extends SnapshotSubject {
    @Test
    default void hostile_ids_are_no_snapshots_and_change_nothing() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            write(source, "data", "precious");
            StoredSnapshot taken = take(store, "snap-1", source);

            hostileIds().forEach(id -> {
                assertThat(role(store).find(id, TestWork.patient()))
                        .as("find %s", id)
                        .isEmpty();
                role(store).delete(id, TestWork.patient());
                SnapshotRequest request = new SnapshotRequest(new CsiName("snap-2"), id, Map.of());
                Failing.with(
                        Failure.VolumeNotFound.class,
                        () -> role(store).take(request, SnapshotSubject.MAX_ID, TestWork.patient()));
            });

            assertThat(snapshots(store)).containsExactly(taken);
            assertThat(volumes(store)).containsExactly(source);
            assertThat(read(source, "data")).contains("precious");
        }
    }

    @Test
    default void a_snapshot_of_any_name_is_found_by_exactly_that_name() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));

            List<CsiName> names = HostileInput.names()
                    .limit(300)
                    .filter(name -> AmbiguousNames.unlessTorn(name, () -> take(store, name.value(), source))
                            .isPresent())
                    .toList();
            names.forEach(name -> {
                StoredSnapshot taken = take(store, name.value(), source);
                assertThat(taken.name()).contains(name);
                assertThat(taken.id().value()).hasSizeLessThanOrEqualTo(SnapshotSubject.MAX_ID);
                assertThat(role(store).findByName(name, TestWork.patient()))
                        .as("found by %s", name)
                        .contains(taken);
            });

            assertThat(snapshots(store)).hasSameSizeAs(names);
        }
    }

    @Test
    default void hostile_parameters_of_a_snapshot_are_refused_with_nothing_made_or_do_no_harm() {
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));

            HostileInput.texts().limit(200).forEach(text -> {
                Map<String, String> parameters = Map.of("parameter", text, text, "value");
                SnapshotRequest request = new SnapshotRequest(new CsiName("snap-1"), source.id(), parameters);
                Optional<StoredSnapshot> taken = Failing.unlessUnsupported(
                        () -> role(store).take(request, SnapshotSubject.MAX_ID, TestWork.patient()));
                assertThat(snapshots(store)).hasSize(taken.isPresent() ? 1 : 0);
                taken.ifPresent(made -> role(store).delete(made.id(), TestWork.patient()));
            });
        }
    }

    @Test
    default void taking_that_was_cut_anywhere_is_whole_or_absent_and_a_retry_succeeds() {
        CsiName name = new CsiName("snap-1");
        try (VolumeStore store = store()) {
            StoredVolume source = make(store, TestVolumes.empty("pvc-a"));
            write(source, "data", "precious");
            boolean cut = true;
            for (int effects = 0; cut; effects++) {
                TestWork work = TestWork.patient().cancelledAfter(effects);
                SnapshotRequest request = TestVolumes.snapshot("snap-1", source);

                cut = !Failing.works(() -> role(store).take(request, SnapshotSubject.MAX_ID, work));

                Optional<StoredSnapshot> left = role(store).findByName(name, TestWork.patient());
                assertThat(snapshots(store)).hasSize(left.isPresent() ? 1 : 0);
                StoredSnapshot taken = take(store, "snap-1", source);
                assertThat(snapshots(store)).containsExactly(taken);
                holds(store, taken, "precious");
                cutDeletion(store, taken, effects);
                assertThat(effects).isLessThan(1000);
            }
        }
    }

    private void cutDeletion(VolumeStore store, StoredSnapshot taken, int effects) {
        Failing.works(() -> role(store).delete(taken.id(), TestWork.patient().cancelledAfter(effects)));
        role(store).find(taken.id(), TestWork.patient()).ifPresent(left -> holds(store, left, "precious"));
        role(store).delete(taken.id(), TestWork.patient());
        assertThat(snapshots(store)).isEmpty();
    }

    private void holds(VolumeStore store, StoredSnapshot snapshot, String data) {
        Failing.unlessUnsupported(() -> make(store, TestVolumes.fromSnapshot("pvc-restored", snapshot.id())))
                .ifPresent(restored -> {
                    assertThat(read(restored, "data")).contains(data);
                    store.delete(restored.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
                });
    }

    @Test
    default void snapshots_taken_at_once_are_all_there() {
        try (VolumeStore one = store();
                VolumeStore two = store()) {
            StoredVolume source = make(one, TestVolumes.empty("pvc-a"));

            Concurrently.run(List.of(
                    () -> take(one, "snap-1", source),
                    () -> take(one, "snap-2", source),
                    () -> take(two, "snap-3", source)));
            var outcomes = Concurrently.outcomes(
                    List.of(() -> take(one, "snap-4", source), () -> take(two, "snap-4", source)));

            assertThat(outcomes).allSatisfy(thrown -> {
                if (thrown != null) {
                    assertThat(thrown).isInstanceOf(StorageException.class);
                }
            });
            take(one, "snap-4", source);
            assertThat(snapshots(two)).hasSize(4);
        }
    }
}
