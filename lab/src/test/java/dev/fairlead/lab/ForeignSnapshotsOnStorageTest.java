package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.crash.ControllerProcess;
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

    private static VolumeStore store(ZfsRig rig, String policy) {
        return rig.filesystems(Map.of(), Map.of("fairlead", Map.of("foreignSnapshots", policy)));
    }

    private static StoredVolume make(VolumeStore store, String name) {
        return store.create(store.plan(TestVolumes.empty(name), new NativeId(name)), TestWork.patient())
                .volume();
    }

    private static String snapshots(ZfsRig rig) {
        return rig.shell("zfs list -H -o name -t snapshot -r " + rig.parent());
    }

    @Test
    void a_volume_is_refused_before_it_is_unshared_and_goes_once_they_are_gone(StorageHost host) {
        ZfsRig rig = new ZfsRig(host);
        VolumeStore store = store(rig, "refuse");
        Exporter exporter = rig.nfs(NFS);
        try (var controller = new ControllerProcess("zfs-generic-nfs", store, exporter)) {
            exporter.export(make(store, "pvc-1"), TestWork.patient());
            String hourly = rig.parent() + "/pvc-1@autosnap_2026-11-22_06:00:00_hourly";
            rig.shell("zfs snapshot " + hourly);

            assertThatThrownBy(() -> delete(controller, "pvc-1"))
                    .hasMessageContaining(hourly)
                    .hasMessageContaining("fairlead.foreignSnapshots: destroy");
            assertThat(rig.exported()).isEqualTo(1);
            assertThat(snapshots(rig)).contains(hourly);

            rig.shell("zfs destroy " + hourly);
            delete(controller, "pvc-1");
            assertThat(rig.exported()).isZero();
            assertThat(rig.left()).isEmpty();
        }
    }

    @Test
    void they_go_with_their_volume_where_the_connection_says_so_and_a_callers_never_do(StorageHost host) {
        ZfsRig rig = new ZfsRig(host);
        VolumeStore store = store(rig, "destroy");
        Exporter exporter = rig.nfs(NFS);
        try (var controller = new ControllerProcess("zfs-generic-nfs", store, exporter)) {
            StoredVolume first = make(store, "pvc-1");
            make(store, "pvc-2");
            var snapshots = store.snapshots().orElseThrow();
            snapshots.take(TestVolumes.snapshot("snap-1", first), 100, TestWork.patient());
            rig.shell("i=0; while [ $i -lt 120 ]; do i=$((i+1)); zfs snapshot -r " + rig.parent()
                    + "@auto-$i; done; zfs hold keep " + rig.parent() + "/pvc-2@auto-7");

            assertThatThrownBy(() -> delete(controller, "pvc-1"))
                    .hasMessageContaining("pvc-1@snap-1")
                    .hasMessageNotContaining("auto-");
            assertThatThrownBy(() -> delete(controller, "pvc-2"))
                    .hasMessageContaining("the hold on " + rig.parent() + "/pvc-2@auto-7")
                    .hasMessageNotContaining("auto-8");
            assertThat(snapshots(rig).lines()).hasSize(3 * 120 + 1);

            snapshots.delete(new NativeId("pvc-1@snap-1"), TestWork.patient());
            rig.shell("zfs release keep " + rig.parent() + "/pvc-2@auto-7");
            delete(controller, "pvc-1");
            delete(controller, "pvc-2");
            assertThat(snapshots(rig).lines()).hasSize(120).allMatch(name -> name.startsWith(rig.parent() + "@auto-"));
        }
    }

    /** A promoted clone would otherwise get all that was taken before it was made. */
    @Test
    void they_do_not_go_over_to_a_clone_that_is_promoted(StorageHost host) {
        ZfsRig rig = new ZfsRig(host);
        try (VolumeStore store = store(rig, "destroy")) {
            StoredVolume source = make(store, "pvc-1");
            rig.write(source, "data", "precious");
            rig.shell("zfs snapshot " + rig.parent() + "/pvc-1@auto-1");
            StoredVolume clone = store.create(
                            store.plan(TestVolumes.fromVolume("pvc-2", source.id()), new NativeId("pvc-2")),
                            TestWork.patient())
                    .volume();
            rig.shell("zfs snapshot " + rig.parent() + "/pvc-1@auto-2");

            store.delete(source.id(), VolumeStore.OnDependents.PROMOTE, TestWork.patient());

            assertThat(rig.read(clone, "data")).contains("precious");
            assertThat(rig.left()).doesNotContain("auto-").doesNotContain("pvc-1\n");
        }
    }

    private static void delete(ControllerProcess controller, String id) {
        controller.useCases().deleteVolume().delete("v:nas/" + id, TestWork.patient());
    }
}
