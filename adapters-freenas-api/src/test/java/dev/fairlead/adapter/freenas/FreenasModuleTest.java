package dev.fairlead.adapter.freenas;

import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The connection files of TrueNAS boxes. */
class FreenasModuleTest {
    private static final String LONG = "tank/" + "x".repeat(210);

    @Nested
    class Filesystems implements FreenasFileContract<VolumeStore>, StoreFactoryContract {
        @Override
        public StoreFactory factory() {
            return FreenasModule.filesystems(connections(), pending(), InstantSource.system());
        }

        @Override
        public String protocol() {
            return "nfs";
        }

        @Override
        public Mapping goodConfig() {
            return file(Map.of(
                    "datasetParentName",
                    PARENT,
                    "detachedSnapshotsDatasetParentName",
                    "tank/k8s/s",
                    "datasetEnableQuotas",
                    true,
                    "datasetPermissionsMode",
                    "0777",
                    "datasetProperties",
                    Map.of("atime", "off", "sync", "{{ parameters.sync }}")));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(
                    new BadConfig("nothing", Mapping.EMPTY, List.of("httpConnection.host", "zfs.datasetParentName")),
                    new BadConfig(
                            "a whole pool",
                            ConfigTrees.with(goodConfig(), "zfs.datasetParentName", "tank"),
                            List.of("zfs.datasetParentName")),
                    new BadConfig(
                            "a parent with a name that leaves no room",
                            ConfigTrees.with(goodConfig(), "zfs.datasetParentName", LONG),
                            List.of("zfs.datasetParentName")),
                    new BadConfig(
                            "a mode that the API does not take",
                            ConfigTrees.with(goodConfig(), "zfs.datasetPermissionsMode", "u+rwx"),
                            List.of("zfs.datasetPermissionsMode")),
                    new BadConfig(
                            "words that the API has not",
                            ConfigTrees.with(
                                    ConfigTrees.with(goodConfig(), "zfs.datasetProperties.compression", "gzip-3"),
                                    "zfs.datasetProperties.sync",
                                    "sometimes"),
                            List.of("zfs.datasetProperties.compression", "zfs.datasetProperties.sync")));
        }
    }

    @Nested
    class Volumes implements FreenasFileContract<VolumeStore>, StoreFactoryContract {
        @Override
        public StoreFactory factory() {
            return FreenasModule.volumes(connections(), pending(), InstantSource.system());
        }

        @Override
        public String protocol() {
            return "iscsi";
        }

        @Override
        public Mapping goodConfig() {
            return file(Map.of(
                    "datasetParentName",
                    PARENT,
                    "zvolBlocksize",
                    "16K",
                    "zvolEnableReservation",
                    false,
                    "zvolCompression",
                    "LZ4"));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(
                    new BadConfig(
                            "a property that the API does not set",
                            ConfigTrees.with(goodConfig(), "zfs.datasetProperties.logbias", "latency"),
                            List.of("zfs.datasetProperties.logbias")),
                    new BadConfig(
                            "a property of filesystems",
                            ConfigTrees.with(goodConfig(), "zfs.datasetProperties.atime", "off"),
                            List.of("zfs.datasetProperties.atime")),
                    new BadConfig(
                            "words of block volumes that the API has not",
                            ConfigTrees.with(
                                    ConfigTrees.with(goodConfig(), "zfs.zvolCompression", "gzip-2"),
                                    "zfs.zvolDedup",
                                    "sha256"),
                            List.of("zfs.zvolCompression", "zfs.zvolDedup")));
        }
    }
}
