package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pool that was made anew under its name is no proof that anything is gone. */
class ReplacedPoolTest {
    private static final Map<String, String> KEYS = Map.of("datasetParentName", "tank/v");
    private static final String MARK = "dev.fairlead:parent";

    private final ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, KEYS);

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), TestVolumes.id(name)), TestWork.patient())
                .volume();
    }

    /** As {@code zpool create} makes one, without the dataset that volumes lie below. */
    private void replacePool() {
        fixture.pool().export();
        fixture.pool().put("tank", "filesystem", Map.of());
    }

    private static void unreachable(String words, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining(words);
    }

    @Test
    void a_process_that_has_met_the_parent_neither_misses_what_was_there_nor_makes_the_parent_anew() {
        try (VolumeStore store = fixture.open()) {
            StoredVolume volume = make(store, "pvc-1");
            replacePool();

            String words = "is not the dataset that was met before";
            unreachable(words, () -> store.find(volume.id(), TestWork.patient()));
            unreachable(words, () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
            unreachable(words, () -> store.list(PageRequest.all(), TestWork.patient()));
            unreachable(words, () -> store.room(Map.of(), TestWork.patient()));
            unreachable(words, () -> make(store, "pvc-1"));
            unreachable(words, () -> make(store, "pvc-2"));
            assertThat(fixture.pool().names()).containsExactly("tank");
        }
    }

    @Test
    void a_process_that_starts_beside_a_pool_without_the_parent_takes_no_volume_for_gone() {
        StoredVolume volume;
        StoredSnapshot snapshot;
        try (VolumeStore store = fixture.open()) {
            volume = make(store, "pvc-1");
            snapshot = store.snapshots()
                    .orElseThrow()
                    .take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());
        }
        replacePool();

        try (VolumeStore store = fixture.open()) {
            SnapshotStore snapshots = store.snapshots().orElseThrow();
            String words = "cannot be told: the dataset tank/v above it does not exist";
            unreachable(words, () -> store.find(volume.id(), TestWork.patient()));
            unreachable(words, () -> store.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient()));
            unreachable(words, () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
            unreachable(words, () -> snapshots.find(snapshot.id(), TestWork.patient()));
            unreachable(words, () -> snapshots.delete(snapshot.id(), TestWork.patient()));
            unreachable(
                    words,
                    () -> store.create(
                            store.plan(TestVolumes.fromSnapshot("pvc-2", snapshot.id()), TestVolumes.id("pvc-2")),
                            TestWork.patient()));
            assertThat(fixture.pool().names()).containsExactly("tank");

            assertThat(store.existing(
                            store.plan(TestVolumes.empty("pvc-3"), TestVolumes.id("pvc-3")), TestWork.patient()))
                    .isEqualTo(Optional.empty());
            assertThat(make(store, "pvc-3").id().value()).isEqualTo("pvc-3");
            store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
        }
    }

    @Test
    void a_parent_without_the_mark_is_never_used_made_or_believed_by_any_process() {
        fixture.pool().play(List.of("zfs", "set", MARK + "=west", "tank/v"));
        StoredVolume volume;
        try (VolumeStore store = fixture.openMarked("west")) {
            volume = make(store, "pvc-1");
        }
        replacePool();

        try (VolumeStore store = fixture.openMarked("west")) {
            for (int turn = 0; turn < 2; turn++) {
                String words = "fairlead.parentMark asks for";
                unreachable(words, () -> store.find(volume.id(), TestWork.patient()));
                unreachable(words, () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
                unreachable(words, () -> store.list(PageRequest.all(), TestWork.patient()));
                unreachable(words, () -> make(store, "pvc-2"));
                fixture.pool().put("tank/v", "filesystem", Map.of()); // as somebody makes it by hand
            }
            assertThat(fixture.pool().names()).containsExactly("tank", "tank/v");

            fixture.pool().play(List.of("zfs", "set", MARK + "=west", "tank/v"));
            assertThat(store.find(volume.id(), TestWork.patient())).isEqualTo(Optional.empty());
            make(store, "pvc-2");
        }
    }

    @Test
    void what_is_to_be_known_of_the_parent_takes_no_round_trip_of_its_own() {
        try (VolumeStore store = fixture.open()) {
            StoredVolume volume = make(store, "pvc-1");
            assertThat(fixture.pool().roundTrips()).isEqualTo(1);
            store.find(volume.id(), TestWork.patient());
            store.find(TestVolumes.id("pvc-none"), TestWork.patient());
            assertThat(fixture.pool().roundTrips()).isEqualTo(3);
        }
    }

    @Test
    void a_group_below_a_parent_that_is_missing_is_not_taken_for_deleted() {
        NativeId group;
        try (VolumeStore store = fixture.open()) {
            StoredVolume volume = make(store, "pvc-1");
            group = groups(store)
                    .take(
                            new GroupRequest(new CsiName("group-1"), List.of(volume.id()), Map.of()),
                            100,
                            TestWork.patient())
                    .id();
        }
        fixture.pool().export();
        fixture.pool().put("tank", "filesystem", Map.of());
        try (VolumeStore store = fixture.open()) {
            unreachable("cannot be told", () -> groups(store).find(group, TestWork.patient()));
            unreachable("cannot be told", () -> groups(store).delete(group, TestWork.patient()));
        }
    }

    private static SnapshotGroups groups(VolumeStore store) {
        return store.snapshots().flatMap(SnapshotStore::groups).orElseThrow();
    }
}
