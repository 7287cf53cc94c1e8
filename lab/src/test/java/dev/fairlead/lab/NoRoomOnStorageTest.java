package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.CreateVolume;
import dev.fairlead.application.port.in.Source;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.AccessibilityRequirement;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.ControllerProcess;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A quota above the volumes that is exhausted: real ZFS makes the dataset, and has no room to mount it. */
@OnStorage
class NoRoomOnStorageTest {
    private static void create(ControllerProcess process, String name, Source source) {
        process.useCases()
                .createVolume()
                .create(
                        new CreateVolume.Command(
                                new CsiName(name),
                                CapacityRange.of(16L << 20, 0),
                                List.of(TestVolumes.MOUNT),
                                ControllerProcess.ON_NAS,
                                source,
                                AccessibilityRequirement.NONE),
                        TestWork.patient());
    }

    @Test
    void neither_a_dataset_nor_the_snapshot_of_a_source_is_left(StorageHost host) {
        ZfsRig rig = new ZfsRig(host);
        String tight = host.parent();
        try (var process = new ControllerProcess(
                "zfs-generic-nfs",
                rig.filesystems(Map.of("datasetPermissionsMode", "0777")),
                rig.nfs(Map.of(
                        "shareHost",
                        "127.0.0.1",
                        "shareStrategy",
                        "setDatasetProperties",
                        "shareStrategySetDatasetProperties",
                        Map.of("properties", Map.of("sharenfs", "rw,no_subtree_check,no_root_squash")))))) {
            create(process, "pvc-1", Source.NONE);
            rig.shell("zfs set quota=4M " + tight + "; dd if=/dev/urandom of=/" + tight
                    + "/data bs=64k count=200 2>/dev/null; sync");
            String before = rig.shell("zfs list -H -o name -t all -r " + tight);

            for (Source source : List.of(Source.NONE, new Source.Volume("v:nas/pvc-1"))) {
                assertThatThrownBy(() -> create(process, "pvc-2", source))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutOfSpace.class));
                assertThat(rig.shell("zfs list -H -o name -t all -r " + tight)).isEqualTo(before);
            }

            rig.shell("zfs set quota=none " + tight);
            create(process, "pvc-2", new Source.Volume("v:nas/pvc-1"));
        }
    }
}
