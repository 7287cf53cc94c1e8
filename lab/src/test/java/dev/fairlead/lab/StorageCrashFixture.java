package dev.fairlead.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.kernel.lio.TargetModule;
import dev.fairlead.adapter.kernel.nvmet.NvmetModule;
import dev.fairlead.adapter.ssh.SshModule;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.adapter.zfs.share.ShareModule;
import dev.fairlead.adapter.zfs.store.ZfsStoreModule;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.bootstrap.driver.DriverType;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.testkit.crash.CrashFixture;
import dev.fairlead.testkit.crash.OneConnectionFixture;
import dev.fairlead.testkit.peer.PeerConnections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The storage host as controllers of one driver type find and leave it; told of by its own tools. */
final class StorageCrashFixture implements CrashFixture<OneConnectionFixture> {
    private static final Map<String, Object> ZFS =
            Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0777");

    private static final String NVMET_PORT = "/sys/kernel/config/nvmet/ports/1";

    /** What lets the host's own script for that take away targets and shares, and nothing else. */
    private static final String CLEAN = "shopt -s nullglob; eval \"$(sed -n -e '/^nvmet()/,/^}/p' -e '/^iscsi()/,/^}/p'"
            + " -e '/^shares()/,/^}/p' /usr/local/sbin/lab-clean)\"; { nvmet; iscsi; shares; } 2>/dev/null";

    /**
     * What the kernel has of LIO; targetcli would list it too, in ten seconds. Its part for iSCSI is there from the
     * first use on and stays. Numbers of backstores and names of links to LUNs are another each time.
     */
    private static final String TARGETS =
            "cd /sys/kernel/config/target; mkdir -p iscsi; { find iscsi core ! -type f | sort;"
                    + " grep -s . iscsi/*/tpgt_*/{enable,attrib/*,auth/*} iscsi/*/tpgt_*/acls/*/{cmdsn_depth,auth/*}"
                    + " core/*/*/{enable,udev_path,attrib/block_size}; }"
                    + " | sed -E 's,(/lun_[0-9]+/)[0-9a-f]{10}$,\\1link,; s,iblock_[0-9]+,iblock,'";

    /** Properties that are another each time, or follow from others. */
    private static final String PASSING =
            "creation|createtxg|guid|objsetid|available|used|usedby.*|referenced|written.*"
                    + "|logical.*|(ref)?compressratio|snapshots_changed|userrefs|version|utf8only|normalization";

    private final String driverType;
    private final ZfsPoolFixture zfsPoolFixture;
    private final Map<String, Object> zfs;
    private final Map<String, Object> keys;
    private boolean closed;
    private CommandRunnerFactory ssh = SshModule.ssh(() -> ZfsPoolFixture.SESSIONS);

    StorageCrashFixture(String driverType, StorageHost host) {
        this(driverType, host, ZFS, keys(driverType));
    }

    private StorageCrashFixture(
            String driverType, StorageHost host, Map<String, Object> zfs, Map<String, Object> keys) {
        this.driverType = driverType;
        this.zfsPoolFixture = new ZfsPoolFixture(host);
        this.zfs = zfs;
        this.keys = keys;
    }

    /** One with the file that democratic-csi's commands were recorded with. */
    static StorageCrashFixture ofPeer(String driverType, StorageHost host) {
        var blocks = PeerConnections.of(driverType);
        return new StorageCrashFixture(driverType, host, blocks.zfs(), blocks.protocol());
    }

    /** @param parents that classes may name, by their labels */
    StorageCrashFixture(String driverType, StorageHost host, Map<String, String> parents) {
        this(driverType, host, ZFS, new HashMap<>(keys(driverType)));
        this.keys.put("fairlead", Map.of("parents", parents));
    }

    /** From now on its volumes are born closed to all but the nodes that they are published to. */
    StorageCrashFixture closed() {
        closed = true;
        return this;
    }

    /** From now on its processes go by this way to the host. */
    StorageCrashFixture by(CommandRunnerFactory way) {
        ssh = way;
        return this;
    }

    private static Map<String, Object> keys(String driverType) {
        return switch (driverType) {
            case "zfs-generic-nfs" -> Map.of("nfs", share("sharenfs", "rw,no_subtree_check,no_root_squash"));
            case "zfs-generic-smb" -> Map.of("smb", share("sharesmb", "on"));
            case "zfs-generic-iscsi" ->
                Map.of(
                        "iscsi",
                        Map.of(
                                "shareStrategy",
                                "targetCli",
                                "targetPortal",
                                "127.0.0.1:3260",
                                "shareStrategyTargetCli",
                                Map.of(
                                        "basename",
                                        "iqn.2003-01.org.example.fairlead",
                                        "tpg",
                                        Map.of(
                                                "attributes",
                                                Map.of(
                                                        "authentication",
                                                        0,
                                                        "generate_node_acls",
                                                        1,
                                                        "demo_mode_write_protect",
                                                        0)))));
            case "zfs-generic-nvmeof" ->
                Map.of(
                        "nvmeof",
                        Map.of(
                                "transport",
                                "tcp://127.0.0.1:4420",
                                "shareStrategy",
                                "nvmetCli",
                                "shareStrategyNvmetCli",
                                Map.of("basename", NvmeTarget.BASE, "ports", List.of("1"))));
            default -> Map.of();
        };
    }

    private static Map<String, Object> share(String property, String options) {
        return Map.of(
                "shareHost",
                "127.0.0.1",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", Map.of(property, options)));
    }

    ZfsPoolFixture rig() {
        return zfsPoolFixture;
    }

    /** Reads the file of the type's connection anew, as a process that starts does. */
    @Override
    public OneConnectionFixture open() {
        var hosts = new StorageHosts(Map.of("ssh", ssh, "local", ssh)); // a node's own pool is this host's too
        var connections = new ZfsConnections(hosts);
        Map<String, Object> block = new HashMap<>(zfs);
        block.put("detachedSnapshotsDatasetParentName", zfsPoolFixture.host().parent() + "/s");
        ConfigNode file = zfsPoolFixture.file(block, keys);
        var scope = ZfsPoolFixture.scope(driverType);
        DriverType row = DriverTypes.all().rows().stream()
                .filter(type -> type.name().equals(driverType))
                .findFirst()
                .orElseThrow();
        Map<String, StoreFactory> stores = Map.of(
                "zfs-filesystem", ZfsStoreModule.filesystems(connections),
                "zfs-volume", ZfsStoreModule.volumes(connections));
        Map<String, ExporterFactory> exporters = Map.of(
                "zfs-sharenfs", ShareModule.nfs(connections),
                "zfs-sharesmb", ShareModule.smb(connections),
                "targetcli", TargetModule.iscsi(hosts),
                "nvmetcli", NvmetModule.nvmet(hosts),
                "zfs-local-dataset", ShareModule.localDataset(connections),
                "zfs-local-zvol", ShareModule.localVolume(connections));
        VolumeStore store = Objects.requireNonNull(stores.get(row.store())).open(scope, file);
        Exporter exporter =
                Objects.requireNonNull(exporters.get(row.exporter())).open(scope, file, store.noteLook());
        return closed
                ? OneConnectionFixture.closed(driverType, store, exporter)
                : new OneConnectionFixture(driverType, store, exporter);
    }

    /**
     * Returns what hosts know a volume's NVMe namespace by, as {@link #dump} has it; nothing if no host can have seen
     * it yet.
     */
    List<String> shownIdentity(String volume) {
        return zfsPoolFixture
                .bash("cd /sys/kernel/config/nvmet 2>/dev/null || exit 0; for s in subsystems/*-" + volume
                        + "; do [ \"$(cat $s/namespaces/1/enable 2>/dev/null)\" != 1 ] || grep -s ."
                        + " $s/attr_serial $s/namespaces/1/{device_nguid,device_uuid}; done")
                .lines()
                .map(String::strip)
                .toList();
    }

    /** Takes away targets and shares. */
    void clear() {
        zfsPoolFixture.bash(CLEAN);
    }

    @Override
    public void reset() {
        String parents = zfsPoolFixture.parent() + " " + zfsPoolFixture.host().parent() + "/s";
        String port = !driverType.equals("zfs-generic-nvmeof")
                ? ""
                : "modprobe -a nvmet nvmet-tcp; mkdir " + NVMET_PORT + "; cd " + NVMET_PORT
                        + "; echo tcp >addr_trtype; echo ipv4 >addr_adrfam;"
                        + " echo 127.0.0.1 >addr_traddr; echo 4420 >addr_trsvcid";
        zfsPoolFixture.bash(CLEAN + "; set -e; udevadm settle; for d in " + parents + "; do"
                + " [ \"$(zfs list -H -o name -t all -r $d 2>/dev/null)\" = $d ] || {"
                + " zfs destroy -R $d 2>/dev/null || true; zfs create $d; }; done; " + port);
    }

    @Override
    public void close(OneConnectionFixture oneConnectionFixture) {
        oneConnectionFixture.close();
    }

    /** Its session ends, as that of a dead process does. */
    @Override
    public void bury(OneConnectionFixture oneConnectionFixture) {
        oneConnectionFixture.close();
    }

    @Override
    public String dump() {
        String text = zfsPoolFixture.bash("set -o pipefail; zfs get -Hp -r -t all -o name,property,value,source all "
                + zfsPoolFixture.host().parent() + " | awk -F'\\t' '$2 !~ /^(" + PASSING + ")$/' | sort;"
                + " echo exports; exportfs -v | sort; echo samba; testparm -s 2>/dev/null | grep '^\\[' ;"
                + " cat /var/lib/samba/usershares/* 2>/dev/null;"
                + " echo lio; " + TARGETS + "; cat /etc/rtslib-fb-target/saveconfig.json 2>/dev/null"
                + " | grep -v -e '\"wwn\": \"[0-9a-f-]*\"' -e '\"alias\": \"[0-9a-f]*\"';"
                + " echo nvmet; cd /sys/kernel/config/nvmet && { find . | sort; grep -rs . subsystems ports | sort; };"
                + " cat /etc/nvmet/config.json 2>/dev/null; exit 0");
        assertThat(text).contains(zfsPoolFixture.parent()).contains("nvmet");
        return text;
    }

    @Override
    public String toString() {
        return driverType;
    }
}
