package dev.fairlead.adapter.zfs;

import dev.fairlead.testkit.peer.PeerConnections;
import java.util.stream.Stream;

/** A connection of each driver type, with the file that democratic-csi's commands were recorded with. */
final class PeerFixtures {
    private PeerFixtures() {}

    static Stream<String> types() {
        return PeerConnections.types();
    }

    static ZfsCrashFixture of(String driverType) {
        var blocks = PeerConnections.of(driverType);
        return ZfsCrashFixture.of(driverType, blocks.zfs(), blocks.protocol());
    }
}
