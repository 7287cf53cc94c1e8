package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.ZfsHost;
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
import dev.fairlead.zfs.dataset.SnapshotName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pool that goes, or is replaced, after a script has looked at its parents and before its steps. */
class LostMidwayTest {
    private static final String MARK = "dev.fairlead:parent";

    private static final Map<String, String> KEYS = Map.of("datasetParentName", "tank/v");

    private final ZfsFixture fixture = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, KEYS);

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), TestVolumes.id(name)), TestWork.patient())
                .volume();
    }

    private void replace() {
        fixture.pool().export();
        fixture.pool().put("tank", "filesystem", Map.of());
        fixture.pool().put("tank/v", "filesystem", Map.of());
    }

    private void away(Runnable loss, Runnable call) {
        fixture.pool().beforeSteps(loss);
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.BackendUnavailable.class));
        fixture.pool().importAgain();
    }

    private void nothingIsMissed(VolumeStore store, Runnable loss) {
        StoredVolume volume = make(store, "pvc-1");
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        var request = new SnapshotRequest(new CsiName("snap-1"), volume.id(), Map.of());
        StoredSnapshot taken = snapshots.take(request, 100, TestWork.patient());

        away(loss, () -> store.find(volume.id(), TestWork.patient()));
        away(loss, () -> store.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        away(loss, () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        away(loss, () -> snapshots.find(taken.id(), TestWork.patient()));
        away(loss, () -> snapshots.delete(taken.id(), TestWork.patient()));
        away(loss, () -> store.note(volume.id(), Map.of("key", "value"), TestWork.patient()));

        assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
        assertThat(snapshots.find(taken.id(), TestWork.patient())).contains(taken);
    }

    @Test
    void nothing_is_missed_where_the_pool_is_exported() {
        try (VolumeStore store = fixture.open()) {
            nothingIsMissed(store, fixture.pool()::export);
        }
    }

    @Test
    void nothing_is_missed_where_the_pool_is_replaced() {
        try (VolumeStore store = fixture.open()) {
            nothingIsMissed(store, this::replace);
        }
    }

    @Test
    void nothing_is_missed_below_a_parent_that_has_a_mark() {
        fixture.pool().play(List.of("zfs", "set", MARK + "=west", "tank/v"));
        try (VolumeStore store = fixture.openMarked("west")) {
            nothingIsMissed(store, fixture.pool()::export);
            nothingIsMissed(store, this::replace);
        }
    }

    @Test
    void a_list_is_not_empty_where_the_parent_that_was_met_goes() {
        try (VolumeStore store = fixture.open()) {
            make(store, "pvc-1");

            away(fixture.pool()::export, () -> store.list(PageRequest.all(), TestWork.patient()));
            away(this::removeParent, () -> store.list(PageRequest.all(), TestWork.patient()));
        }
    }

    /** As one of a pool that has been made anew. */
    private void removeParent() {
        fixture.pool().export();
        fixture.pool().put("tank", "filesystem", Map.of());
    }

    @Test
    void what_one_call_has_met_is_no_proof_for_another_that_began_before_it() {
        StoredVolume volume;
        try (VolumeStore first = fixture.open()) {
            volume = make(first, "pvc-1");
        }
        try (VolumeStore store = fixture.open()) {
            fixture.pool().export();
            // The other call meets the parent, and the pool is away again before this one's steps.
            away(
                    () -> {
                        fixture.pool().importAgain();
                        assertThat(store.find(volume.id(), TestWork.patient())).contains(volume);
                        removeParent();
                    },
                    () -> store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient()));
        }
    }

    @Test
    void nor_is_it_where_the_other_has_met_another_parent() {
        fixture.pool().lie("guid", "7");
        try (VolumeStore store = fixture.open()) {
            away(
                    () -> {
                        fixture.pool().lie("guid", "8");
                        assertThat(store.find(TestVolumes.id("pvc-2"), TestWork.patient()))
                                .isEqualTo(Optional.empty());
                        fixture.pool().lie("guid", "7");
                    },
                    () -> store.delete(TestVolumes.id("pvc-1"), OnDependents.REFUSE, TestWork.patient()));
        }
    }

    @Test
    void what_cannot_be_removed_because_its_pool_is_away_is_not_removed() {
        try (VolumeStore store = fixture.open()) {
            make(store, "pvc-1");
        }
        fixture.pool().play(List.of("zfs", "snapshot", "tank/v/pvc-1@s"));
        SnapshotName snapshot = SnapshotName.of("tank/v/pvc-1@s").orElseThrow();
        ZfsHost host = fixture.pool().connection(ZfsFixture.settings(KEYS)).host();
        Runnable removing = () -> {
            Steps steps = new Steps()
                    .remove(host.zfs().destroy(snapshot, true), host.zfs().exists("tank/v/pvc-1@s"));
            assertThat(host.run("zfs destroy", "tank/v/pvc-1@s", steps, TestWork.patient())
                            .succeeded())
                    .isTrue();
        };

        away(fixture.pool()::export, removing);

        assertThat(fixture.pool().names()).contains("tank/v/pvc-1@s");
        removing.run();
        assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-1@s");
    }

    @Test
    void what_is_proved_absent_takes_one_round_trip() {
        try (VolumeStore store = fixture.open()) {
            StoredVolume volume = make(store, "pvc-1");
            store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
            int before = fixture.pool().roundTrips();

            store.delete(volume.id(), OnDependents.REFUSE, TestWork.patient());
            assertThat(store.find(volume.id(), TestWork.patient())).isEqualTo(Optional.empty());

            assertThat(fixture.pool().roundTrips() - before).isEqualTo(2);
        }
    }
}
