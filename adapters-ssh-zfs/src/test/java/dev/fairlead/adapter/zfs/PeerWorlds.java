package dev.fairlead.adapter.zfs;

import dev.fairlead.testkit.peer.PeerConnections;
import java.util.stream.Stream;

/** A connection of each driver type, with the file that democratic-csi's commands were recorded with. */
final class PeerWorlds {
    private PeerWorlds() {}

    static Stream<String> types() {
        return PeerConnections.types();
    }

    static ZfsWorld of(String driverType) {
        var blocks = PeerConnections.of(driverType);
        return ZfsWorld.of(driverType, blocks.zfs(), blocks.protocol());
    }
}
