package dev.fairlead.bootstrap.node;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.node.NodeIdCodec.Prefix;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code proxy.nodeId} of a proxy's main file, or {@code fairlead.nodeId} of a driver's own file. */
public final class NodeIdReader {
    private NodeIdReader() {}

    public static NodeIdForm read(ConfigNode proxy) {
        ConfigNode node = proxy.child("nodeId");
        ConfigNode parts = node.child("parts");
        boolean nodeName = parts.bool("nodeName", true);
        boolean hostname = parts.bool("hostname", false);
        boolean iqn = parts.bool("iqn", false);
        boolean nqn = parts.bool("nqn", false);
        boolean address = parts.bool("address", false);
        if (!nodeName && !hostname && !iqn && !nqn && !address) {
            node.problems()
                    .error(parts.path(), parts.line(), "leaves no part of a node id", "set at least one part to true");
        }
        return new NodeIdForm(nodeName, hostname, iqn, nqn, address, codec(node));
    }

    private static NodeIdCodec codec(ConfigNode node) {
        List<Prefix> iqn = prefixes(node, "iqnPrefix");
        List<Prefix> nqn = prefixes(node, "nqnPrefix");
        try {
            return new NodeIdCodec(iqn, nqn);
        } catch (IllegalArgumentException e) {
            report(node, e);
            return NodeIdCodec.PLAIN;
        }
    }

    private static List<Prefix> prefixes(ConfigNode node, String key) {
        List<Prefix> prefixes = new ArrayList<>();
        for (ConfigNode entry : node.children(key)) {
            String shortName = entry.require("shortName", "expected: lower-case letters and digits");
            String prefix = entry.require("prefix", "expected: how initiator names begin");
            try {
                prefixes.add(new Prefix(shortName, prefix));
            } catch (IllegalArgumentException e) {
                report(entry, e);
            }
        }
        return prefixes;
    }

    private static void report(ConfigNode node, IllegalArgumentException e) {
        String why = e.getMessage();
        node.problems().error(node.path(), node.line(), why == null ? "is malformed" : why, "correct the entry");
    }
}
