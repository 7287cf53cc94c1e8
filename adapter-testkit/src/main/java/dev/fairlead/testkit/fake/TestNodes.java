package dev.fairlead.testkit.fake;

import dev.fairlead.domain.node.NodeIdentity;
import java.util.Optional;

/** Nodes of a test, by number: each has a name for every protocol. */
public final class TestNodes {
    private TestNodes() {}

    public static NodeIdentity node(int number) {
        return new NodeIdentity(
                Optional.of("node-" + number),
                Optional.empty(),
                Optional.of("iqn.1993-08.org.debian:01:" + number),
                Optional.of("nqn.2014-08.org.nvmexpress:uuid:0000-" + number),
                Optional.of("10.0.0." + number));
    }
}
