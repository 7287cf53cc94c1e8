package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What lies in a pool that is not imported is out of reach, not gone: ZFS says the same of both. */
class ExportedPoolTest {
    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();
    private final SnapshotStore snapshots = store.snapshots().orElseThrow();

    private StoredVolume make(String name) {
        return store.create(store.plan(TestVolumes.empty(name), TestVolumes.id(name)), TestWork.patient())
                .volume();
    }

    private static void unreachable(Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.BackendUnavailable.class))
                .hasMessageContaining("there is no pool 'tank'");
    }

    @Test
    void a_volume_is_neither_missing_nor_deleted() {
        StoredVolume volume = make("pvc-1");
        fixture.pool().export();

        unreachable(() -> store.find(volume.id(), TestWork.patient()));
        unreachable(() -> store.list(PageRequest.all(), TestWork.patient()));
        unreachable(() -> store.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        unreachable(() -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        unreachable(() -> store.delete(volume.id(), OnDependents.DEFER, TestWork.patient()));
        unreachable(() -> store.expand(volume.id(), TestVolumes.atLeast(TestVolumes.SIZE), TestWork.patient()));
        unreachable(() -> make("pvc-2"));
        fixture.pool().importAgain();

        assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
        store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
        assertThat(fixture.pool().names()).noneMatch(name -> name.contains("pvc-"));
    }

    @Test
    void a_snapshot_is_neither_missing_nor_deleted() {
        StoredVolume volume = make("pvc-1");
        var request = new SnapshotRequest(new CsiName("snap-1"), volume.id(), Map.of());
        StoredSnapshot taken = snapshots.take(request, 100, TestWork.patient());
        fixture.pool().export();

        unreachable(() -> snapshots.find(taken.id(), TestWork.patient()));
        unreachable(() -> snapshots.findByName(request.name(), TestWork.patient()));
        unreachable(() -> snapshots.list(Optional.empty(), PageRequest.all(), TestWork.patient()));
        unreachable(() -> snapshots.delete(taken.id(), TestWork.patient()));
        unreachable(() -> snapshots.take(
                new SnapshotRequest(new CsiName("snap-2"), volume.id(), Map.of()), 100, TestWork.patient()));
        fixture.pool().importAgain();

        assertThat(snapshots.find(taken.id(), TestWork.patient())).contains(taken);
    }
}
