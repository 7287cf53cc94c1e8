package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Volumes whose snapshots were taken past CSI, as sanoid and its like do, on a real pool. */
@OnStorage
class ForeignSnapshotsOnStorageTest {
    private static final Map<String, ?> NFS = Map.of(
            "shareHost",
            "127.0.0.1",
            "shareStrategy",
            "setDatasetProperties",
            "shareStrategySetDatasetProperties",
            Map.of("properties", Map.of("sharenfs", "rw,no_subtree_check,no_root_squash")));

    private static VolumeStore store(ZfsPoolFixture fixture, String policy) {
        return fixture.filesystems(Map.of(), Map.of("fairlead", Map.of("foreignSnapshots", policy)));
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    private static String snapshots(ZfsPoolFixture fixture) {
        return fixture.shell("zfs list -H -o name -t snapshot -r " + fixture.parent());
    }

    @Test
    void a_volume_is_refused_before_it_is_unshared_and_goes_once_they_are_gone(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        VolumeStore store = store(fixture, "refuse");
        Exporter exporter = fixture.nfs(NFS);
        try (var controller = new OneConnectionFixture("zfs-generic-nfs", store, exporter)) {
            exporter.export(make(store, "pvc-1"), TestWork.patient());
            String hourly = fixture.parent() + "/pvc-1@autosnap_2026-11-22_06:00:00_hourly";
            fixture.shell("zfs snapshot " + hourly);

            assertThatThrownBy(() -> delete(controller, "pvc-1"))
                    .hasMessageContaining(hourly)
                    .hasMessageContaining("fairlead.foreignSnapshots: destroy");
            assertThat(fixture.exported()).isEqualTo(1);
            assertThat(snapshots(fixture)).contains(hourly);

            fixture.shell("zfs destroy " + hourly);
            delete(controller, "pvc-1");
            assertThat(fixture.exported()).isZero();
            assertThat(fixture.left()).isEmpty();
        }
    }

    @Test
    void they_go_with_their_volume_where_the_connection_says_so_and_a_callers_never_do(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        VolumeStore store = store(fixture, "destroy");
        Exporter exporter = fixture.nfs(NFS);
        try (var controller = new OneConnectionFixture("zfs-generic-nfs", store, exporter)) {
            StoredVolume first = make(store, "pvc-1");
            make(store, "pvc-2");
            var snapshots = store.snapshots().orElseThrow();
            snapshots.take(TestVolumes.snapshot("snap-1", first), 100, TestWork.patient());
            fixture.shell("i=0; while [ $i -lt 120 ]; do i=$((i+1)); zfs snapshot -r " + fixture.parent()
                    + "@auto-$i; done; zfs hold keep " + fixture.parent() + "/pvc-2@auto-7");

            assertThatThrownBy(() -> delete(controller, "pvc-1"))
                    .hasMessageContaining("pvc-1@snap-1")
                    .hasMessageNotContaining("auto-");
            assertThatThrownBy(() -> delete(controller, "pvc-2"))
                    .hasMessageContaining("the hold on " + fixture.parent() + "/pvc-2@auto-7")
                    .hasMessageNotContaining("auto-8");
            assertThat(snapshots(fixture).lines()).hasSize(3 * 120 + 1);

            snapshots.delete(new NativeId("pvc-1@snap-1"), TestWork.patient());
            fixture.shell("zfs release keep " + fixture.parent() + "/pvc-2@auto-7");
            delete(controller, "pvc-1");
            delete(controller, "pvc-2");
            assertThat(snapshots(fixture).lines())
                    .hasSize(120)
                    .allMatch(name -> name.startsWith(fixture.parent() + "@auto-"));
        }
    }

    /** A promoted clone would otherwise get all that was taken before it was made. */
    @Test
    void they_do_not_go_over_to_a_clone_that_is_promoted(StorageHost host) {
        ZfsPoolFixture fixture = new ZfsPoolFixture(host);
        try (VolumeStore store = store(fixture, "destroy")) {
            StoredVolume source = make(store, "pvc-1");
            fixture.write(source, "data", "precious");
            fixture.shell("zfs snapshot " + fixture.parent() + "/pvc-1@auto-1");
            StoredVolume clone = store.create(
                            store.plan(TestVolumes.fromVolume("pvc-2", source.id()), new NativeId("pvc-2")),
                            TestWork.patient())
                    .volume();
            fixture.shell("zfs snapshot " + fixture.parent() + "/pvc-1@auto-2");

            store.delete(source.id(), VolumeStore.OnDependents.PROMOTE, TestWork.patient());

            assertThat(fixture.read(clone, "data")).contains("precious");
            assertThat(fixture.left()).doesNotContain("auto-").doesNotContain("pvc-1\n");
        }
    }

    private static void delete(OneConnectionFixture controller, String id) {
        controller.useCases().deleteVolume().delete("v:nas/" + id, TestWork.patient());
    }
}
