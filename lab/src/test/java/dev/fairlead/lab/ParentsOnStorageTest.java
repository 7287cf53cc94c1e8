package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.application.port.in.volume.VolumeView;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Volumes below the parents that classes name: one in the same pool, and one in another, neither made before. */
@OnStorage
class ParentsOnStorageTest {
    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @CsvSource({"NFS, zfs-generic-nfs", "SMB, zfs-generic-smb", "ISCSI, zfs-generic-iscsi", "NVME, zfs-generic-nvmeof"})
    void a_file_goes_from_parent_to_parent_and_from_pool_to_pool(Use use, String driverType, StorageHost host) {
        String fast = host.parent() + "/fast";
        String far = "small/" + host.parent().replace('/', '-');
        var fixture = new StorageCrashFixture(driverType, host, Map.of("fast", fast, "far", far));
        fixture.reset();
        try (OneConnectionFixture controller = fixture.open()) {
            VolumeView volume = create(controller, "pvc-1", "fast", Source.NONE);
            String sum = ExportsInUseOnStorageTest.using(
                    use, fixture, volume, "head -c 3000000 /dev/urandom >data; sync; cksum <data");

            VolumeView usual = create(controller, "pvc-2", "", new Source.Volume(volume.handle()));
            VolumeView copy = create(controller, "pvc-3", "far", new Source.Volume(volume.handle()));
            String snapshot = controller
                    .useCases()
                    .takeSnapshot()
                    .take(new CsiName("snap-1"), copy.handle(), Map.of(), TestWork.patient())
                    .handle();
            VolumeView restored = create(controller, "pvc-4", "far", new Source.Snapshot(snapshot));
            VolumeView back = create(controller, "pvc-5", "fast", new Source.Snapshot(snapshot));

            List<VolumeView> all = List.of(back, restored, copy, usual, volume);
            assertThat(all)
                    .extracting(VolumeView::handle)
                    .containsExactly(
                            "v:nas/fast.pvc-5",
                            "v:nas/far.pvc-4",
                            "v:nas/far.pvc-3",
                            "v:nas/pvc-2",
                            "v:nas/fast.pvc-1");
            assertThat(snapshot).isEqualTo("s:nas/far.pvc-3@snap-1");
            String usualParent = fixture.rig().parent();
            assertThat(fixture.rig()
                            .shell("zfs get -Hp -o name,value origin " + fast + "/pvc-1 " + usualParent + "/pvc-2 "
                                    + far + "/pvc-3 " + far + "/pvc-4 " + fast + "/pvc-5")
                            .lines())
                    .as("clones within a pool, copies between pools")
                    .containsExactlyInAnyOrder(
                            fast + "/pvc-1\t-",
                            usualParent + "/pvc-2\t" + fast + "/pvc-1@volume-source-for-volume-pvc-2",
                            far + "/pvc-3\t-",
                            far + "/pvc-4\t" + far + "/pvc-3@snap-1",
                            fast + "/pvc-5\t-");
            for (VolumeView each : all) {
                assertThat(ExportsInUseOnStorageTest.using(use, fixture, each, "cksum <data"))
                        .as(each.handle())
                        .isEqualTo(sum);
            }
            assertThat(controller
                            .useCases()
                            .listVolumes()
                            .list(Optional.empty(), 0, TestWork.patient())
                            .items())
                    .extracting(VolumeView::handle)
                    .containsExactly(
                            "v:nas/far.pvc-3",
                            "v:nas/far.pvc-4",
                            "v:nas/fast.pvc-1",
                            "v:nas/fast.pvc-5",
                            "v:nas/pvc-2");
            Failing.with(Failure.VolumeConflict.class, () -> create(controller, "pvc-1", "far", Source.NONE));

            group(controller, "group-1", List.of(volume.handle(), usual.handle()));
            assertThat(fixture.rig()
                            .shell("zfs list -H -o name -t snapshot " + fast + "/pvc-1@group-1 "
                                    + fixture.rig().parent() + "/pvc-2@group-1")
                            .lines())
                    .hasSize(2);
            Failing.with(
                    Failure.Unsupported.class,
                    () -> group(controller, "group-2", List.of(volume.handle(), copy.handle())));
            controller.useCases().groups().delete().delete("g:nas/group-1", List.of(), TestWork.patient());

            controller.useCases().deleteVolume().delete(restored.handle(), TestWork.patient());
            controller.useCases().deleteSnapshot().delete(snapshot, TestWork.patient());
            for (VolumeView each : List.of(back, copy, usual, volume)) {
                controller.useCases().deleteVolume().delete(each.handle(), TestWork.patient());
            }
            assertThat(fixture.rig().left().lines()).containsExactlyInAnyOrder(fast, host.parent() + "/s");
            assertThat(fixture.rig().shell("zfs list -H -o name -t all -r " + far))
                    .isEqualTo(far + "\n");
        } finally {
            fixture.clear();
            fixture.rig().shell("zfs destroy -R " + far + " 2>/dev/null || true");
        }
    }

    private static void group(OneConnectionFixture controller, String name, List<String> volumes) {
        controller.useCases().groups().take().take(new CsiName(name), volumes, Map.of(), TestWork.patient());
    }

    private static VolumeView create(OneConnectionFixture controller, String name, String parent, Source source) {
        return controller.create(name, CapacityRange.of(16 * MIB, 0), source, Map.of("parent", parent));
    }
}
