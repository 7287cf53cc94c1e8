package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.OwnProperties;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What of a group stands in the pool, and the commands that it takes. */
class ZfsSnapshotGroupsTest {
    private final ZfsFixture fixture = new ZfsFixture(
            VolumeMedium.Kind.BLOCK_DEVICE,
            Map.of(
                    "datasetParentName",
                    "tank/v",
                    "detachedSnapshotsDatasetParentName",
                    "tank/s",
                    "snapshotProperties",
                    Map.of("org.example:class", "{{ parameters.tier }}")));
    private final VolumeStore store = fixture.open();
    private final SnapshotStore snapshots = store.snapshots().orElseThrow();
    private final SnapshotGroups groups = snapshots.groups().orElseThrow();

    private List<StoredVolume> make(String... names) {
        return Stream.of(names).map(this::make).toList();
    }

    private StoredVolume make(String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    private StoredGroup take(String name, Map<String, String> parameters, String... sources) {
        var ids = Stream.of(sources).map(NativeId::new).toList();
        return groups.take(new GroupRequest(new CsiName(name), ids, parameters), 100, TestWork.patient());
    }

    private Stream<List<String>> commands(String verb) {
        return fixture.pool().history().stream()
                .filter(words -> words.size() > 1 && words.get(1).equals(verb));
    }

    @Test
    void one_command_takes_them_all_with_the_mark_of_the_group() {
        make("pvc-b", "pvc-a");

        StoredGroup group = take("group-1", Map.of("tier", "gold"), "pvc-b", "pvc-a");

        assertThat(commands("snapshot"))
                .singleElement()
                .satisfies(words -> assertThat(words)
                        .contains(
                                PeerProperties.MANAGED + "=true",
                                PeerProperties.SNAPSHOT_NAME + "=group-1",
                                "org.example:class=gold")
                        .endsWith("tank/v/pvc-a@group-1", "tank/v/pvc-b@group-1"));
        assertThat(group.snapshots())
                .extracting(snapshot -> snapshot.id().value())
                .containsExactly("pvc-a@group-1", "pvc-b@group-1");
        assertThat(fixture.pool().own("tank/v/pvc-b@group-1"))
                .containsEntry(PeerProperties.SNAPSHOT_SOURCE, "pvc-b")
                .containsEntry(PeerProperties.SUCCESS, "true")
                .containsKey(OwnProperties.GROUP);
    }

    @Test
    void what_democratic_csi_reads_is_given_by_a_later_call_where_it_was_cut() {
        make("pvc-a", "pvc-b");
        take("group-1", Map.of(), "pvc-a", "pvc-b");
        Map<String, String> cut = fixture.pool().own("tank/v/pvc-b@group-1");
        cut.remove(PeerProperties.SNAPSHOT_SOURCE);
        fixture.pool().put("tank/v/pvc-b@group-1", "snapshot", cut);

        take("group-1", Map.of(), "pvc-a", "pvc-b");

        assertThat(fixture.pool().own("tank/v/pvc-b@group-1")).containsEntry(PeerProperties.SNAPSHOT_SOURCE, "pvc-b");
        assertThat(commands("snapshot")).hasSize(1);
    }

    @Test
    void a_hundred_volumes_are_one_command_and_more_are_refused_before_it() {
        String[] names = IntStream.rangeClosed(0, ZfsSnapshotGroups.MOST)
                .mapToObj(i -> "pvc-" + i)
                .toArray(String[]::new);
        make(names);

        Failing.with(Failure.InvalidRequest.class, () -> take("group-1", Map.of(), names));
        assertThat(commands("snapshot")).isEmpty();
        StoredGroup group = take("group-1", Map.of(), Stream.of(names).skip(1).toArray(String[]::new));

        assertThat(commands("snapshot")).hasSize(1);
        assertThat(group.isWhole()).isTrue();
        assertThat(fixture.pool().own("tank/v/pvc-99@group-1")).containsEntry(PeerProperties.SNAPSHOT_SOURCE, "pvc-99");
        groups.delete(group.id(), TestWork.patient());
        assertThat(fixture.pool().names()).noneMatch(name -> name.contains("@"));
    }

    @Test
    void copies_and_volumes_of_several_pools_are_refused_before_any_command() {
        make("pvc-a", "pvc-b");
        int before = fixture.pool().history().size();

        Failing.with(
                Failure.Unsupported.class,
                () -> take("group-1", Map.of("detachedSnapshots", "true"), "pvc-a", "pvc-b"));
        assertThatThrownBy(() -> ZfsSnapshotGroups.refusePools(
                        List.of(new DatasetName("tank/v/pvc-a"), new DatasetName("dozer/v/pvc-b"))))
                .hasMessageContaining("the pools [dozer, tank], which have no instant in common");

        assertThat(fixture.pool().history()).hasSize(before);
        assertThat(take("group-1", Map.of("detachedSnapshots", "false"), "pvc-a", "pvc-b")
                        .isWhole())
                .isTrue();
    }

    @Test
    void a_snapshot_that_stands_in_the_way_is_named_and_nothing_is_taken() {
        List<StoredVolume> volumes = make("pvc-a", "pvc-b");
        snapshots.take(TestVolumes.snapshot("group-1", volumes.get(1)), 100, TestWork.patient());

        assertThatThrownBy(() -> take("group-1", Map.of(), "pvc-a", "pvc-b"))
                .hasMessageContaining("snapshot pvc-b@group-1 exists and differs");

        assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-a@group-1");
    }

    @Test
    void a_snapshot_is_not_given_that_of_a_group() {
        List<StoredVolume> volumes = make("pvc-a", "pvc-b");
        take("group-1", Map.of(), "pvc-a", "pvc-b");

        Failing.with(
                Failure.SnapshotConflict.class,
                () -> snapshots.take(TestVolumes.snapshot("group-1", volumes.getFirst()), 100, TestWork.patient()));
    }

    @Test
    void a_volume_of_somebody_else_is_not_found() {
        make("pvc-a");
        fixture.pool().put("tank/v/strange", "volume", Map.of("volsize", "16384"));

        Failing.with(Failure.VolumeNotFound.class, () -> take("group-1", Map.of(), "pvc-a", "strange"));

        assertThat(commands("snapshot")).isEmpty();
    }

    @Test
    void a_group_that_lost_a_snapshot_shows_it() {
        make("pvc-a", "pvc-b");
        StoredGroup group = take("group-1", Map.of(), "pvc-a", "pvc-b");

        fixture.pool().remove("tank/v/pvc-a@group-1");

        assertThat(groups.find(group.id(), TestWork.patient()).orElseThrow().isWhole())
                .isFalse();
    }

    @Test
    void snapshots_that_volumes_were_restored_from_go_with_the_last_of_them() {
        make("pvc-a", "pvc-b");
        StoredGroup group = take("group-1", Map.of(), "pvc-a", "pvc-b");
        var restore =
                TestVolumes.fromSnapshot("pvc-c", group.snapshots().getFirst().id());
        store.create(store.plan(restore, new NativeId("pvc-c")), TestWork.patient());

        groups.delete(group.id(), TestWork.patient());

        assertThat(groups.find(group.id(), TestWork.patient())).isEmpty();
        assertThat(fixture.pool().names()).contains("tank/v/pvc-a@group-1").doesNotContain("tank/v/pvc-b@group-1");
        store.delete(new NativeId("pvc-c"), VolumeStore.OnDependents.REFUSE, TestWork.patient());
        // A snapshot that is not a helper of ours goes by itself once its last clone has.
        assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-a@group-1");
    }
}
