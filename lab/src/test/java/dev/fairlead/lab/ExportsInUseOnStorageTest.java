package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A checksummed file through a volume's life: written by the protocol, cloned, grown, snapshotted and restored, and
 * read back by the protocol from each.
 */
@OnStorage
class ExportsInUseOnStorageTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"NFS, zfs-generic-nfs", "SMB, zfs-generic-smb", "ISCSI, zfs-generic-iscsi", "NVME, zfs-generic-nvmeof"})
    void a_file_goes_through_a_volumes_life(Use use, String driverType, StorageHost host) {
        var fixture = new StorageCrashFixture(driverType, host);
        fixture.reset();
        try (OneConnectionFixture controller = fixture.open()) {
            VolumeView volume = create(controller, "pvc-1", Source.NONE);
            String sum = using(use, fixture, volume, "head -c 3000000 /dev/urandom >data; sync; cksum <data");

            VolumeView clone = create(controller, "pvc-2", new Source.Volume(volume.handle()));
            controller
                    .useCases()
                    .expandVolume()
                    .expand(volume.handle(), CapacityRange.of(64 * MIB, 0), TestWork.patient());
            String snapshot = controller
                    .useCases()
                    .takeSnapshot()
                    .take(new CsiName("snap-1"), volume.handle(), Map.of(), TestWork.patient())
                    .handle();
            String later =
                    using(use, fixture, volume, "cksum <data; head -c 30000000 /dev/zero >more && sync; rm data");
            VolumeView restored = create(controller, "pvc-3", new Source.Snapshot(snapshot));

            assertThat(later).isEqualTo(sum);
            assertThat(using(use, fixture, clone, "cksum <data")).isEqualTo(sum);
            assertThat(using(use, fixture, restored, "cksum <data")).isEqualTo(sum);

            for (VolumeView each : List.of(restored, clone)) {
                controller.useCases().deleteVolume().delete(each.handle(), TestWork.patient());
            }
            controller.useCases().deleteSnapshot().delete(snapshot, TestWork.patient());
            controller.useCases().deleteVolume().delete(volume.handle(), TestWork.patient());
        }
        assertThat(fixture.rig().left().lines()).containsExactly(host.parent() + "/s");
        fixture.clear();
    }

    private static VolumeView create(OneConnectionFixture controller, String name, Source source) {
        return controller.create(name, CapacityRange.of(16 * MIB, 0), source, Map.of());
    }

    /** Runs shell in the volume, mounted for as long as that takes; it is ended even where the shell fails. */
    static String using(Use use, StorageCrashFixture fixture, VolumeView volume, String line) {
        String at = "/mnt/use";
        return fixture.rig()
                .shell("mkdir -p " + at + " && " + use.begin(volume.context(), at) + " || exit 1; (set -e; cd " + at
                        + "; " + line + "); code=$?; cd /; " + use.end(volume.context(), at) + " && exit $code");
    }
}
