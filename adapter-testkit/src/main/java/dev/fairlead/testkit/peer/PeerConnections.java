package dev.fairlead.testkit.peer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Holds the connection files that the commands of {@link PeerCommands} were recorded with, one of each driver type. */
public final class PeerConnections {
    private static final Map<String, Blocks> ALL = Map.of(
            "zfs-generic-nfs",
            new Blocks(
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
                            "datasetProperties",
                            Map.of("x:y", "z")),
                    Map.of("nfs", share("sharenfs"))),
            "zfs-generic-smb",
            new Blocks(
                    Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0770"),
                    Map.of("smb", share("sharesmb"))),
            "zfs-generic-iscsi",
            new Blocks(
                    Map.of("zvolDedup", "on"),
                    Map.of(
                            "iscsi",
                            Map.of(
                                    "shareStrategy",
                                    "targetCli",
                                    "targetPortal",
                                    "nas:3260",
                                    "namePrefix",
                                    "k-",
                                    "shareStrategyTargetCli",
                                    Map.of(
                                            "basename",
                                            "iqn.2003-01.org.x",
                                            "tpg",
                                            Map.of(
                                                    "attributes",
                                                    Map.of("authentication", 0, "generate_node_acls", 1)))))),
            "zfs-generic-nvmeof",
            new Blocks(
                    Map.of(),
                    Map.of(
                            "nvmeof",
                            Map.of(
                                    "transport",
                                    "tcp://nas:4420",
                                    "namePrefix",
                                    "ns-",
                                    "shareStrategy",
                                    "nvmetCli",
                                    "shareStrategyNvmetCli",
                                    Map.of("basename", "nqn.2003-01.org.x", "ports", List.of("1"))))),
            "zfs-local-dataset",
            new Blocks(Map.of("datasetEnableQuotas", true), Map.of()),
            "zfs-local-zvol",
            new Blocks(Map.of(), Map.of()));

    private PeerConnections() {}

    /**
     * Holds what a file has besides the connection to its host.
     *
     * @param zfs the keys of its block {@code zfs}, except those that name parents
     * @param protocol the block of its protocol, by its key
     */
    public record Blocks(Map<String, Object> zfs, Map<String, Object> protocol) {}

    public static Stream<String> types() {
        return ALL.keySet().stream().sorted();
    }

    public static Blocks of(String driverType) {
        return Objects.requireNonNull(ALL.get(driverType), driverType);
    }

    private static Map<String, Object> share(String property) {
        return Map.of(
                "shareHost",
                "nas",
                "shareStrategy",
                "setDatasetProperties",
                "shareStrategySetDatasetProperties",
                Map.of("properties", Map.of(property, "on")));
    }
}
