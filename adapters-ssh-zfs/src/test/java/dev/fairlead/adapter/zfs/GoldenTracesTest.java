package dev.fairlead.adapter.zfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.application.port.in.volume.Source;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.fake.TestWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What democratic-csi was recorded to do, played into one pool, and the same calls of ours into another: every dataset
 * and snapshot of theirs is there by the same name, with every property of theirs; ours may have more.
 */
class GoldenTracesTest {
    private static final String PEER = "democratic-csi:";
    private static final String VOLUME = "tank/v/pvc-1";

    private final FakePool theirs = new FakePool("tank", "tank/v", "tank/s");

    @Test
    void an_nfs_volume_with_quota_reservation_and_properties() {
        ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.of(
                "zfs-generic-nfs",
                Map.of(
                        "datasetEnableQuotas",
                        true,
                        "datasetEnableReservation",
                        true,
                        "datasetPermissionsMode",
                        "0777",
                        "datasetPermissionsUser",
                        0,
                        "datasetPermissionsGroup",
                        0,
                        "datasetPermissionsAcls",
                        List.of("-m everyone@:full_set:allow"),
                        "datasetProperties",
                        Map.of("acltype", "posix", "x:y", "z z")),
                Map.of("nfs", ZfsCrashFixture.share("sharenfs", "rw=@10.0.0.0/8,no_root_squash")));

        try (OneConnectionFixture ours = zfsCrashFixture.open()) {
            create(ours, "pvc-1", 1L << 30, Map.of(), Source.NONE);
        }

        theirs("create", "-p", "-o", "acltype=posix", "-o", "x:y=z z", marks("zfs-generic-nfs", "pvc-1"), VOLUME);
        theirs("set", "refquota=1073741824", "refreservation=1073741824", VOLUME);
        theirs("set", "sharenfs=rw=@10.0.0.0/8,no_root_squash", VOLUME);
        theirs(
                "set",
                PEER + "csi_share_volume_context={\"node_attach_driver\":\"nfs\",\"server\":\"nas\",\"share\":\"/"
                        + VOLUME + "\"}",
                VOLUME);
        theirs("set", PEER + "provision_success=true", VOLUME);
        assertSameIn(zfsCrashFixture);
        assertThat(zfsCrashFixture.pool().history())
                .contains(
                        List.of("chmod", "0777", "/" + VOLUME),
                        List.of("chown", "0:0", "/" + VOLUME),
                        List.of("setfacl", "-m", "everyone@:full_set:allow", "/" + VOLUME));
    }

    @Test
    void an_smb_volume_is_shared_by_the_name_that_zfs_gives() {
        ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.shared("smb", "sharesmb", Map.of());

        try (OneConnectionFixture ours = zfsCrashFixture.open()) {
            create(ours, "pvc-1", 1L << 30, Map.of(), Source.NONE);
        }

        theirs("create", "-p", marks("zfs-generic-smb", "pvc-1"), VOLUME);
        theirs("set", "sharesmb=on", VOLUME);
        theirs(
                "set",
                PEER
                        + "csi_share_volume_context={\"node_attach_driver\":\"smb\",\"server\":\"nas\",\"share\":\"tank_v_pvc_1\"}",
                VOLUME);
        theirs("set", PEER + "provision_success=true", VOLUME);
        assertSameIn(zfsCrashFixture);
    }

    @Test
    void an_iscsi_volume_with_its_asset_and_rounded_size() {
        ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.of(
                "zfs-generic-iscsi",
                Map.of("zvolDedup", "on"),
                Map.of(
                        "iscsi",
                        Map.of(
                                "shareStrategy",
                                "targetCli",
                                "targetPortal",
                                "1.2.3.4:3260",
                                "targetPortals",
                                List.of("1.2.3.5:3260", "1.2.3.6"),
                                "namePrefix",
                                "Pre-",
                                "nameSuffix",
                                "-suf",
                                "shareStrategyTargetCli",
                                Map.of("basename", "iqn.2003-01.org.x"))));

        try (OneConnectionFixture ours = zfsCrashFixture.open()) {
            create(ours, "pvc-1", 1_000_000_000, Map.of(), Source.NONE);
        }

        theirs(
                "create",
                "-p",
                marks("zfs-generic-iscsi", "pvc-1"),
                "-o",
                "refreservation=0",
                "-o",
                "volblocksize=16K",
                "-V",
                "1000013824",
                VOLUME);
        theirs("set", "volsize=1000013824", "dedup=on", VOLUME);
        theirs("set", PEER + "iscsi_assets_name=pre-pvc-1-suf", VOLUME);
        theirs(
                "set",
                PEER + "csi_share_volume_context={\"node_attach_driver\":\"iscsi\",\"portal\":\"1.2.3.4:3260\","
                        + "\"portals\":\"1.2.3.5:3260,1.2.3.6\",\"interface\":\"\",\"iqn\":\"iqn.2003-01.org.x:pre-pvc-1-suf\","
                        + "\"lun\":0}",
                VOLUME);
        theirs("set", PEER + "provision_success=true", VOLUME);
        assertSameIn(zfsCrashFixture);
    }

    @Test
    void an_nvmeof_volume_named_by_a_template() {
        ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.of(
                "zfs-generic-nvmeof",
                Map.of(),
                Map.of(
                        "nvmeof",
                        Map.of(
                                "transport",
                                "tcp://10.0.0.1:4420",
                                "nameTemplate",
                                "{{ parameters.ns }}-{{ name }}",
                                "shareStrategy",
                                "nvmetCli",
                                "shareStrategyNvmetCli",
                                Map.of("basename", "nqn.2003-01.org.linux-nvme", "ports", List.of("1")))));

        try (OneConnectionFixture ours = zfsCrashFixture.open()) {
            create(ours, "pvc-1", 1L << 30, Map.of("ns", "NS1"), Source.NONE);
        }

        theirs(
                "create",
                "-p",
                marks("zfs-generic-nvmeof", "pvc-1"),
                "-o",
                "refreservation=0",
                "-o",
                "volblocksize=16K",
                "-V",
                "1073741824",
                VOLUME);
        theirs("set", PEER + "nvmeof_assets_name=ns1-pvc-1", VOLUME);
        theirs(
                "set",
                PEER
                        + "csi_share_volume_context={\"node_attach_driver\":\"nvmeof\",\"transport\":\"tcp://10.0.0.1:4420\","
                        + "\"transports\":\"\",\"nqn\":\"nqn.2003-01.org.linux-nvme:ns1-pvc-1\",\"nsid\":1}",
                VOLUME);
        theirs("set", PEER + "provision_success=true", VOLUME);
        assertSameIn(zfsCrashFixture);
    }

    @Test
    void a_clone_a_copy_and_a_snapshot() {
        ZfsCrashFixture zfsCrashFixture = ZfsCrashFixture.local("zfs-local-zvol");

        try (OneConnectionFixture ours = zfsCrashFixture.open()) {
            create(ours, "pvc-1", 1L << 30, Map.of(), Source.NONE);
            create(ours, "pvc-4", 1L << 30, Map.of(), new Source.Volume("v:nas/pvc-1"));
            create(
                    ours,
                    "pvc-5",
                    1L << 30,
                    Map.of("detachedVolumesFromVolumes", "true"),
                    new Source.Volume("v:nas/pvc-1"));
            ours.useCases().takeSnapshot().take(new CsiName("snap-1"), "v:nas/pvc-1", Map.of(), TestWork.patient());
        }

        List<String> zvol = List.of("-o", "refreservation=0", "-o", "volblocksize=16K", "-V", "1073741824");
        List<String> fromOne = List.of(
                "-o",
                PEER + "csi_volume_content_source_type=volume",
                "-o",
                PEER + "csi_volume_content_source_id=pvc-1",
                "-o",
                "refreservation=0");
        theirs("create", "-p", marks("zfs-local-zvol", "pvc-1"), zvol, VOLUME);
        theirs("snapshot", VOLUME + "@volume-source-for-volume-pvc-4");
        theirs(
                "clone",
                marks("zfs-local-zvol", "pvc-4"),
                fromOne,
                VOLUME + "@volume-source-for-volume-pvc-4",
                "tank/v/pvc-4");
        theirs("create", "-p", marks("zfs-local-zvol", "pvc-5"), fromOne, "-V", "1073741824", "tank/v/pvc-5");
        for (String name : List.of("pvc-1", "pvc-4", "pvc-5")) {
            theirs(
                    "set",
                    PEER + "csi_share_volume_context={\"node_attach_driver\":\"zfs-local\",\"zfs_asset_name\":\"tank/v/"
                            + name + "\"}",
                    "tank/v/" + name);
            theirs("set", PEER + "provision_success=true", "tank/v/" + name);
        }
        theirs(
                "snapshot",
                "-o",
                PEER + "csi_snapshot_name=snap-1",
                "-o",
                PEER + "csi_snapshot_source_volume_id=pvc-1",
                "-o",
                PEER + "managed_resource=true",
                VOLUME + "@snap-1");
        theirs("set", PEER + "provision_success=true", VOLUME + "@snap-1");
        assertSameIn(zfsCrashFixture);
    }

    private static List<String> marks(String driverType, String name) {
        return List.of(
                "-o",
                PEER + "csi_volume_name=" + name,
                "-o",
                PEER + "managed_resource=true",
                "-o",
                PEER + "volume_context_provisioner_driver=" + driverType,
                "-o",
                PEER + "volume_context_provisioner_instance_id=i-1");
    }

    /** A recorded command; lists are several words. */
    private void theirs(Object... words) {
        List<String> argv = new java.util.ArrayList<>(List.of("zfs"));
        for (Object word : words) {
            if (word instanceof List<?> several) {
                several.forEach(one -> argv.add(String.valueOf(one)));
            } else {
                argv.add(String.valueOf(word));
            }
        }
        theirs.play(argv);
    }

    private static void create(
            OneConnectionFixture oneConnectionFixture,
            String name,
            long bytes,
            Map<String, String> parameters,
            Source source) {
        oneConnectionFixture.create(name, CapacityRange.of(bytes, 0), source, parameters);
    }

    private void assertSameIn(ZfsCrashFixture zfsCrashFixture) {
        FakePool ours = zfsCrashFixture.pool();
        assertThat(ours.names()).isEqualTo(theirs.names());
        for (String name : theirs.names()) {
            assertThat(ours.own(name)).as(name).containsAllEntriesOf(theirs.own(name));
        }
    }
}
