package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.out.store.VolumeStore.Birth;
import dev.fairlead.domain.access.Access;
import dev.fairlead.domain.access.Grant;
import dev.fairlead.domain.access.Grants;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Volumes that are closed to all but the nodes that they are published to, tried by real clients on a real host. */
@OnStorage
class PublishOnStorageTest {
    private static final Map<String, Object> NFS = Map.of(
            "shareHost",
            "198.51.100.1",
            "shareStrategy",
            "setDatasetProperties",
            "shareStrategySetDatasetProperties",
            Map.of("properties", Map.of("sharenfs", "rw,no_subtree_check,no_root_squash")));
    private static final Map<String, Object> ISCSI = Map.of(
            "shareStrategy",
            "targetCli",
            "targetPortal",
            "127.0.0.1:3260",
            "shareStrategyTargetCli",
            Map.of(
                    "basename",
                    "iqn.2003-01.org.example.fairlead",
                    "tpg",
                    Map.of("attributes", Map.of("authentication", 0, "generate_node_acls", 1))));

    /** Two nodes as network namespaces, each with an address by which the storage host knows it. */
    private static final String NODES = "for n in 2 3; do ip netns del fl$n 2>/dev/null; ip netns add fl$n;"
            + " ip link add fl$n type veth peer name eth0 netns fl$n;"
            + " ip link set fl$n up; ip netns exec fl$n ip link set lo up;"
            + " ip netns exec fl$n ip link set eth0 up;"
            + " ip netns exec fl$n ip addr add 198.51.100.$n/32 dev eth0;"
            + " ip addr replace 198.51.100.1/32 dev fl$n; ip route replace 198.51.100.$n/32 dev fl$n;"
            + " ip netns exec fl$n ip route add 198.51.100.1/32 dev eth0; done";

    private static final String NO_NODES =
            "for n in 2 3; do ip netns del fl$n 2>/dev/null; ip link del fl$n 2>/dev/null; done; true";

    private Optional<ZfsPoolFixture> fixture = Optional.empty();

    @BeforeEach
    void enter(StorageHost host) {
        fixture = Optional.of(new ZfsPoolFixture(host));
    }

    @AfterEach
    void leave() {
        rig().shell(NO_NODES);
    }

    private ZfsPoolFixture rig() {
        return fixture.orElseThrow();
    }

    private String shell(String line) {
        return rig().shell(line).strip();
    }

    private static Grants grant(String initiator, boolean readonly) {
        return Grants.NONE.with(
                new Grant("node-" + initiator, initiator, readonly, AccessMode.MULTI_NODE_MULTI_WRITER, false));
    }

    private static void admit(Exporter exporter, StoredVolume volume, Grants grants) {
        exporter.accessControl().orElseThrow().admit(volume, grants, TestWork.patient());
    }

    /** A volume that is closed from its birth, as its notes say. */
    private static StoredVolume closed(VolumeStore store, Exporter exporter, String name) {
        Birth birth = store.plan(TestVolumes.empty(name), new NativeId(name));
        Map<String, String> notes = new HashMap<>(exporter.plan(birth).notes());
        notes.putAll(Access.CLOSED);
        StoredVolume volume =
                store.create(birth.noting(notes), TestWork.patient()).volume();
        assertThat(Access.of(volume.notes())).isEqualTo(new Access.Nodes(Grants.NONE));
        return volume;
    }

    private static void withdraw(VolumeStore store, Exporter exporter, StoredVolume volume) {
        exporter.unexport(volume.id(), Optional.of(volume.medium()), Optional.of(volume), TestWork.patient());
        store.delete(volume.id(), VolumeStore.OnDependents.REFUSE, TestWork.patient());
    }

    /** What becomes of a mount by a node: refused, mounted, or written. */
    private String mountedBy(int node, Attachment.Nfs share) {
        return shell("mkdir -p /mnt/fl; ip netns exec fl" + node + " unshare -m sh -c '"
                + "mount -t nfs -o vers=4.2,soft,timeo=50,retrans=1 " + share.server() + ":" + share.share()
                + " /mnt/fl >/dev/null 2>&1 || { echo refused; exit 0; };"
                + " touch /mnt/fl/by-" + node + " 2>/dev/null && echo written || echo mounted; umount /mnt/fl'");
    }

    @Test
    void an_nfs_share_is_mounted_by_the_nodes_that_it_is_published_to_and_by_no_others() {
        shell(NODES);
        try (VolumeStore store = rig().filesystems(Map.of("datasetPermissionsMode", "0777"));
                Exporter exporter = rig().nfs(NFS)) {
            StoredVolume volume = closed(store, exporter, "pvc-nfs");
            var share =
                    (Attachment.Nfs) exporter.export(volume, TestWork.patient()).attachment();
            assertThat(mountedBy(2, share)).isEqualTo("refused");

            admit(exporter, volume, grant("198.51.100.2", false));
            assertThat(mountedBy(2, share)).isEqualTo("written");
            assertThat(mountedBy(3, share)).isEqualTo("refused");

            Grants both = grant("198.51.100.2", false)
                    .with(grant("198.51.100.3", true).all().getFirst());
            admit(exporter, volume, both);
            assertThat(mountedBy(2, share)).isEqualTo("written");
            assertThat(mountedBy(3, share)).isEqualTo("mounted");

            admit(exporter, volume, grant("198.51.100.3", true));
            assertThat(mountedBy(2, share)).isEqualTo("refused");
            assertThat(mountedBy(3, share)).isEqualTo("mounted");

            admit(exporter, volume, Grants.NONE);
            assertThat(mountedBy(3, share)).isEqualTo("refused");
            assertThat(rig().exported()).isZero();
            withdraw(store, exporter, volume);
        }
    }

    /**
     * Neither the client nor the host has Kerberos here; what the host would ask of a client, it lists all the same.
     */
    @Test
    void a_closed_nfs_share_asks_for_the_security_that_the_connection_names() {
        Map<String, Object> kerberos = Map.of(
                "shareHost",
                "198.51.100.1",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", Map.of("sharenfs", "sec=krb5p,rw,no_root_squash")));
        try (VolumeStore store = rig().filesystems(Map.of());
                Exporter exporter = rig().nfs(kerberos)) {
            StoredVolume volume = closed(store, exporter, "pvc-sec");
            admit(
                    exporter,
                    volume,
                    grant("198.51.100.2", false)
                            .with(grant("198.51.100.3", true).all().getFirst()));

            assertThat(shell("exportfs -v | tr -d '\\n\\t' | grep -o '/pvc-sec[^)]*)'")
                            .lines())
                    .hasSize(2)
                    .allMatch(line -> line.matches("/pvc-sec198.51.100.[23]\\(.*,sec=krb5p,r[wo],.*\\)"))
                    .allMatch(line -> line.contains(",no_root_squash,"));
            withdraw(store, exporter, volume);
        }
    }

    /** A mount that is there when the node is shut out reads and writes no more. */
    @Test
    void a_node_that_is_shut_out_is_cut_off_from_what_it_has_mounted() {
        shell(NODES);
        try (VolumeStore store = rig().filesystems(Map.of("datasetPermissionsMode", "0777"));
                Exporter exporter = rig().nfs(NFS)) {
            StoredVolume volume = closed(store, exporter, "pvc-cut");
            var share =
                    (Attachment.Nfs) exporter.export(volume, TestWork.patient()).attachment();
            admit(exporter, volume, grant("198.51.100.2", false));
            // Its network alone: "ip netns exec" would take the mount away with a namespace of its own.
            shell(
                    "mkdir -p /mnt/cut; nsenter --net=/run/netns/fl2 mount -t nfs -o vers=4.2,soft,timeo=50,retrans=1,noac "
                            + share.server() + ":" + share.share() + " /mnt/cut; touch /mnt/cut/before");
            assertThat(rig().read(volume, "before")).isPresent();

            admit(exporter, volume, Grants.NONE);

            assertThat(shell("timeout 30 touch /mnt/cut/after 2>/dev/null && echo written || echo cut;"
                            + " umount -f /mnt/cut 2>/dev/null || umount -l /mnt/cut; true"))
                    .isEqualTo("cut");
            assertThat(rig().read(volume, "after")).isEmpty();
            withdraw(store, exporter, volume);
        }
    }

    /** Logs in under a name of the initiator's, and tells how that ended: 0, or iscsiadm's code for a refusal, 24. */
    private int login(Attachment.Iscsi target, String initiator) {
        String node = "iscsiadm -m node -T " + target.iqn() + " -p " + target.portal();
        return Integer.parseInt(shell("iscsiadm -m iface -I fl -o delete >/dev/null 2>&1;"
                + " { iscsiadm -m iface -I fl -o new;"
                + " iscsiadm -m iface -I fl -o update -n iface.initiatorname -v " + initiator + ";"
                + " iscsiadm -m iface -I fl -o update -n iface.transport_name -v tcp;"
                + node + " -I fl -o new;"
                + node + " -I fl -o update -n node.session.initial_login_retry_max -v 1; } >/dev/null 2>&1;"
                + node + " -I fl --login >/dev/null 2>&1; echo $?"));
    }

    private void logout(Attachment.Iscsi target) {
        shell("iscsiadm -m node -T " + target.iqn() + " --logout >/dev/null 2>&1; iscsiadm -m node -T " + target.iqn()
                + " -o delete >/dev/null 2>&1; iscsiadm -m iface -I fl -o delete >/dev/null 2>&1; true");
    }

    private int sessions(Attachment.Iscsi target) {
        return Integer.parseInt(shell("cat /sys/kernel/config/target/iscsi/" + target.iqn()
                + "/tpgt_1/acls/*/info 2>/dev/null | grep -c TARG_SESS_STATE_LOGGED_IN || true"));
    }

    @Test
    void an_iscsi_target_takes_the_initiators_that_it_is_published_to_and_no_others() {
        String one = "iqn.1993-08.org.debian:01:one";
        String two = "iqn.1993-08.org.debian:01:two";
        try (VolumeStore store = rig().volumes(Map.of());
                Exporter exporter = rig().iscsi(ISCSI)) {
            StoredVolume volume = closed(store, exporter, "pvc-iscsi");
            var target = (Attachment.Iscsi)
                    exporter.export(volume, TestWork.patient()).attachment();
            assertThat(login(target, one)).as("before any grant").isEqualTo(24);

            admit(exporter, volume, grant(one, false));
            assertThat(login(target, two)).as("another one").isEqualTo(24);
            assertThat(login(target, one)).as("the granted one").isZero();
            assertThat(sessions(target)).isEqualTo(1);

            // The initiator is still at it: being shut out ends its session.
            admit(exporter, volume, grant(two, true));
            assertThat(sessions(target)).isZero();
            logout(target);
            assertThat(login(target, one)).as("after its revoke").isEqualTo(24);
            assertThat(login(target, two)).as("the second").isZero();
            assertThat(shell("udevadm settle; for s in /sys/class/iscsi_session/session*; do"
                            + " [ \"$(cat $s/targetname)\" = " + target.iqn()
                            + " ] && cat $s/device/target*/*:0/block/*/ro; done"))
                    .as("readonly")
                    .isEqualTo("1");

            logout(target);
            withdraw(store, exporter, volume);
        }
    }

    @Test
    void an_iscsi_targets_grants_are_there_again_after_a_restart_of_the_target() {
        String one = "iqn.1993-08.org.debian:01:one";
        try (VolumeStore store = rig().volumes(Map.of());
                Exporter exporter = rig().iscsi(ISCSI)) {
            StoredVolume volume = closed(store, exporter, "pvc-again");
            admit(exporter, volume, grant(one, false));
            var target = (Attachment.Iscsi)
                    exporter.attachment(volume, TestWork.patient()).orElseThrow();

            shell("targetcli clearconfig confirm=true >/dev/null && targetcli restoreconfig clear_existing=true");

            assertThat(login(target, "iqn.1993-08.org.debian:01:two")).isEqualTo(24);
            assertThat(login(target, one)).isZero();
            logout(target);
            withdraw(store, exporter, volume);
        }
    }

    private String connectedAs(String host, Attachment.Nvmeof subsystem) {
        return shell("nvme connect -t tcp -a 127.0.0.1 -s 4420 -n " + subsystem.nqn() + " -q " + host
                + " >/dev/null 2>&1 && echo connected || echo refused");
    }

    @Test
    void an_nvme_subsystem_takes_the_hosts_that_it_is_published_to_and_no_others(StorageHost host) {
        String one = "nqn.2014-08.org.nvmexpress:uuid:11111111-1111-1111-1111-111111111111";
        String two = "nqn.2014-08.org.nvmexpress:uuid:22222222-2222-2222-2222-222222222222";
        NvmeTarget nvme = new NvmeTarget(host);
        try (VolumeStore store = nvme.rig().volumes(Map.of());
                Exporter exporter = nvme.exporter()) {
            StoredVolume volume = closed(store, exporter, "pvc-nvme");
            var subsystem = (Attachment.Nvmeof)
                    exporter.export(volume, TestWork.patient()).attachment();
            assertThat(connectedAs(one, subsystem)).as("before any grant").isEqualTo("refused");

            admit(exporter, volume, grant(one, false));
            assertThat(connectedAs(two, subsystem)).as("another one").isEqualTo("refused");
            assertThat(connectedAs(one, subsystem)).as("the granted one").isEqualTo("connected");

            shell("nvme disconnect -n " + subsystem.nqn());
            admit(exporter, volume, grant(two, false));
            assertThat(connectedAs(one, subsystem)).as("after its revoke").isEqualTo("refused");
            assertThat(connectedAs(two, subsystem)).as("the second").isEqualTo("connected");

            // The host is still at it: where nobody is left, its connection ends.
            admit(exporter, volume, Grants.NONE);
            assertThat(shell("for i in $(seq 50); do cat /sys/class/nvme/*/state 2>/dev/null | grep -q -x live"
                            + " || { echo cut; exit 0; }; sleep 0.2; done; echo live"))
                    .isEqualTo("cut");
            shell("nvme disconnect-all; true");
            withdraw(store, exporter, volume);
        } finally {
            shell("nvme disconnect-all; true");
            nvme.close();
        }
    }
}
