package dev.fairlead.adapter.zfs.store;

import static dev.fairlead.adapter.zfs.store.SeveralParentsFixture.FAR;
import static dev.fairlead.adapter.zfs.store.SeveralParentsFixture.FAST;
import static dev.fairlead.adapter.zfs.store.SeveralParentsFixture.USUAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.Content;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What spans the parents of a connection: lists, snapshots, clones, groups. */
class ParentsTogetherTest {
    private final SeveralParentsFixture several = new SeveralParentsFixture();
    private final ZfsFixture fixture = several.fixture;
    private final VolumeStore store = several.store;
    private final SnapshotStore snapshots = several.snapshots;

    @Test
    void a_missing_parent_is_made_with_its_first_volume_and_hides_no_other() {
        StoredVolume usual = several.make("pvc-1", USUAL);
        several.take(usual, "snap-1", Map.of());
        assertThat(fixture.pool().names()).doesNotContain("tank/fast", "ssd/v");
        assertThat(several.listed()).containsExactly("pvc-1");
        assertThat(snapshots
                        .list(Optional.empty(), PageRequest.all(), TestWork.patient())
                        .items())
                .hasSize(1);

        several.make("pvc-2", FAR);

        assertThat(fixture.pool().names()).contains("ssd/v/pvc-2").doesNotContain("tank/fast");
        assertThat(several.listed()).containsExactly("far.pvc-2", "pvc-1");
    }

    /** Callers clean up after what a list lacks. */
    @Test
    void nothing_is_listed_as_if_it_were_all_while_a_pool_is_not_imported() {
        several.make("pvc-1", USUAL);
        fixture.pool().remove("ssd");

        Failing.with(Failure.BackendUnavailable.class, several::listed);
        Failing.with(
                Failure.BackendUnavailable.class,
                () -> snapshots.list(Optional.empty(), PageRequest.all(), TestWork.patient()));
        assertThat(several.create(TestVolumes.empty("pvc-2"), FAST).fresh())
                .as("no pool keeps another from working")
                .isTrue();
    }

    @Test
    void a_parent_that_was_met_and_is_away_stops_no_volume_below_another_and_is_named() {
        for (Map<String, String> parent : List.of(USUAL, FAST, FAR)) {
            several.make("pvc-" + parent.getOrDefault("parent", "usual"), parent);
        }
        several.listed();
        fixture.pool().remove("ssd/v/pvc-far");
        fixture.pool().remove("ssd/v");

        assertThat(several.create(TestVolumes.empty("pvc-2"), FAST).fresh()).isTrue();
        assertThat(store.existing(
                        several.birth(SeveralParentsFixture.request(TestVolumes.empty("pvc-2"), FAST)),
                        TestWork.patient()))
                .isPresent();
        assertThatThrownBy(() -> several.create(TestVolumes.empty("pvc-3"), FAR))
                .hasMessageContaining("[ssd/v] is not the dataset that was met before");
        assertThatThrownBy(several::listed).hasMessageContaining("[ssd/v] is not the dataset that was met before");
    }

    @Test
    void volumes_of_all_parents_are_one_list_in_the_order_of_their_ids_by_one_command() {
        for (int i = 0; i < 4; i++) {
            several.make("pvc-" + i, List.of(USUAL, FAST, FAR).get(i % 3));
        }
        int before = fixture.pool().roundTrips();

        var first = store.list(PageRequest.first(3), TestWork.patient());

        assertThat(fixture.pool().roundTrips() - before).isEqualTo(1);
        assertThat(first.more()).isTrue();
        assertThat(several.listed()).containsExactly("far.pvc-2", "fast.pvc-1", "pvc-0", "pvc-3");
        assertThat(store.list(new PageRequest(Optional.of("fast.pvc-1"), 9), TestWork.patient())
                        .items())
                .extracting(volume -> volume.id().value())
                .containsExactly("pvc-0", "pvc-3");
    }

    @Test
    void snapshots_of_volumes_below_any_parent_are_found_listed_and_deleted() {
        several.make("pvc-1", FAST);
        several.make("pvc-2", FAR);
        StoredVolume volume = several.make("pvc-3", FAST);
        StoredSnapshot plain = several.take(volume, "snap-1", Map.of());
        StoredSnapshot copy = several.take(volume, "snap-2", Map.of("detachedSnapshots", "true"));

        assertThat(List.of(plain, copy))
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("fast.pvc-3@snap-1", "fast.pvc-3/snap-2");
        assertThat(fixture.pool().names()).contains("tank/fast/pvc-3@snap-1", "tank/s/fast.pvc-3/snap-2");
        for (StoredSnapshot snapshot : List.of(plain, copy)) {
            assertThat(snapshot.source()).isEqualTo(volume.id());
            assertThat(snapshots.find(snapshot.id(), TestWork.patient())).contains(snapshot);
            assertThat(snapshots
                            .list(Optional.of(volume.id()), PageRequest.all(), TestWork.patient())
                            .items())
                    .contains(snapshot);
            snapshots.delete(snapshot.id(), TestWork.patient());
        }
        assertThat(fixture.pool().names())
                .doesNotContain("tank/fast/pvc-3@snap-1", "tank/s/fast.pvc-3/snap-2", "tank/s/fast.pvc-3");
    }

    @Test
    void within_a_pool_content_is_cloned_from_parent_to_parent_and_between_pools_it_is_copied() {
        several.make("pvc-0", FAR);
        StoredVolume source = several.make("pvc-1", USUAL);
        fixture.pool().files("tank/v/pvc-1").put("data", "precious");
        StoredSnapshot snapshot = several.take(source, "snap-1", Map.of());

        several.create(TestVolumes.fromVolume("pvc-2", source.id()), FAST);
        several.create(TestVolumes.fromSnapshot("pvc-3", snapshot.id()), FAST);
        assertThat(several.commands("send")).isZero();
        several.create(TestVolumes.fromVolume("pvc-4", source.id()), FAR);
        several.create(TestVolumes.fromSnapshot("pvc-5", snapshot.id()), FAR);
        several.create(TestVolumes.fromVolume("pvc-6", new NativeId("far.pvc-5")), USUAL);

        assertThat(several.commands("send")).isEqualTo(3);
        for (String dataset :
                List.of("tank/fast/pvc-2", "tank/fast/pvc-3", "ssd/v/pvc-4", "ssd/v/pvc-5", "tank/v/pvc-6")) {
            assertThat(fixture.pool().files(dataset)).containsEntry("data", "precious");
        }
        assertThat(fixture.pool().names())
                .contains("tank/v/pvc-1@volume-source-for-volume-fast.pvc-2")
                .noneMatch(name -> name.contains("volume-source-for-volume-far"));
        assertThat(store.find(new NativeId("fast.pvc-2"), TestWork.patient()))
                .get()
                .extracting(StoredVolume::content)
                .isEqualTo(new Content.OfVolume(source.id()));
    }

    /** {@code zfs receive} has other words for it than {@code zfs create}. */
    @Test
    void a_missing_parent_is_made_for_a_copy_too_and_is_not_taken_for_a_missing_source() {
        StoredVolume source = several.make("pvc-1", USUAL);
        fixture.pool().files("tank/v/pvc-1").put("data", "precious");

        several.create(TestVolumes.fromVolume("pvc-2", source.id()), FAR);

        assertThat(fixture.pool().files("ssd/v/pvc-2")).containsEntry("data", "precious");
        Failing.with(
                Failure.VolumeNotFound.class,
                () -> several.create(TestVolumes.fromVolume("pvc-3", new NativeId("pvc-absent")), FAR));
    }

    @Test
    void a_group_may_be_of_several_parents_of_one_pool_and_not_of_two_pools() {
        StoredVolume usual = several.make("pvc-1", USUAL);
        StoredVolume fast = several.make("pvc-2", FAST);
        StoredVolume far = several.make("pvc-3", FAR);
        var groups = snapshots.groups().orElseThrow();

        var group = groups.take(
                new GroupRequest(new CsiName("g"), List.of(usual.id(), fast.id()), Map.of()), 100, TestWork.patient());
        assertThatThrownBy(() -> groups.take(
                        new GroupRequest(new CsiName("h"), List.of(usual.id(), far.id()), Map.of()),
                        100,
                        TestWork.patient()))
                .hasMessageContainingAll("[ssd, tank]", "no instant in common");

        assertThat(group.snapshots())
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("fast.pvc-2@g", "pvc-1@g");
        assertThat(fixture.pool().own("tank/fast/pvc-2@g")).containsEntry(PeerProperties.SNAPSHOT_SOURCE, "fast.pvc-2");
        assertThat(several.commands("snapshot")).isEqualTo(1);
        groups.delete(group.id(), TestWork.patient());
        assertThat(fixture.pool().names()).noneMatch(name -> name.contains("@"));
    }

    @Test
    void a_group_is_gone_though_a_parent_was_never_made() {
        StoredVolume volume = several.make("pvc-1", USUAL);
        var groups = snapshots.groups().orElseThrow();
        var request = new GroupRequest(new CsiName("g"), List.of(volume.id()), Map.of());
        NativeId group = groups.take(request, 100, TestWork.patient()).id();
        groups.delete(group, TestWork.patient());

        groups.delete(group, TestWork.patient());

        assertThat(groups.find(group, TestWork.patient())).isEmpty();
        assertThat(fixture.pool().names()).doesNotContain("tank/fast", "ssd/v");
    }

    /** ZFS says the same of both, and a controller that has just started has met none of its parents. */
    @Test
    void a_group_below_a_parent_whose_pool_is_not_imported_is_out_of_reach_and_not_gone() {
        several.make("pvc-1", USUAL);
        StoredVolume volume = several.make("pvc-2", FAR);
        var request = new GroupRequest(new CsiName("g"), List.of(volume.id()), Map.of());
        NativeId group = snapshots
                .groups()
                .orElseThrow()
                .take(request, 100, TestWork.patient())
                .id();
        List.of("ssd/v/pvc-2@g", "ssd/v/pvc-2", "ssd/v", "ssd").forEach(fixture.pool()::remove);
        try (VolumeStore restarted = fixture.open()) {
            var groups = restarted.snapshots().orElseThrow().groups().orElseThrow();

            Failing.with(Failure.BackendUnavailable.class, () -> groups.find(group, TestWork.patient()));
            Failing.with(Failure.BackendUnavailable.class, () -> groups.delete(group, TestWork.patient()));
        }
    }

    @Test
    void a_volume_that_was_put_aside_goes_with_its_last_clone_below_whatever_parent_that_was() {
        StoredVolume source = several.make("pvc-1", FAST);
        StoredVolume clone = several.create(TestVolumes.fromVolume("pvc-2", source.id()), USUAL)
                .volume();

        store.delete(source.id(), OnDependents.DEFER, TestWork.patient());
        assertThat(several.listed()).containsExactly("pvc-2");
        assertThat(fixture.pool().names()).anyMatch(name -> name.startsWith("tank/fast/fairlead:deleted:"));
        fixture.pool().play(List.of("zfs", "destroy", "tank/v/pvc-2")); // a call that was cut before it went on
        store.delete(clone.id(), OnDependents.DEFER, TestWork.patient());

        assertThat(fixture.pool().names()).noneMatch(name -> name.contains("pvc-"));
    }

    @Test
    void clones_below_another_parent_keep_their_source() {
        StoredVolume source = several.make("pvc-1", USUAL);
        several.create(TestVolumes.fromVolume("pvc-2", source.id()), FAST);

        assertThat(store.deletionCheck(source.id(), OnDependents.REFUSE, TestWork.patient())
                        .obstacles())
                .extracting(VolumeStore.Dependent::what)
                .containsExactly("the clone tank/fast/pvc-2");
        Failing.with(Failure.InUse.class, () -> store.delete(source.id(), OnDependents.REFUSE, TestWork.patient()));
    }
}
