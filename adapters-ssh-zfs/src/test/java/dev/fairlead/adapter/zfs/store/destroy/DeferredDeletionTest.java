package dev.fairlead.adapter.zfs.store.destroy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.zfs.store.ZfsFixture;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.InterferedWork;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.crash.ProcessDied;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A volume that is deleted while clones hang on it is gone for its users, and goes from the pool with the last of them.
 */
class DeferredDeletionTest {
    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();
    private int deaths;

    @Test
    void it_is_gone_at_once_and_its_name_is_free() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredVolume clone = make(TestVolumes.fromVolume("pvc-2", source.id()));

        defer(source.id());

        assertThat(store.find(source.id(), TestWork.patient())).isEmpty();
        assertThat(store.list(PageRequest.all(), TestWork.patient()).items()).containsExactly(clone);
        assertThat(make(TestVolumes.empty("pvc-1")).notes()).isEqualTo(source.notes());
    }

    @Test
    void what_was_put_aside_has_no_mark_that_the_peer_would_list() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        make(TestVolumes.fromVolume("pvc-2", source.id()));

        defer(source.id());

        assertThat(fixture.pool().own(hidden("pvc-1"))).containsEntry("democratic-csi:managed_resource", "false");
    }

    @Test
    void it_goes_with_the_last_of_its_clones_and_so_does_what_it_was_a_clone_of() {
        StoredVolume first = make(TestVolumes.empty("pvc-1"));
        StoredVolume second = make(TestVolumes.fromVolume("pvc-2", first.id()));
        StoredVolume third = make(TestVolumes.fromVolume("pvc-3", second.id()));
        StoredVolume fourth = make(TestVolumes.fromVolume("pvc-4", second.id()));
        defer(first.id());
        defer(second.id());

        defer(third.id());

        assertThat(fixture.pool().names()).contains(hidden("pvc-1"), hidden("pvc-2"));
        store.delete(fourth.id(), OnDependents.REFUSE, TestWork.patient());
        fixture.verifyEmpty();
    }

    @Test
    void one_whose_name_is_long_is_put_aside_with_its_snapshots() {
        StoredVolume source = make(TestVolumes.empty("v".repeat(120)));
        StoredVolume clone = make(TestVolumes.fromVolume("w".repeat(90), source.id()));

        defer(source.id());

        assertThat(store.find(source.id(), TestWork.patient())).isEmpty();
        assertThat(store.find(clone.id(), TestWork.patient())).contains(clone);
        defer(clone.id());
        fixture.verifyEmpty();
    }

    @Test
    void a_snapshot_that_somebody_took_refuses() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        make(TestVolumes.fromVolume("pvc-2", source.id()));
        store.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());

        assertThat(store.deletionCheck(source.id(), OnDependents.DEFER, TestWork.patient())
                        .obstacles())
                .extracting(VolumeStore.Dependent::what)
                .containsExactly("the snapshot tank/v/pvc-1@snap-1");
        Failing.with(Failure.InUse.class, () -> defer(source.id()));

        assertThat(store.find(source.id(), TestWork.patient())).isPresent();
    }

    @Test
    void two_that_had_one_name_are_put_aside_both() {
        for (int i = 0; i < 2; i++) {
            StoredVolume source = make(TestVolumes.empty("pvc-1"));
            make(TestVolumes.fromVolume("clone-" + i, source.id()));
            defer(source.id());
        }

        defer(new NativeId("clone-0"));
        defer(new NativeId("clone-1"));

        fixture.verifyEmpty();
    }

    @Test
    void a_call_that_dies_anywhere_is_finished_by_the_next() {
        for (int effect = 1; effect <= 8; effect++) {
            StoredVolume source = make(TestVolumes.empty("pvc-1"));
            StoredVolume clone = make(TestVolumes.fromVolume("pvc-2", source.id()));
            dies(source.id(), effect);
            defer(source.id());
            dies(clone.id(), effect);
            defer(clone.id());
            fixture.verifyEmpty();
        }
        assertThat(deaths).isGreaterThan(5);
    }

    /** Where it has fewer effects than that, it ends in peace. */
    private void dies(NativeId id, int effect) {
        try {
            store.delete(id, OnDependents.DEFER, InterferedWork.at(effect, Interference.DEATH_AFTER));
        } catch (ProcessDied died) {
            deaths++;
        }
    }

    private String hidden(String leaf) {
        return fixture.pool().names().stream()
                .filter(name -> name.endsWith(":" + leaf))
                .findFirst()
                .orElseThrow();
    }

    private void defer(NativeId id) {
        store.delete(id, OnDependents.DEFER, TestWork.patient());
    }

    private StoredVolume make(CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    @Test
    void a_snapshot_that_a_caller_is_given_meanwhile_is_not_hidden_with_its_volume() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        make(TestVolumes.fromVolume("pvc-2", source.id()));
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        List<StoredSnapshot> taken = new ArrayList<>();
        fixture.pool()
                .beforeSteps(() -> fixture.pool() // before the second script, which renames
                        .beforeSteps(() -> taken.add(
                                snapshots.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient()))));

        assertThatThrownBy(() -> defer(source.id())).hasMessageContaining("was taken or deleted while");

        assertThat(snapshots.find(taken.getFirst().id(), TestWork.patient())).isPresent();
        assertThatThrownBy(() -> defer(source.id())).hasMessageContaining("snapshot");
    }

    /** A volume of whose snapshots two were deleted while volumes that were restored from them still are. */
    private StoredVolume withTwoPutOff() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        for (String name : List.of("snap-z", "snap-a")) {
            StoredSnapshot snapshot = snapshots.take(TestVolumes.snapshot(name, source), 100, TestWork.patient());
            make(TestVolumes.fromSnapshot("of-" + name, snapshot.id()));
            snapshots.delete(snapshot.id(), TestWork.patient());
        }
        return source;
    }

    @Test
    void snapshots_that_were_put_off_are_hidden_with_their_volume_in_whatever_order() {
        StoredVolume source = withTwoPutOff();

        defer(source.id());

        assertThat(store.find(source.id(), TestWork.patient())).isEmpty();
        assertThat(fixture.pool().names()).contains(hidden("pvc-1") + "@snap-a", hidden("pvc-1") + "@snap-z");
        defer(new NativeId("of-snap-a"));
        defer(new NativeId("of-snap-z"));
        fixture.verifyEmpty();
    }

    @Test
    void a_snapshot_that_a_caller_is_given_meanwhile_is_not_hidden_with_those_that_were_put_off() {
        StoredVolume source = withTwoPutOff();
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        List<StoredSnapshot> taken = new ArrayList<>();
        fixture.pool()
                .beforeSteps(() -> fixture.pool() // before the second script, which renames
                        .beforeSteps(() -> taken.add(
                                snapshots.take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient()))));

        assertThatThrownBy(() -> defer(source.id())).hasMessageContaining("was taken or deleted while");

        assertThat(snapshots.find(taken.getFirst().id(), TestWork.patient())).isPresent();
    }

    @Test
    void one_that_is_busy_fails_no_repeated_deletion_of_another() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredVolume clone = make(TestVolumes.fromVolume("pvc-2", source.id()));
        defer(source.id());
        fixture.pool().busy(hidden("pvc-1"));
        Failing.with(Failure.BackendUnavailable.class, () -> defer(clone.id()));

        defer(clone.id());
        defer(new NativeId("pvc-3"));

        assertThat(fixture.pool().names()).contains(hidden("pvc-1"));
    }
}
