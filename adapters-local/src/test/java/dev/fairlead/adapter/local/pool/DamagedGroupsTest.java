package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.crash.InterferedWork;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tries groups of snapshots whose records are damaged, gone or another's, and pools that are unused or not listed. */
final class DamagedGroupsTest {
    private static final CsiName NAME = new CsiName("group-1");

    @TempDir(factory = InMemory.class)
    Path folder;

    private PlayedDatasets datasets = PlayedDatasets.NONE;

    @BeforeEach
    void prepare() {
        datasets = new PlayedDatasets(folder);
    }

    /** Returns a store of a process that has just started. */
    private VolumeStore open(String baseFolder, String... pools) {
        return new PoolFixture(baseFolder, datasets)
                .open(Stream.of(pools)
                        .map(pool -> PoolFixture.pool(pool, folder.resolve(pool), "zfs"))
                        .toArray(Mapping[]::new));
    }

    private static void make(VolumeStore store, String pool, String name) {
        CreateRequest plain = TestVolumes.with(name, Content.EMPTY);
        CreateRequest request = new CreateRequest(
                plain.name(), plain.capacity(), plain.capabilities(), Map.of("storagePool", pool), Content.EMPTY);
        store.create(store.plan(request, new NativeId(name)), TestWork.patient());
    }

    private VolumeStore withVolumes(String... pools) {
        VolumeStore store = open("create", pools);
        for (String pool : pools) {
            make(store, pool, "pvc-a");
            make(store, pool, "pvc-b");
        }
        return store;
    }

    private static SnapshotStore snapshots(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static SnapshotGroups groups(VolumeStore store) {
        return snapshots(store).groups().orElseThrow();
    }

    private static StoredGroup take(VolumeStore store, String pool) {
        List<NativeId> sources = List.of(new NativeId(pool + "/pvc-a"), new NativeId(pool + "/pvc-b"));
        return groups(store).take(new GroupRequest(NAME, sources, Map.of()), 100, TestWork.patient());
    }

    private static List<StoredSnapshot> listed(VolumeStore store) {
        return snapshots(store)
                .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                .items();
    }

    private static void unavailable(ThrowingCallable call, String words) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StorageException.class, e -> {
            assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class);
            assertThat(e.failure().message()).contains(words);
        });
    }

    private Path state(String pool) {
        return folder.resolve(pool).resolve(".fairlead");
    }

    @Test
    void a_pool_that_nothing_was_ever_made_in_keeps_no_group_from_another_one() throws IOException {
        Files.createDirectories(folder.resolve("fast"));
        Files.createDirectories(folder.resolve("slow"));
        VolumeStore store = open("existing", "fast", "slow");
        make(store, "fast", "pvc-a");
        make(store, "fast", "pvc-b");

        StoredGroup taken = take(store, "fast");

        assertThat(taken.isWhole()).isTrue();
        groups(store).delete(taken.id(), TestWork.patient());
        groups(store).delete(taken.id(), TestWork.patient());
        assertThat(groups(store).find(taken.id(), TestWork.patient())).isEmpty();
    }

    @Test
    void a_group_of_a_pool_that_is_not_listed_is_not_deleted() {
        StoredGroup taken = take(withVolumes("fast", "slow"), "fast");
        VolumeStore slow = open("create", "slow");

        unavailable(() -> groups(slow).delete(taken.id(), TestWork.patient()), "pool 'fast'");
        assertThat(groups(open("create", "fast", "slow")).find(taken.id(), TestWork.patient()))
                .contains(taken);
    }

    @Test
    void two_pools_may_each_have_a_group_of_one_name() {
        VolumeStore _ = withVolumes("fast", "slow");
        StoredGroup slow = take(open("create", "slow"), "slow");
        StoredGroup fast = take(open("create", "fast"), "fast");
        VolumeStore both = open("create", "fast", "slow");

        groups(both).delete(slow.id(), TestWork.patient());

        assertThat(groups(both).find(slow.id(), TestWork.patient())).isEmpty();
        assertThat(groups(both).find(fast.id(), TestWork.patient())).contains(fast);
    }

    @Test
    void a_group_that_disappeared_in_a_deletion_that_was_cut_is_deleted_by_the_next_one() throws IOException {
        boolean cut = true;
        for (int effect = 1; cut; effect++) {
            datasets = new PlayedDatasets(folder);
            VolumeStore store = withVolumes("pool-" + effect);
            StoredGroup taken = take(store, "pool-" + effect);
            InterferedWork work = InterferedWork.at(effect, Interference.TIMEOUT_WITHOUT_EFFECT);
            try {
                groups(store).delete(taken.id(), work);
            } catch (StorageException _) {
                assertThat(work.reached()).isTrue();
            }
            cut = work.reached();

            groups(store).delete(taken.id(), TestWork.patient());

            assertThat(state("pool-" + effect).resolve("groups")).isEmptyDirectory();
            assertThat(state("pool-" + effect).resolve("snapshots")).isEmptyDirectory();
        }
    }

    @Test
    void of_a_group_whose_record_is_torn_nothing_is_said_to_be_gone() throws IOException {
        VolumeStore store = withVolumes("fast");
        StoredGroup taken = take(store, "fast");
        NativeId member = taken.snapshots().getFirst().id();
        Path record = state("fast").resolve("groups/group-1.json");
        String text = Files.readString(record);
        Files.writeString(record, "{");

        unavailable(() -> snapshots(store).delete(member, TestWork.patient()), "restore it");
        unavailable(() -> snapshots(store).find(member, TestWork.patient()), "restore it");
        unavailable(() -> groups(store).delete(taken.id(), TestWork.patient()), "restore it");
        unavailable(() -> take(store, "fast"), "restore it");
        assertThat(listed(store)).isEmpty();

        make(store, "fast", "pvc-c");
        Files.writeString(record, text);
        assertThat(take(store, "fast")).isEqualTo(taken);
        assertThat(listed(store)).containsExactlyElementsOf(taken.snapshots());
    }

    @Test
    void of_a_group_with_a_snapshot_whose_record_is_torn_nothing_is_said_to_be_anothers() throws IOException {
        VolumeStore store = withVolumes("fast");
        StoredGroup taken = take(store, "fast");
        Path record = state("fast").resolve("snapshots/pvc-a-group-1.json");
        String text = Files.readString(record);
        Files.writeString(record, "{");

        NativeId member = taken.snapshots().getFirst().id();
        unavailable(() -> groups(store).find(taken.id(), TestWork.patient()), "restore it");
        unavailable(() -> take(store, "fast"), "restore it");
        unavailable(() -> snapshots(store).find(member, TestWork.patient()), "restore it");
        unavailable(() -> snapshots(store).delete(member, TestWork.patient()), "restore it");
        assertThat(listed(store)).containsExactly(taken.snapshots().getLast());

        Files.writeString(record, text);
        assertThat(take(store, "fast")).isEqualTo(taken);
    }

    @Test
    void groups_whose_folder_is_gone_are_not_taken_for_deleted() throws IOException {
        StoredGroup taken = take(withVolumes("fast"), "fast");
        NativeId member = taken.snapshots().getFirst().id();
        Path aside = folder.resolve("aside");
        Files.move(state("fast").resolve("groups"), aside);
        VolumeStore next = open("create", "fast");
        make(next, "fast", "pvc-c");

        unavailable(() -> groups(next).delete(taken.id(), TestWork.patient()), "restore it");
        unavailable(() -> groups(next).find(taken.id(), TestWork.patient()), "restore it");
        unavailable(() -> snapshots(next).delete(member, TestWork.patient()), "restore it");
        assertThat(listed(next)).isEmpty();

        Files.move(aside, state("fast").resolve("groups"));
        assertThat(groups(next).find(taken.id(), TestWork.patient())).contains(taken);
    }

    @Test
    void a_group_of_a_base_that_has_lost_a_folder_of_its_own_is_deleted_all_the_same() throws IOException {
        StoredGroup taken = take(withVolumes("fast"), "fast");
        Files.delete(state("fast").resolve("partial"));
        VolumeStore next = open("create", "fast");

        groups(next).delete(taken.id(), TestWork.patient());

        assertThat(groups(next).find(taken.id(), TestWork.patient())).isEmpty();
        assertThat(listed(next)).isEmpty();
        assertThat(state("fast").resolve("snapshots")).isEmptyDirectory();
    }

    @Test
    void what_a_dead_process_left_of_a_group_is_in_nobodys_way() throws IOException {
        VolumeStore store = withVolumes("fast");
        StoredGroup _ = take(store, "fast");
        Files.delete(state("fast").resolve("groups/group-1.json"));

        StoredGroup again = take(store, "fast");

        assertThat(again.snapshots())
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("fast/pvc-a-group-1", "fast/pvc-b-group-1");
        assertThat(listed(store)).containsExactlyElementsOf(again.snapshots());
    }

    @Test
    void a_link_in_place_of_the_folder_of_groups_is_not_followed() throws IOException {
        VolumeStore store = withVolumes("fast");
        Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
        Files.createSymbolicLink(state("fast").resolve("groups"), elsewhere);

        unavailable(() -> take(store, "fast"), "no folder");

        assertThat(elsewhere).isEmptyDirectory();
        assertThat(listed(store)).isEmpty();
    }

    @Test
    void a_record_that_cannot_be_read_holds_up_no_volume() throws IOException {
        StoredGroup _ = take(withVolumes("fast"), "fast");
        Files.createSymbolicLink(state("fast").resolve("snapshots/x.json"), folder.resolve("nowhere"));
        VolumeStore next = open("create", "fast");

        next.delete(new NativeId("fast/pvc-a"), OnDependents.REFUSE, TestWork.patient());
        make(next, "fast", "pvc-c");

        assertThat(folder.resolve("fast/v/pvc-a")).doesNotExist();
    }
}
