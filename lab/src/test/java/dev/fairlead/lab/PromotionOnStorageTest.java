package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Dependent;
import dev.fairlead.application.port.out.store.VolumeStore.OnDependents;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What ZFS makes of volumes that are deleted with others hanging on them, and of names that hardly anybody gives. */
@OnStorage
class PromotionOnStorageTest {
    /** More than one round trip has room for. */
    private static final int MANY = 61;

    private Optional<ZfsPoolFixture> fixture = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        fixture = Optional.of(new ZfsPoolFixture(host));
    }

    private ZfsPoolFixture rig() {
        return fixture.orElseThrow();
    }

    private static StoredVolume make(VolumeStore store, CreateRequest request) {
        return store.create(store.plan(request, new NativeId(request.name().value())), TestWork.patient())
                .volume();
    }

    private static void delete(VolumeStore store, String id, OnDependents policy) {
        store.delete(new NativeId(id), policy, TestWork.patient());
    }

    private String left() {
        return rig().shell("zfs list -H -o name -t all -r " + rig().parent() + " | tail -n +2")
                .strip();
    }

    @Test
    void any_number_of_clones_stand_on_their_own() {
        try (VolumeStore store = rig().filesystems(Map.of())) {
            make(store, TestVolumes.empty("pvc-1"));
            String pvc = rig().parent() + "/pvc-1";
            rig().shell("set -e; for i in $(seq " + MANY + "); do"
                    + " zfs snapshot " + pvc + "@volume-source-for-volume-clone-$i;"
                    + " zfs clone " + pvc + "@volume-source-for-volume-clone-$i " + rig().parent() + "/clone-$i; done");

            delete(store, "pvc-1", OnDependents.PROMOTE);

            assertThat(left().lines().filter(name -> !name.contains("@")))
                    .hasSize(MANY)
                    .allMatch(name -> name.contains("/clone-"));
        }
    }

    @Test
    void a_snapshot_that_was_deleted_with_volumes_restored_from_it_blocks_nobody() {
        for (OnDependents policy : List.of(OnDependents.PROMOTE, OnDependents.DEFER)) {
            try (VolumeStore store = rig().filesystems(Map.of())) {
                StoredVolume source = make(store, TestVolumes.empty("pvc-1"));
                StoredSnapshot snapshot = store.snapshots()
                        .orElseThrow()
                        .take(TestVolumes.snapshot("snap-1", source), 100, TestWork.patient());
                make(store, TestVolumes.fromSnapshot("restore-1", snapshot.id()));
                make(store, TestVolumes.fromSnapshot("restore-2", snapshot.id()));
                store.snapshots().orElseThrow().delete(snapshot.id(), TestWork.patient());
                assertThat(left()).contains("pvc-1@snap-1");

                assertThat(store.deletionCheck(source.id(), OnDependents.REFUSE, TestWork.patient())
                                .obstacles())
                        .extracting(Dependent::what)
                        .allMatch(what -> what.startsWith("the clone "));
                delete(store, "pvc-1", policy);

                assertThat(store.find(source.id(), TestWork.patient())).isEmpty();
                delete(store, "restore-1", policy);
                delete(store, "restore-2", policy);
                assertThat(left()).isEmpty();
            }
        }
    }

    @Test
    void a_strangers_snapshot_is_seen_whatever_it_is_called() {
        try (VolumeStore store = rig().filesystems(Map.of());
                VolumeStore destroying =
                        rig().filesystems(Map.of(), Map.of("fairlead", Map.of("foreignSnapshots", "destroy")))) {
            StoredVolume volume = make(store, TestVolumes.empty("pvc-1"));
            String pvc = rig().parent() + "/pvc-1";
            rig().shell("zfs snapshot " + pvc + "@-daily && zfs snapshot " + pvc + "@--");

            assertThat(store.deletionCheck(volume.id(), OnDependents.REFUSE, TestWork.patient())
                            .obstacles())
                    .extracting(Dependent::what)
                    .anyMatch(what -> what.endsWith("@-daily"))
                    .anyMatch(what -> what.endsWith("@--"));
            delete(destroying, "pvc-1", OnDependents.REFUSE);

            assertThat(left()).isEmpty();
        }
    }

    @Test
    void what_is_missing_in_a_pool_whose_name_has_a_blank_is_missing() {
        rig().shell("truncate -s 128M /var/tmp/blank && zpool create -f -m /var/tmp/my-pool 'my pool' /var/tmp/blank"
                + " && zfs create 'my pool/v'");
        try (VolumeStore store = rig().filesystemsBelow("my pool/v")) {
            assertThat(store.find(new NativeId("pvc-1"), TestWork.patient())).isEmpty();
            make(store, TestVolumes.empty("pvc-1"));
            delete(store, "pvc-1", OnDependents.REFUSE);
            delete(store, "pvc-1", OnDependents.REFUSE);
        } finally {
            rig().shell("zpool destroy 'my pool'; rm -f /var/tmp/blank");
        }
    }
}
