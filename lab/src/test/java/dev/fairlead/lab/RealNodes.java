package dev.fairlead.lab;

import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.node.NodeIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes on the storage host itself, each with an address, an initiator's name and an NQN of its own, who use volumes by
 * hand as a node's programs do.
 */
final class RealNodes implements AutoCloseable {
    /** The address by which nodes reach the storage host. */
    static final String HOST = "198.51.100.1";

    private static final String NQN = "nqn.2014-08.org.nvmexpress:uuid:11111111-1111-1111-1111-11111111111";
    private static final String IQN = "iqn.1993-08.org.debian:01:";

    private static final String BEGIN = "for n in 2 3; do ip netns del fl$n 2>/dev/null; ip netns add fl$n;"
            + " ip link add fl$n type veth peer name eth0 netns fl$n;"
            + " ip link set fl$n up; ip netns exec fl$n ip link set lo up;"
            + " ip netns exec fl$n ip link set eth0 up;"
            + " ip netns exec fl$n ip addr add 198.51.100.$n/32 dev eth0;"
            + " ip addr replace " + HOST + "/32 dev fl$n; ip route replace 198.51.100.$n/32 dev fl$n;"
            + " ip netns exec fl$n ip route add " + HOST + "/32 dev eth0; done; mkdir -p /run/fl; modprobe nvme-tcp;"
            + " modprobe iscsi_tcp; systemctl start iscsid 2>/dev/null; true";
    private static final String END = "for n in 2 3; do ip netns del fl$n 2>/dev/null; ip link del fl$n 2>/dev/null;"
            + " done; nvme disconnect-all; iscsiadm -m session -u >/dev/null 2>&1; true";

    private final StorageHost host;

    RealNodes(StorageHost host) throws IOException {
        this.host = host;
        var _ = host.shell(BEGIN);
    }

    /** Returns the node_id of one of the nodes 2 and 3. */
    static String id(int node) {
        NodeIdentity identity = new NodeIdentity(
                Optional.of("node-" + node),
                Optional.empty(),
                Optional.of(IQN + node),
                Optional.of(NQN + node),
                Optional.of("198.51.100." + node));
        return new NodeIdCodec(
                        List.of(new NodeIdCodec.Prefix("1", IQN)),
                        List.of(new NodeIdCodec.Prefix("u", "nqn.2014-08.org.nvmexpress:uuid:")))
                .format(identity);
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** Has a node use a volume: what the work printed in the volume's folder, or "refused". */
    String use(Map<String, String> context, int node, String work) throws IOException {
        String done = "(cd /run/fl && " + work + "; sync -f .) && umount /run/fl";
        String script = switch (context.getOrDefault("node_attach_driver", "")) {
            case "nfs" ->
                mounted(
                        node,
                        "-t nfs -o vers=4.2,soft,timeo=50,retrans=1 " + context.get("server") + ":"
                                + context.get("share"),
                        done);
            case "smb" ->
                mounted(
                        node,
                        "-t cifs -o username=keeper,password=$(sed -n s/^keeper://p /etc/lab/passwords) //"
                                + context.get("server") + "/" + context.get("share"),
                        done);
            case "iscsi" -> iscsi(context, node, done);
            case "nvmeof" -> nvme(context, node, done);
            default -> throw new IllegalArgumentException("no way to use " + context);
        };
        return host.shell(script).strip();
    }

    private static String mounted(int node, String what, String done) {
        return "ip netns exec fl" + node + " unshare -m sh -c "
                + quoted("mount " + what + " /run/fl >/dev/null 2>&1 || { echo refused; exit 0; }; " + done);
    }

    /** A disk that has a file system keeps it, and fills the disk. */
    private static String onDisk(String done) {
        return "[ -n \"$d\" ] || { echo no disk; exit 1; }; { blkid $d >/dev/null || mkfs.ext4 -q $d; } && mount $d"
                + " /run/fl && { resize2fs $d >/dev/null 2>&1; " + done + "; }";
    }

    private static String iscsi(Map<String, String> context, int node, String done) {
        String iqn = context.get("iqn");
        String record = "iscsiadm -m node -T " + iqn + " -p " + context.get("portal");
        return "iscsiadm -m iface -I fl -o delete >/dev/null 2>&1; { iscsiadm -m iface -I fl -o new;"
                + " iscsiadm -m iface -I fl -o update -n iface.initiatorname -v " + IQN + node + ";"
                + " iscsiadm -m iface -I fl -o update -n iface.transport_name -v tcp; " + record + " -I fl -o new; "
                + record + " -I fl -o update -n node.session.initial_login_retry_max -v 1; } >/dev/null 2>&1; "
                + record + " -I fl --login >/dev/null 2>&1 || { echo refused; iscsiadm -m node -o delete; exit 0; };"
                + " udevadm settle; d=; for i in $(seq 50); do for s in /sys/class/iscsi_session/session*; do"
                + " [ \"$(cat $s/targetname)\" = " + iqn
                + " ] || continue; for b in $s/device/target*/*:0/block/*; do [ ! -e $b ] || d=/dev/${b##*/}; done;"
                + " done; [ -z \"$d\" ] || break; sleep 0.2; done; " + onDisk(done) + "; " + record
                + " --logout >/dev/null 2>&1; iscsiadm -m node -o delete >/dev/null 2>&1; true";
    }

    private static String nvme(Map<String, String> context, int node, String done) {
        String nqn = context.get("nqn");
        return "nvme connect -t tcp -a " + HOST + " -s 4420 -n " + nqn + " -q " + NQN + node
                + " >/dev/null 2>&1 || { echo refused; exit 0; };"
                + " d=; for i in $(seq 50); do for s in /sys/class/nvme-subsystem/*/; do [ \"$(cat $s/subsysnqn)\" = "
                + nqn + " ] || continue; for b in $s/nvme*n1; do [ ! -b /dev/${b##*/} ] || d=/dev/${b##*/}; done;"
                + " done; [ -z \"$d\" ] || break; sleep 0.2; done; " + onDisk(done) + "; nvme disconnect -n " + nqn
                + " >/dev/null";
    }

    @Override
    public void close() throws IOException {
        var _ = host.shell(END);
    }
}
