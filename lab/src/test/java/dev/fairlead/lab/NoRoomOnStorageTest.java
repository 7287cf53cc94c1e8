package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A quota above the volumes that is exhausted: real ZFS makes the dataset, and has no room to mount it. */
@OnStorage
class NoRoomOnStorageTest {
    private static void create(OneConnectionFixture oneConnectionFixture, String name, Source source) {
        oneConnectionFixture.create(name, CapacityRange.of(16L << 20, 0), source, Map.of());
    }

    @Test
    void neither_a_dataset_nor_the_snapshot_of_a_source_is_left(StorageHost host) {
        ZfsPoolFixture zfsPoolFixture = new ZfsPoolFixture(host);
        String tight = host.parent();
        try (var oneConnectionFixture = new OneConnectionFixture(
                "zfs-generic-nfs",
                zfsPoolFixture.filesystems(Map.of("datasetPermissionsMode", "0777")),
                zfsPoolFixture.nfs(Map.of(
                        "shareHost",
                        "127.0.0.1",
                        "shareStrategy",
                        "setDatasetProperties",
                        "shareStrategySetDatasetProperties",
                        Map.of("properties", Map.of("sharenfs", "rw,no_subtree_check,no_root_squash")))))) {
            create(oneConnectionFixture, "pvc-1", Source.NONE);
            zfsPoolFixture.shell("zfs set quota=4M " + tight + "; dd if=/dev/urandom of=/" + tight
                    + "/data bs=64k count=200 2>/dev/null; sync");
            String before = zfsPoolFixture.shell("zfs list -H -o name -t all -r " + tight);

            for (Source source : List.of(Source.NONE, new Source.Volume("v:nas/pvc-1"))) {
                assertThatThrownBy(() -> create(oneConnectionFixture, "pvc-2", source))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                thrown -> assertThat(thrown.failure()).isInstanceOf(Failure.OutOfSpace.class));
                assertThat(zfsPoolFixture.shell("zfs list -H -o name -t all -r " + tight))
                        .isEqualTo(before);
            }

            zfsPoolFixture.shell("zfs set quota=none " + tight);
            create(oneConnectionFixture, "pvc-2", new Source.Volume("v:nas/pvc-1"));
        }
    }
}
