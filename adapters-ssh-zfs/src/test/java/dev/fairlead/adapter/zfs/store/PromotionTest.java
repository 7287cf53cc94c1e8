package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
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
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A volume that is deleted with clones on it, which stand on their own from then on. */
class PromotionTest {
    /** More than one round trip has room for, and more than two. */
    private static final int MANY = 121;

    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.BLOCK_DEVICE, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore store = fixture.open();
    private int deaths;

    private StoredVolume make(CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private List<StoredVolume> clones(StoredVolume source, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> make(TestVolumes.fromVolume("clone-" + i, source.id())))
                .toList();
    }

    private void delete(NativeId id, OnDependents policy) {
        store.delete(id, policy, TestWork.patient());
    }

    private List<String> obstacles(NativeId id, OnDependents policy) {
        return store.deletionCheck(id, policy, TestWork.patient()).obstacles().stream()
                .map(Dependent::what)
                .toList();
    }

    @Test
    void any_number_of_clones_stand_on_their_own() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        List<StoredVolume> clones = clones(source, MANY);

        assertThat(obstacles(source.id(), OnDependents.PROMOTE)).isEmpty();
        delete(source.id(), OnDependents.PROMOTE);

        assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-1");
        clones.forEach(
                clone -> assertThat(store.find(clone.id(), TestWork.patient())).isPresent());
        clones.forEach(clone -> delete(clone.id(), OnDependents.PROMOTE));
        fixture.verifyEmpty();
    }

    @Test
    void a_deletion_that_dies_at_any_effect_is_finished_by_the_next() {
        for (int effect = 1; effect <= 8; effect++) {
            StoredVolume source = make(TestVolumes.empty("pvc-1"));
            List<StoredVolume> clones = clones(source, MANY);
            try {
                store.delete(source.id(), OnDependents.PROMOTE, InterferedWork.at(effect, Interference.DEATH_AFTER));
            } catch (ProcessDied died) {
                deaths++;
            }

            delete(source.id(), OnDependents.PROMOTE);

            assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-1");
            clones.forEach(clone -> delete(clone.id(), OnDependents.PROMOTE));
            fixture.verifyEmpty();
        }
        assertThat(deaths).isGreaterThan(5);
    }

    /** Whoever made it knows nothing of this deletion. */
    @Test
    void a_dataset_that_took_its_place_while_clones_were_promoted_stays() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        make(TestVolumes.fromVolume("clone", source.id()));
        // The look, the check and the destruction that is refused, then the promotion.
        fixture.pool().afterSteps(4, () -> {
            fixture.pool().play(List.of("zfs", "destroy", "-f", "tank/v/pvc-1"));
            make(TestVolumes.empty("pvc-1"));
        });

        Failing.with(Failure.BackendUnavailable.class, () -> delete(source.id(), OnDependents.PROMOTE));

        assertThat(store.find(source.id(), TestWork.patient())).isPresent();
    }

    private StoredSnapshot snapshot(String name, StoredVolume volume) {
        return store.snapshots().orElseThrow().take(TestVolumes.snapshot(name, volume), 100, TestWork.patient());
    }

    private void delete(StoredSnapshot snapshot) {
        store.snapshots().orElseThrow().delete(snapshot.id(), TestWork.patient());
    }

    /** ZFS keeps it until the last restore has gone; for its users it is gone. */
    @ParameterizedTest
    @EnumSource(
            value = OnDependents.class,
            names = {"PROMOTE", "DEFER"})
    void a_snapshot_that_was_deleted_with_volumes_restored_from_it_blocks_nobody(OnDependents policy) {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        make(TestVolumes.fromVolume("clone", source.id()));
        StoredSnapshot snapshot = snapshot("snap-1", source);
        make(TestVolumes.fromSnapshot("restore-1", snapshot.id()));
        make(TestVolumes.fromSnapshot("restore-2", snapshot.id()));
        delete(snapshot);
        assertThat(fixture.pool().names()).contains("tank/v/pvc-1@snap-1");

        assertThat(obstacles(source.id(), policy)).isEmpty();
        delete(source.id(), policy);

        assertThat(store.find(source.id(), TestWork.patient())).isEmpty();
        for (String left : List.of("restore-1", "clone", "restore-2")) {
            delete(new NativeId(left), policy);
        }
        fixture.verifyEmpty();
    }

    @Test
    void where_dependents_refuse_the_restores_are_named_and_not_what_was_deleted() {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredSnapshot snapshot = snapshot("snap-1", source);
        make(TestVolumes.fromSnapshot("restore", snapshot.id()));
        delete(snapshot);

        assertThat(obstacles(source.id(), OnDependents.REFUSE)).containsExactly("the clone tank/v/restore");
        Failing.with(Failure.InUse.class, () -> delete(source.id(), OnDependents.REFUSE));

        delete(new NativeId("restore"), OnDependents.REFUSE);
        delete(source.id(), OnDependents.REFUSE);
        fixture.verifyEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void what_is_held_blocks_though_it_was_deleted(OnDependents policy) {
        StoredVolume source = make(TestVolumes.empty("pvc-1"));
        StoredSnapshot snapshot = snapshot("snap-1", source);
        fixture.pool().play(List.of("zfs", "hold", "mine", "tank/v/pvc-1@snap-1"));
        delete(snapshot);

        assertThat(obstacles(source.id(), policy)).containsExactly("the hold on tank/v/pvc-1@snap-1");
        Failing.with(Failure.InUse.class, () -> delete(source.id(), policy));

        assertThat(store.find(source.id(), TestWork.patient())).isPresent();
    }
}
