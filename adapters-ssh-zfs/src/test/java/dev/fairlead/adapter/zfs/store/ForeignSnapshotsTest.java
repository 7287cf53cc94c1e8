package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.crash.InterferedWork;
import dev.fairlead.testkit.crash.Interference;
import dev.fairlead.testkit.crash.ProcessDied;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.settings.ForeignSnapshots;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots that a program takes by a plan, or an administrator: what deleting their volume does about them. */
class ForeignSnapshotsTest {
    private static final String HOURLY = "tank/v/pvc-1@autosnap_2026-11-22_06:00:00_hourly";
    private static final NativeId PVC = new NativeId("pvc-1");

    private final ZfsFixture fixture =
            new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/v"));
    private final VolumeStore refusing = fixture.open();
    private final VolumeStore destroying = fixture.open(ForeignSnapshots.DESTROY);

    @ParameterizedTest
    @EnumSource
    void are_never_destroyed_unless_that_is_asked_for(OnDependents policy) {
        make(TestVolumes.empty("pvc-1"));
        snapshot(HOURLY);

        String refused = refused(() -> refusing.delete(PVC, policy, TestWork.patient()));

        assertThat(refused)
                .contains(HOURLY)
                .contains("not made by Fairlead")
                .contains("fairlead.foreignSnapshots: destroy");
        assertThat(fixture.pool().names()).contains("tank/v/pvc-1", HOURLY);
    }

    @Test
    void that_are_many_are_named_as_far_as_a_message_goes() {
        make(TestVolumes.empty("pvc-1"));
        IntStream.range(0, 200).forEach(i -> snapshot("tank/v/pvc-1@auto-" + i));

        var deletionCheck = refusing.deletionCheck(PVC, OnDependents.REFUSE, TestWork.patient());
        String refused = refused(() -> deletionCheck.refuseIfBarred("tank:pvc-1"));

        assertThat(deletionCheck.obstacles()).hasSize(200);
        assertThat(refused).contains("and 197 more").hasSizeLessThan(500);
    }

    @Test
    void go_with_their_volume_where_that_is_asked_for() {
        make(TestVolumes.empty("pvc-1"));
        IntStream.range(0, 120).forEach(i -> snapshot("tank/v/pvc-1@auto-" + i));

        assertThat(destroying
                        .deletionCheck(PVC, OnDependents.REFUSE, TestWork.patient())
                        .obstacles())
                .isEmpty();
        destroying.delete(PVC, OnDependents.REFUSE, TestWork.patient());

        fixture.verifyEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void go_only_where_all_can_go(OnDependents policy) {
        StoredVolume volume = make(TestVolumes.empty("pvc-1"));
        snapshot(HOURLY);
        destroying.snapshots().orElseThrow().take(TestVolumes.snapshot("snap-1", volume), 100, TestWork.patient());

        String refused = refused(() -> destroying.delete(PVC, policy, TestWork.patient()));

        assertThat(refused).contains("tank/v/pvc-1@snap-1").doesNotContain(HOURLY);
        assertThat(fixture.pool().names()).contains(HOURLY, "tank/v/pvc-1@snap-1");
    }

    /** Whatever mark of its own a snapshot has, it is a caller's; one that it inherited says nothing. */
    @Test
    void are_those_without_any_mark_of_their_own() {
        make(TestVolumes.empty("pvc-1"));
        fixture.pool().put("tank/v/pvc-1@a", "snapshot", Map.of(PeerProperties.SNAPSHOT_NAME, "a"));
        fixture.pool().put("tank/v/pvc-1@b", "snapshot", Map.of(PeerProperties.MANAGED, "true"));
        fixture.pool().put("tank/v/pvc-1@c", "snapshot", Map.of(OwnProperties.GROUP, "{}"));
        snapshot(HOURLY);

        assertThat(destroying
                        .deletionCheck(PVC, OnDependents.REFUSE, TestWork.patient())
                        .obstacles())
                .extracting(Dependent::what)
                .containsExactly(
                        "the snapshot tank/v/pvc-1@a", "the snapshot tank/v/pvc-1@b", "the snapshot tank/v/pvc-1@c");
    }

    @Test
    void that_are_held_stay_and_so_does_all_else() {
        make(TestVolumes.empty("pvc-1"));
        snapshot(HOURLY);
        fixture.pool().put("tank/v/pvc-1@held", "snapshot", Map.of("userrefs", "1"));

        String refused = refused(() -> destroying.delete(PVC, OnDependents.REFUSE, TestWork.patient()));

        assertThat(refused).contains("the hold on tank/v/pvc-1@held");
        assertThat(fixture.pool().names()).contains(HOURLY);
    }

    @Test
    void that_somebody_made_a_clone_of_stay() {
        make(TestVolumes.empty("pvc-1"));
        snapshot(HOURLY);
        fixture.pool().play(List.of("zfs", "clone", HOURLY, "tank/rescue"));

        for (OnDependents policy : OnDependents.values()) {
            String refused = refused(() -> destroying.delete(PVC, policy, TestWork.patient()));
            assertThat(refused).contains("the clone tank/rescue");
        }
        assertThat(fixture.pool().names()).contains(HOURLY);
    }

    @Test
    void do_not_go_over_to_a_clone_that_is_promoted() {
        make(TestVolumes.empty("pvc-1"));
        snapshot(HOURLY);
        make(TestVolumes.fromVolume("pvc-2", PVC));

        destroying.delete(PVC, OnDependents.PROMOTE, TestWork.patient());

        assertThat(fixture.pool().names())
                .contains("tank/v/pvc-2")
                .doesNotContain("tank/v/pvc-1")
                .noneMatch(name -> name.contains("autosnap"));
    }

    @Test
    void of_a_volume_that_was_put_aside_do_not_keep_it() {
        make(TestVolumes.empty("pvc-1"));
        snapshot(HOURLY);
        make(TestVolumes.fromVolume("pvc-2", PVC));
        destroying.delete(PVC, OnDependents.DEFER, TestWork.patient());
        String hidden = fixture.pool().names().stream()
                .filter(name -> name.endsWith(":pvc-1"))
                .findFirst()
                .orElseThrow();
        snapshot(hidden + "@autosnap-2");

        destroying.delete(new NativeId("pvc-2"), OnDependents.DEFER, TestWork.patient());

        fixture.verifyEmpty();
    }

    /** A detached snapshot is a dataset itself, of which a plan may take snapshots too. */
    @ParameterizedTest
    @EnumSource
    void of_a_detached_snapshot_are_treated_alike(ForeignSnapshots policy) {
        var copies = new ZfsFixture(
                VolumeMedium.Kind.FILESYSTEM,
                Map.of("datasetParentName", "tank/v", "detachedSnapshotsDatasetParentName", "tank/s"));
        VolumeStore store = copies.open(policy);
        store.create(store.plan(TestVolumes.empty("pvc-1"), PVC), TestWork.patient());
        SnapshotStore snapshots = store.snapshots().orElseThrow();
        var request = new SnapshotRequest(new CsiName("snap-1"), PVC, Map.of("detachedSnapshots", "true"));
        StoredSnapshot taken = snapshots.take(request, 100, TestWork.patient());
        copies.pool().play(List.of("zfs", "snapshot", "tank/s/pvc-1/snap-1@hourly"));

        if (policy == ForeignSnapshots.REFUSE) {
            assertThat(refused(() -> snapshots.delete(taken.id(), TestWork.patient())))
                    .contains("tank/s/pvc-1/snap-1@hourly");
            copies.pool().play(List.of("zfs", "destroy", "tank/s/pvc-1/snap-1@hourly"));
        }
        snapshots.delete(taken.id(), TestWork.patient());

        assertThat(copies.pool().names()).noneMatch(name -> name.startsWith("tank/s/"));
    }

    @Test
    void a_call_that_dies_anywhere_is_finished_by_the_next() {
        int deaths = 0;
        for (int effect = 1; effect <= 6; effect++) {
            make(TestVolumes.empty("pvc-1"));
            snapshot(HOURLY);
            try {
                destroying.delete(PVC, OnDependents.REFUSE, InterferedWork.at(effect, Interference.DEATH_AFTER));
            } catch (ProcessDied died) {
                deaths++;
            }
            destroying.delete(PVC, OnDependents.REFUSE, TestWork.patient());
            fixture.verifyEmpty();
        }
        assertThat(deaths).isEqualTo(3);
    }

    @Test
    void are_spoken_of_in_the_connection_file() {
        assertThat(read("refuse")).isEqualTo(ForeignSnapshots.REFUSE);
        assertThat(read("destroy")).isEqualTo(ForeignSnapshots.DESTROY);
        assertThat(ForeignSnapshots.read(file(Map.of("driver", "zfs-generic-nfs"), new Problems("c.yaml"))))
                .isEqualTo(ForeignSnapshots.REFUSE);
        for (String bad : List.of("keep", "recursive", "")) {
            var problems = new Problems("c.yaml");
            ForeignSnapshots.read(file(Map.of("fairlead", Map.of("foreignSnapshots", bad)), problems));
            assertThat(problems.all()).extracting(Problem::path).containsExactly("fairlead.foreignSnapshots");
        }
    }

    private static String refused(ThrowingCallable call) {
        StorageException refused = assertThatExceptionOfType(StorageException.class)
                .isThrownBy(call)
                .actual();
        assertThat(refused.failure()).isInstanceOf(Failure.InUse.class);
        return refused.failure().message();
    }

    private static ForeignSnapshots read(String text) {
        var problems = new Problems("c.yaml");
        ForeignSnapshots read =
                ForeignSnapshots.read(file(Map.of("fairlead", Map.of("foreignSnapshots", text)), problems));
        assertThat(problems.all()).isEmpty();
        return read;
    }

    private static ConfigNode file(Map<String, ?> content, Problems problems) {
        return ConfigNode.root(ConfigTrees.of(content), problems);
    }

    private void snapshot(String name) {
        fixture.pool().play(List.of("zfs", "snapshot", name));
    }

    private StoredVolume make(CreateRequest request) {
        return refusing.create(
                        refusing.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }
}
