package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.crash.InterferedWork;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a call on a group of snapshots leaves that nobody repeats, and what a pool has room for. */
class CutGroupsTest {
    private static final CsiName NAME = new CsiName("group-1");

    @TempDir(factory = InMemory.class)
    Path folder;

    private PlayedDatasets datasets = PlayedDatasets.NONE;

    @BeforeEach
    void prepare() {
        datasets = new PlayedDatasets(folder);
    }

    private VolumeStore open() {
        return new PoolFixture("create", datasets).open(PoolFixture.pool("legacy", folder.resolve("pool"), "zfs"));
    }

    private static StoredVolume make(VolumeStore store, String name) {
        NativeId id = new NativeId(name);
        return store.create(store.plan(TestVolumes.empty(name), id), TestWork.patient())
                .volume();
    }

    private static SnapshotStore snapshots(VolumeStore store) {
        return store.snapshots().orElseThrow();
    }

    private static SnapshotGroups groups(VolumeStore store) {
        return snapshots(store).groups().orElseThrow();
    }

    private static StoredGroup take(VolumeStore store, Work work) {
        var request = new GroupRequest(NAME, List.of(new NativeId("pvc-a"), new NativeId("pvc-b")), Map.of());
        return groups(store).take(request, 100, work);
    }

    private static List<StoredSnapshot> listed(VolumeStore store) {
        return snapshots(store)
                .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                .items();
    }

    /** Makes the world anew: two volumes, and a group of them if it is wanted. */
    private void begin(boolean taken) throws IOException {
        if (Files.exists(folder.resolve("pool"))) {
            TreeDelete.delete(folder.resolve("pool"));
        }
        datasets.keep(Set.of());
        try (VolumeStore store = open()) {
            make(store, "pvc-a");
            make(store, "pvc-b");
            if (taken) {
                take(store, TestWork.patient());
            }
        }
    }

    /** Returns how many datasets there are, without the snapshots that go with them. */
    private long made() {
        return datasets.names().stream().filter(name -> !name.contains("@")).count();
    }

    @Test
    void whatever_a_dead_process_left_of_a_group_is_gone_after_the_next_change_in_the_pool() throws IOException {
        for (boolean deletion : List.of(false, true)) {
            boolean dead = true;
            for (int effect = 1; dead; effect++) {
                begin(deletion);
                InterferedWork work = InterferedWork.at(effect, Interference.DEATH_AFTER);
                VolumeStore first = open();
                try {
                    if (deletion) {
                        groups(first).delete(new NativeId(NAME.value()), work);
                    } else {
                        take(first, work);
                    }
                } catch (Throwable _) {
                    assertThat(work.reached()).isTrue();
                }
                dead = work.reached();

                try (VolumeStore next = open()) {
                    make(next, "pvc-z");

                    int there = listed(next).size();
                    assertThat(there).as("effect %s", effect).isIn(0, 2);
                    assertThat(made()).as("effect %s", effect).isEqualTo(3 + there);
                    assertThat(groups(next).findByName(NAME, 100, TestWork.patient()))
                            .as("effect %s", effect)
                            .matches(group -> group.isPresent() == (there == 2));
                }
                assertThat(effect).isLessThan(100);
            }
        }
    }

    @Test
    void what_is_hidden_is_nowhere_to_be_found_and_deletes_nothing() throws IOException {
        begin(true);
        Path record = folder.resolve("pool/.fairlead/groups/group-1.json");
        Path aside = folder.resolve("aside");
        try (VolumeStore store = open()) {
            StoredSnapshot one = listed(store).getFirst();
            Files.move(record, aside);

            assertThat(listed(store)).isEmpty();
            assertThat(snapshots(store).find(one.id(), TestWork.patient())).isEmpty();
            assertThat(snapshots(store).findByName(NAME, TestWork.patient())).isEmpty();
            assertThatThrownBy(() -> store.create(
                            store.plan(TestVolumes.fromSnapshot("pvc-r", one.id()), new NativeId("pvc-r")),
                            TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.SnapshotNotFound.class));
            snapshots(store).delete(one.id(), TestWork.patient());

            Files.move(aside, record);
            assertThat(listed(store)).hasSize(2).contains(one);
        }
    }

    /** The pool's own dataset was rolled back to a moment at which the group was being taken. */
    @Test
    void what_was_complete_after_a_rollback_is_not_destroyed() throws IOException {
        begin(true);
        long before = made();
        Files.delete(folder.resolve("pool/.fairlead/groups/group-1.json"));

        try (VolumeStore store = open()) {
            make(store, "pvc-z");

            assertThat(listed(store)).isEmpty();
            assertThat(made()).isEqualTo(before + 1);
            assertThat(store.busy()).isTrue(); // it is tried again, and told
        }
    }

    @Test
    void a_record_that_makes_no_sense_takes_nothing_away() throws IOException {
        begin(true);
        Path record = folder.resolve("pool/.fairlead/groups/group-1.json");
        String text = Files.readString(record);
        Files.writeString(record, "{");

        try (VolumeStore store = open()) {
            make(store, "pvc-z");
            assertThat(listed(store)).isEmpty();
            assertThatThrownBy(() -> take(store, TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));

            Files.writeString(record, text);
            assertThat(take(store, TestWork.patient()).isWhole()).isTrue();
            assertThat(made()).isEqualTo(5);
        }
    }

    @Test
    void all_of_a_group_is_promised_before_any_of_it_is_made() throws IOException {
        begin(false);
        Set<String> volumes = new HashSet<>(datasets.names());
        volumes.forEach(dataset -> datasets.write(dataset, 600L << 20)); // of 1 GiB that the pool has

        try (VolumeStore store = open()) {
            assertThatThrownBy(() -> take(store, TestWork.patient()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.failure()).isInstanceOf(Failure.OutOfSpace.class));
            assertThat(datasets.names()).isEqualTo(volumes);
            assertThat(listed(store)).isEmpty();

            var alone = new SnapshotRequest(new CsiName("alone"), new NativeId("pvc-a"), Map.of());
            assertThat(snapshots(store).take(alone, 100, TestWork.patient()).source())
                    .isEqualTo(new NativeId("pvc-a"));
        }
    }
}
