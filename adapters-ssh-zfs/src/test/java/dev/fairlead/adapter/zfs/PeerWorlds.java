package dev.fairlead.adapter.zfs;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A connection of each driver type, with the file that the commands of {@link PeerCommands} were recorded with. */
final class PeerWorlds {
    private static final Map<String, ZfsWorld> WORLDS = Map.of(
            "zfs-generic-nfs",
            ZfsWorld.of(
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
                            "datasetProperties",
                            Map.of("x:y", "z")),
                    Map.of("nfs", ZfsWorld.share("sharenfs", "on"))),
            "zfs-generic-smb",
            ZfsWorld.shared("smb", "sharesmb", Map.of("datasetEnableQuotas", true, "datasetPermissionsMode", "0770")),
            "zfs-generic-iscsi",
            ZfsWorld.of(
                    "zfs-generic-iscsi",
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
                                    Map.of("basename", "iqn.2003-01.org.x")))),
            "zfs-generic-nvmeof",
            ZfsWorld.of(
                    "zfs-generic-nvmeof",
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
            ZfsWorld.of("zfs-local-dataset", Map.of("datasetEnableQuotas", true), Map.of()),
            "zfs-local-zvol",
            ZfsWorld.local("zfs-local-zvol"));

    private PeerWorlds() {}

    static Stream<String> types() {
        return WORLDS.keySet().stream().sorted();
    }

    static ZfsWorld of(String driverType) {
        return Objects.requireNonNull(WORLDS.get(driverType), driverType);
    }
}
