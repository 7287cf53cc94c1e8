package dev.fairlead.adapter.freenas;

import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.store.dataset.PendingChanges;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import dev.fairlead.testkit.contract.volume.StoreFactoryContract;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The connection files of TrueNAS boxes. */
class FreenasModuleTest {
    private static final String LONG = "tank/" + "x".repeat(210);
    private static final Map<String, Object> HTTP = Map.of("host", "nas.example.org", "apiKey", "1-" + "k".repeat(64));

    private static TruenasConnections connections() {
        return new TruenasConnections(Thread.ofVirtual().factory());
    }

    private static PendingChanges pending() {
        return new PendingChanges(InstantSource.system());
    }

    @Nested
    class Filesystems implements StoreFactoryContract {
        @Override
        public StoreFactory factory() {
            return FreenasModule.filesystems(connections(), pending(), InstantSource.system());
        }

        @Override
        public String driverType() {
            return "freenas-api-nfs";
        }

        @Override
        public Mapping goodConfig() {
            return ConfigTrees.of(Map.of(
                    "driver",
                    driverType(),
                    "httpConnection",
                    HTTP,
                    "zfs",
                    Map.of(
                            "datasetParentName",
                            "tank/k8s/v",
                            "detachedSnapshotsDatasetParentName",
                            "tank/k8s/s",
                            "datasetEnableQuotas",
                            true,
                            "datasetPermissionsMode",
                            "0777",
                            "datasetProperties",
                            Map.of("atime", "off"))));
        }

        @Override
        public List<String> secrets() {
            return List.of("k".repeat(64));
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
                            List.of("zfs.datasetPermissionsMode")));
        }
    }

    @Nested
    class Volumes implements StoreFactoryContract {
        @Override
        public StoreFactory factory() {
            return FreenasModule.volumes(connections(), pending(), InstantSource.system());
        }

        @Override
        public String driverType() {
            return "freenas-api-iscsi";
        }

        @Override
        public Mapping goodConfig() {
            return ConfigTrees.of(Map.of(
                    "driver",
                    driverType(),
                    "httpConnection",
                    HTTP,
                    "zfs",
                    Map.of("datasetParentName", "tank/k8s/v", "zvolBlocksize", "16K", "zvolEnableReservation", false)));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(
                    new BadConfig(
                            "a blank in a name of which a path is made",
                            ConfigTrees.with(goodConfig(), "zfs.datasetParentName", "tank/k8s v"),
                            List.of("zfs.datasetParentName")),
                    new BadConfig(
                            "a property that the API does not set",
                            ConfigTrees.with(goodConfig(), "zfs.datasetProperties.logbias", "latency"),
                            List.of("zfs.datasetProperties.logbias")),
                    new BadConfig(
                            "a property of filesystems",
                            ConfigTrees.with(goodConfig(), "zfs.datasetProperties.atime", "off"),
                            List.of("zfs.datasetProperties.atime")));
        }
    }

    @Nested
    class NfsShares implements ExporterFactoryContract {
        @Override
        public ExporterFactory factory() {
            return FreenasModule.nfs(connections(), pending());
        }

        @Override
        public String driverType() {
            return "freenas-api-nfs";
        }

        @Override
        public Mapping goodConfig() {
            return ConfigTrees.of(Map.of(
                    "driver",
                    driverType(),
                    "httpConnection",
                    HTTP,
                    "zfs",
                    Map.of("datasetParentName", "tank/v"),
                    "nfs",
                    Map.of("shareHost", "nas.example.org", "shareMaprootUser", "root")));
        }

        @Override
        public List<BadConfig> badConfigs() {
            return List.of(new BadConfig(
                    "no host", ConfigTrees.with(goodConfig(), "nfs.shareHost", ""), List.of("nfs.shareHost")));
        }
    }
}
