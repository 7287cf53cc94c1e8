package dev.fairlead.adapter.zfs.share;

import dev.fairlead.adapter.zfs.fake.FakePool;
import dev.fairlead.adapter.zfs.host.ShareProtocol;
import dev.fairlead.adapter.zfs.host.ZfsConnections;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.CommandRunnerFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.testkit.ConfigTrees;
import dev.fairlead.testkit.contract.export.ExporterFactoryContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;

/** The {@code nfs} and {@code smb} blocks of a connection's file, and the types that need none. */
class ShareFactoryTest {
    private static ZfsConnections connections() {
        CommandRunnerFactory none = (_, _) -> new FakePool("tank");
        return new ZfsConnections(new StorageHosts(Map.of("ssh", none, "local", none)));
    }

    /** A block of this protocol. */
    interface Shared extends ExporterFactoryContract {
        ShareProtocol protocol();

        @Override
        default String driverType() {
            return "zfs-generic-" + protocol().block();
        }

        private String key(String name) {
            return protocol().block() + "." + name;
        }

        private String property() {
            return key(
                    "shareStrategySetDatasetProperties.properties." + protocol().property());
        }

        @Override
        default Mapping goodConfig() {
            return ConfigTrees.of(Map.of(
                    "driver",
                    driverType(),
                    "zfs",
                    Map.of("datasetParentName", "tank/v"),
                    protocol().block(),
                    Map.of(
                            "shareHost",
                            "nas.example.org",
                            "shareStrategy",
                            "setDatasetProperties",
                            "shareStrategySetDatasetProperties",
                            Map.of("properties", Map.of(protocol().property(), "on", "share", "name=x")))));
        }

        @Override
        default Set<String> anyShape() {
            return Set.of("driver", "zfs.datasetParentName");
        }

        @Override
        default List<BadConfig> badConfigs() {
            Mapping none = ConfigTrees.without(goodConfig(), protocol().block());
            Mapping unshared = ConfigTrees.with(
                    goodConfig(), key("shareStrategySetDatasetProperties.properties"), Map.of("share", ""));
            return moreBadConfigs(List.of(
                    new BadConfig("no block", none, List.of(key("shareHost"), key("shareStrategy"), property())),
                    new BadConfig("nothing that shares", unshared, List.of(property())),
                    bad("a host with blanks", key("shareHost"), "nas one"),
                    bad("no host at all", key("shareHost"), ""),
                    bad("another strategy", key("shareStrategy"), "exportfs"),
                    bad("options of two lines", property(), "rw\nno_root_squash")));
        }

        /** Those that are the protocol's own. */
        default List<BadConfig> moreBadConfigs(List<BadConfig> all) {
            return all;
        }

        private BadConfig bad(String mistake, String path, String value) {
            return new BadConfig(mistake, ConfigTrees.with(goodConfig(), path, value), List.of(path));
        }
    }

    @Nested
    class Nfs implements Shared {
        @Override
        public ShareProtocol protocol() {
            return ShareProtocol.NFS;
        }

        @Override
        public ExporterFactory factory() {
            return ShareModule.nfs(connections());
        }
    }

    @Nested
    class Smb implements Shared {
        @Override
        public ShareProtocol protocol() {
            return ShareProtocol.SMB;
        }

        @Override
        public ExporterFactory factory() {
            return ShareModule.smb(connections());
        }

        /** A volume {@code fast-1} of the one and a volume {@code 1} of the other would be shared as tank_v_fast_1. */
        @Override
        public List<BadConfig> moreBadConfigs(List<BadConfig> all) {
            List<BadConfig> more = new ArrayList<>(all);
            for (String parent : List.of("tank/v-fast", "tank/V_fast", "tank-v")) {
                more.add(new BadConfig(
                        "shares of one name: " + parent,
                        ConfigTrees.with(goodConfig(), "fairlead.parents", Map.of("fast", parent)),
                        List.of("fairlead.parents.fast")));
            }
            return more;
        }
    }

    /** A pool of the node itself has no block of its own. */
    interface Local extends ExporterFactoryContract {
        @Override
        default Mapping goodConfig() {
            return ConfigTrees.of(Map.of("driver", driverType(), "zfs", Map.of("datasetParentName", "tank/v")));
        }

        @Override
        default List<BadConfig> badConfigs() {
            return List.of(new BadConfig(
                    "no parent",
                    ConfigTrees.without(goodConfig(), "zfs.datasetParentName"),
                    List.of("zfs.datasetParentName")));
        }
    }

    @Nested
    class LocalDatasets implements Local {
        @Override
        public String driverType() {
            return "zfs-local-dataset";
        }

        @Override
        public ExporterFactory factory() {
            return ShareModule.localDataset(connections());
        }
    }

    @Nested
    class LocalVolumes implements Local {
        @Override
        public String driverType() {
            return "zfs-local-zvol";
        }

        @Override
        public ExporterFactory factory() {
            return ShareModule.localVolume(connections());
        }
    }
}
