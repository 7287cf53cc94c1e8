package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;

/** The {@code zfs} block of a connection's file, which both stores read alike. */
class ZfsStoreFactoryTest {
    /** Every key of the block. */
    interface Block extends StoreFactoryContract {
        static ZfsConnections connections() {
            CommandRunnerFactory none = (_, _) -> new FakePool("tank");
            return new ZfsConnections(new StorageHosts(Map.of("ssh", none, "local", none)));
        }

        @Override
        default Mapping goodConfig() {
            return ConfigTrees.of(Map.of(
                    "driver",
                    driverType(),
                    "fairlead",
                    Map.of("parents", Map.of("fast", "ssd/k8s/v", "bulk-2", "tank/k8s/b")),
                    "zfs",
                    Map.ofEntries(
                            Map.entry("datasetParentName", "tank/k8s/v"),
                            Map.entry("detachedSnapshotsDatasetParentName", "tank/k8s/s"),
                            Map.entry("datasetEnableQuotas", true),
                            Map.entry("datasetEnableReservation", true),
                            Map.entry("datasetPermissionsMode", "0777"),
                            Map.entry("datasetPermissionsUser", 0),
                            Map.entry("datasetPermissionsGroup", "wheel"),
                            Map.entry("datasetPermissionsAcls", List.of("-m everyone@:full_set:allow")),
                            Map.entry("datasetPermissionsAclsBinary", "nfs4_setfacl"),
                            Map.entry("datasetProperties", Map.of("example:owner", "{{ parameters.[team] }}")),
                            Map.entry("snapshotProperties", Map.of("example:kept", "yes")),
                            Map.entry("zvolBlocksize", "16K"),
                            Map.entry("zvolCompression", "lz4"),
                            Map.entry("zvolDedup", "off"),
                            Map.entry("zvolEnableReservation", false),
                            Map.entry(
                                    "cli",
                                    Map.of(
                                            "sudoEnabled",
                                            true,
                                            "paths",
                                            Map.of(
                                                    "zfs", "/usr/sbin/zfs",
                                                    "zpool", "/usr/sbin/zpool",
                                                    "sudo", "/usr/bin/sudo",
                                                    "chroot", "/usr/sbin/chroot"))))));
        }

        /** Paths of programs that are never run are not looked at. */
        @Override
        default Set<String> anyShape() {
            return Set.of("driver", "zfs.cli.paths.zpool", "zfs.cli.paths.chroot");
        }

        @Override
        default List<BadConfig> badConfigs() {
            Mapping several = ConfigTrees.with(
                    ConfigTrees.with(
                            ConfigTrees.without(goodConfig(), "zfs.datasetParentName"), "zfs.zvolBlocksize", "12K"),
                    "zfs.datasetPermissionsMode",
                    "rwx");
            return List.of(
                    new BadConfig(
                            "several",
                            several,
                            List.of("zfs.datasetParentName", "zfs.zvolBlocksize", "zfs.datasetPermissionsMode")),
                    bad("no block", ConfigTrees.without(goodConfig(), "zfs"), "zfs.datasetParentName"),
                    bad("a snapshot as parent", "zfs.datasetParentName", "tank/v@now"),
                    bad("a parent with an option's form", "zfs.datasetParentName", "-r"),
                    bad(
                            "parents that lie within each other",
                            "zfs.detachedSnapshotsDatasetParentName",
                            "tank/k8s/v/snapshots"),
                    bad(
                            "a label in capitals",
                            ConfigTrees.with(goodConfig(), "fairlead.parents", Map.of("Fast", "ssd/k8s/v")),
                            "fairlead.parents.Fast"),
                    bad(
                            "a label that leaves no room",
                            ConfigTrees.with(goodConfig(), "fairlead.parents", Map.of("fast-or-bulk1", "ssd/k8s/v")),
                            "fairlead.parents.fast-or-bulk1"),
                    bad("a labelled parent that is none", "fairlead.parents.fast", "ssd/v@now"),
                    bad("the usual parent by a label", "fairlead.parents.fast", "tank/k8s/v"),
                    bad("a labelled parent above the usual one", "fairlead.parents.fast", "tank"),
                    bad("a labelled parent among detached snapshots", "fairlead.parents.fast", "tank/k8s/s/v"),
                    bad(
                            "labelled parents that lie within each other",
                            ConfigTrees.with(
                                    goodConfig(),
                                    "fairlead.parents",
                                    new TreeMap<>(Map.of("bulk-2", "ssd/k8s", "fast", "ssd/k8s/v"))),
                            "fairlead.parents.fast"),
                    bad("a user that is an option", "zfs.datasetPermissionsUser", "--reference=/etc/shadow"),
                    bad(
                            "a property that is none",
                            ConfigTrees.with(goodConfig(), "zfs.datasetProperties", Map.of("a b", "c")),
                            "zfs.datasetProperties.a b"),
                    bad(
                            "a broken template",
                            ConfigTrees.with(goodConfig(), "zfs.datasetProperties", Map.of("a:b", "{{ parameters.")),
                            "zfs.datasetProperties.a:b"),
                    bad("a program that is an option", "zfs.cli.paths.zfs", "-x"));
        }

        private BadConfig bad(String mistake, Mapping config, String reported) {
            return new BadConfig(mistake, config, List.of(reported));
        }

        private BadConfig bad(String mistake, String path, String value) {
            return bad(mistake, ConfigTrees.with(goodConfig(), path, value), path);
        }
    }

    @Nested
    class Filesystems implements Block {
        @Override
        public StoreFactory factory() {
            return ZfsStoreModule.filesystems(Block.connections());
        }

        @Override
        public String driverType() {
            return "zfs-generic-nfs";
        }
    }

    /** Devices that a target shows are found by their paths, in which ZFS has no blanks. */
    @Nested
    class Devices implements Block {
        @Override
        public StoreFactory factory() {
            return ZfsStoreModule.volumes(Block.connections());
        }

        @Override
        public String driverType() {
            return "zfs-generic-iscsi";
        }

        @Override
        public List<BadConfig> badConfigs() {
            List<BadConfig> more = new ArrayList<>(Block.super.badConfigs());
            for (String key : List.of("zfs.datasetParentName", "fairlead.parents.fast")) {
                more.add(new BadConfig(
                        "a blank in a device's path", ConfigTrees.with(goodConfig(), key, "rust/a b"), List.of(key)));
            }
            return more;
        }
    }

    @Nested
    class BlockVolumes implements Block {
        @Override
        public StoreFactory factory() {
            return ZfsStoreModule.volumes(Block.connections());
        }

        @Override
        public String driverType() {
            return "zfs-local-zvol";
        }

        @Override
        public boolean nodeLocal() {
            return true;
        }
    }
}
