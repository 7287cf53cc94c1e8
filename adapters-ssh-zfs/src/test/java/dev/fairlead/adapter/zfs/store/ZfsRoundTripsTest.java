package dev.fairlead.adapter.zfs.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.zfs.property.PeerProperties;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What travels to the storage host: how often, and that a volume never is without its marks. */
class ZfsRoundTripsTest {
    private final ZfsFixture fixture = new ZfsFixture(
            VolumeMedium.Kind.FILESYSTEM,
            Map.of(
                    "datasetParentName",
                    "tank/v",
                    "datasetEnableQuotas",
                    true,
                    "datasetPermissionsMode",
                    "0777",
                    "datasetPermissionsAcls",
                    List.of("-m everyone@:full_set:allow")));
    private final VolumeStore store = fixture.open();

    @BeforeEach
    void acls_are_on() {
        fixture.pool().play(List.of("zfs", "set", "acltype=posix", "tank"));
    }

    @Test
    void a_volume_is_made_marked_dressed_and_read_back_in_one_round_trip() {
        StoredVolume made = make("pvc-1");

        assertThat(fixture.pool().roundTrips()).isEqualTo(1);
        assertThat(fixture.pool().history())
                .extracting(List::getFirst)
                .containsExactly("zfs", "zfs", "chmod", "setfacl", "zfs", "zfs");
        assertThat(fixture.pool().history().getFirst())
                .startsWith("zfs", "create", "-o", PeerProperties.VOLUME_NAME + "=pvc-1")
                .contains(
                        PeerProperties.MANAGED + "=true",
                        "refquota=" + made.capacity().orElseThrow().bytes())
                .endsWith("tank/v/pvc-1");
        assertThat(fixture.pool().history()).contains(List.of("chmod", "0777", "/tank/v/pvc-1"));
        assertThat(fixture.pool().history())
                .contains(List.of("setfacl", "-m", "everyone@:full_set:allow", "/tank/v/pvc-1"));
        assertThat(fixture.pool().own("tank/v/pvc-1"))
                .as("whoever notes its context says so with it")
                .doesNotContainKey(PeerProperties.SUCCESS);
    }

    @Test
    void all_volumes_are_listed_in_one_round_trip() {
        for (int i = 0; i < 30; i++) {
            make("pvc-" + i);
        }
        int before = fixture.pool().roundTrips();

        assertThat(store.list(PageRequest.first(10), TestWork.patient()).items())
                .hasSize(10);
        assertThat(fixture.pool().roundTrips() - before).isEqualTo(1);
    }

    @Test
    void a_missing_parent_is_made_once() {
        var elsewhere = new ZfsFixture(VolumeMedium.Kind.FILESYSTEM, Map.of("datasetParentName", "tank/new/deep"));
        try (VolumeStore fresh = elsewhere.open()) {
            fresh.create(birth(fresh, "pvc-1"), TestWork.patient());
            int before = elsewhere.pool().roundTrips();
            fresh.create(birth(fresh, "pvc-2"), TestWork.patient());

            assertThat(elsewhere.pool().names()).contains("tank/new/deep/pvc-1", "tank/new/deep/pvc-2");
            assertThat(elsewhere.pool().roundTrips() - before).isEqualTo(1);
        }
    }

    @Test
    void what_stands_in_the_way_of_a_deletion_is_seen_in_one_round_trip_and_it_is_done_in_another() {
        StoredVolume made = make("pvc-1");
        int before = fixture.pool().roundTrips();

        VolumeStore.DeletionCheck deletionCheck =
                store.deletionCheck(made.id(), OnDependents.REFUSE, TestWork.patient());
        int looked = fixture.pool().roundTrips();
        store.delete(made.id(), OnDependents.REFUSE, TestWork.patient());

        assertThat(deletionCheck).isEqualTo(new VolumeStore.DeletionCheck(Optional.of(made), List.of()));
        assertThat(looked - before).isEqualTo(1);
        assertThat(fixture.pool().roundTrips() - looked).isEqualTo(1);
        assertThat(fixture.pool().names()).doesNotContain("tank/v/pvc-1");
    }

    @Test
    void a_snapshot_is_seen_to_be_new_taken_and_read_back_in_one_round_trip_however_many_there_are() {
        StoredVolume source = make("pvc-1");
        StoredVolume other = make("pvc-2");
        for (int i = 0; i < 10; i++) {
            snapshots().take(TestVolumes.snapshot("other-" + i, other), 100, TestWork.patient());
        }
        int before = fixture.pool().roundTrips();

        snapshots().take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());

        assertThat(fixture.pool().roundTrips() - before).isEqualTo(1);
    }

    @Test
    void a_name_that_is_used_is_found_with_nothing_taken() {
        StoredSnapshot taken = snapshots().take(TestVolumes.snapshot("snap-1", make("pvc-1")), 100, TestWork.patient());
        StoredVolume other = make("pvc-2");

        StoredSnapshot found = snapshots().take(TestVolumes.snapshot("snap-1", other), 100, TestWork.patient());

        assertThat(found).isEqualTo(taken);
        assertThat(fixture.pool().history())
                .filteredOn(words -> words.get(1).equals("snapshot"))
                .hasSize(1);
    }

    private SnapshotStore snapshots() {
        return store.snapshots().orElseThrow();
    }

    @Test
    void the_helper_of_a_clone_takes_one_round_trip_more() {
        StoredVolume source = make("pvc-1");
        VolumeStore.Birth clone = store.plan(TestVolumes.fromVolume("pvc-2", source.id()), new NativeId("pvc-2"));
        store.create(clone, TestWork.patient());
        int before = fixture.pool().roundTrips();

        store.delete(clone.id(), OnDependents.REFUSE, TestWork.patient());

        assertThat(fixture.pool().roundTrips() - before).isEqualTo(2);
    }

    @Test
    void the_helper_of_a_clone_goes_with_the_clone() {
        StoredVolume source = make("pvc-1");
        store.create(
                store.plan(TestVolumes.fromVolume("pvc-2", source.id()), new NativeId("pvc-2")), TestWork.patient());
        assertThat(fixture.pool().names()).contains("tank/v/pvc-1@volume-source-for-volume-pvc-2");

        store.delete(new NativeId("pvc-2"), OnDependents.REFUSE, TestWork.patient());

        assertThat(fixture.pool().names()).containsExactlyInAnyOrder("tank", "tank/v", "tank/v/pvc-1");
    }

    private StoredVolume make(String name) {
        return store.create(birth(store, name), TestWork.patient()).volume();
    }

    private static VolumeStore.Birth birth(VolumeStore store, String name) {
        return store.plan(TestVolumes.empty(name), new NativeId(name));
    }
}
