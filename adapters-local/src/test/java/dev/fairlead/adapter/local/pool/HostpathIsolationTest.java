package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bare names of volumes of kubevirt's hostpath-provisioner, which may be in any pool, while one of the pools is broken.
 */
class HostpathIsolationTest {
    private static final NativeId IN_GOOD = new NativeId("pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0001");
    private static final NativeId IN_BAD = new NativeId("pvc-0f0c3a4e-5d8e-4b0e-9e52-6a1b7f2f0002");

    @TempDir(factory = InMemory.class)
    Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(folder.resolve("good").resolve(IN_GOOD.value()));
        Files.createDirectories(folder.resolve("bad").resolve(IN_BAD.value()));
    }

    private Mapping pool(String name) {
        return PoolFixture.pool(name, folder.resolve(name), "directory", Map.of("hostpathProvisioner", "true"));
    }

    private void verifyIsolation(VolumeStore store) {
        assertThatThrownBy(() -> store.delete(IN_BAD, OnDependents.REFUSE, TestWork.patient()))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        assertThat(store.find(IN_GOOD, TestWork.patient())).isPresent();
        assertThat(store.advisorySize(IN_GOOD)).isTrue();
        store.delete(IN_GOOD, OnDependents.REFUSE, TestWork.patient());
        assertThat(folder.resolve("good").resolve(IN_GOOD.value())).doesNotExist();
    }

    @Test
    void a_disk_that_does_not_answer_holds_up_no_volume_of_another_pool() {
        PoolFixture fixture = new PoolFixture("existing");
        try (VolumeStore store = fixture.open(pool("bad"), pool("good"))) {
            fixture.hang(folder.resolve("bad"));

            verifyIsolation(store);
        }
        assertThat(folder.resolve("bad").resolve(IN_BAD.value())).isDirectory();
    }

    /** An answer that was lost is asked for again, also while another pool cannot say that it never had the volume. */
    @Test
    void a_disk_that_does_not_answer_fails_no_repeated_deletion_in_another_pool() {
        PoolFixture fixture = new PoolFixture("existing");
        try (VolumeStore store = fixture.open(pool("bad"), pool("good"))) {
            store.delete(IN_GOOD, OnDependents.REFUSE, TestWork.patient());
            fixture.hang(folder.resolve("bad"));

            assertThat(store.deletionCheck(IN_GOOD, OnDependents.REFUSE, TestWork.patient())
                            .volume())
                    .isEmpty();
            store.delete(IN_GOOD, OnDependents.REFUSE, TestWork.patient());
            assertThatThrownBy(() -> store.find(IN_BAD, TestWork.patient())).isInstanceOf(StorageException.class);
        }
    }

    @Test
    void a_folder_of_snapshots_that_is_away_fails_no_snapshot_of_another_pool() throws IOException {
        NativeId id = new NativeId("snapshot-1");
        Path snapshot = folder.resolve("taken-good").resolve(id.value());
        Files.createDirectories(snapshot.resolve("data"));
        Files.createDirectory(snapshot.resolve(IN_GOOD.value()));
        SnapshotPlaceTest.end(snapshot.resolve("data"));
        try (VolumeStore store = new PoolFixture("existing").open(snapshotted("bad"), snapshotted("good"))) {
            SnapshotStore snapshots = store.snapshots().orElseThrow();

            assertThat(snapshots.find(id, TestWork.patient())).isPresent();
            snapshots.delete(id, TestWork.patient());
            assertThat(snapshot).doesNotExist();
        }
    }

    /** What Fairlead took of its volumes lies in the pool, and its id does not say in which. */
    @Test
    void a_snapshot_does_not_count_as_gone_while_a_pool_is_away() throws IOException {
        try (VolumeStore store = new PoolFixture("existing").open(pool("legacy"), pool("bad"))) {
            Files.createDirectories(folder.resolve("legacy").resolve(IN_GOOD.value()));
            SnapshotStore snapshots = store.snapshots().orElseThrow();
            NativeId taken = snapshots
                    .take(new SnapshotRequest(new CsiName("snap-1"), IN_BAD, Map.of()), 120, TestWork.patient())
                    .id();
            Files.move(folder.resolve("bad"), folder.resolve("away"));
            Files.createDirectory(folder.resolve("bad"));

            Failing.with(Failure.BackendUnavailable.class, () -> snapshots.delete(taken, TestWork.patient()));

            Files.delete(folder.resolve("bad"));
            Files.move(folder.resolve("away"), folder.resolve("bad"));
            snapshots.delete(taken, TestWork.patient());
            snapshots.delete(taken, TestWork.patient());
            assertThat(snapshots.find(taken, TestWork.patient())).isEmpty();
        }
    }

    /** Its bare ids look like those of a pool called legacy, which need not be listed. */
    @Test
    void a_repeated_deletion_succeeds_where_no_pool_is_called_legacy() {
        try (VolumeStore store = new PoolFixture("existing").open(pool("good"))) {
            store.delete(IN_GOOD, OnDependents.REFUSE, TestWork.patient());
            store.delete(IN_GOOD, OnDependents.REFUSE, TestWork.patient());

            assertThat(store.deletionCheck(IN_GOOD, OnDependents.REFUSE, TestWork.patient())
                            .obstacles())
                    .isEmpty();
            assertThatThrownBy(() -> store.delete(IN_BAD, OnDependents.REFUSE, TestWork.patient()))
                    .isInstanceOf(StorageException.class);
        }
    }

    private Mapping snapshotted(String name) {
        return PoolFixture.pool(
                name,
                folder.resolve(name),
                "directory",
                Map.of("hostpathProvisioner", "true", "snapshotPath", folder.resolve("taken-" + name)));
    }
}
