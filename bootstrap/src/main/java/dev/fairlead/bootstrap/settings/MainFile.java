package dev.fairlead.bootstrap.settings;

import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.driver.DriverType;
import dev.fairlead.bootstrap.node.NodeIdForm;
import dev.fairlead.domain.node.NodeIdCodec;
import dev.fairlead.domain.topology.NodeTopologyRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Holds what the main file says of this process.
 *
 * @param nodeTopology empty: the node reports no topology
 * @param nodeId empty: the node's bare name
 * @param hostPathRoots further folders below which a volume's path may lie on this node
 * @param mountFlags what the operator adds to the mount flags of every share and device
 * @param filesystems what the operator adds to the programs that make and check file systems
 * @param maxVolumes the most volumes that a node takes at once; 0: as many as the cluster likes
 * @param tools where the programs that a node runs are taken from
 * @param warnings the problems of the file that are not errors
 */
public record MainFile(
        Kind kind,
        Capabilities capabilities,
        Optional<NodeTopologyRules> nodeTopology,
        Optional<NodeIdForm> nodeId,
        List<Path> hostPathRoots,
        List<String> mountFlags,
        FilesystemSettings filesystems,
        int maxVolumes,
        ToolSettings tools,
        List<Problem> warnings) {
    public MainFile {
        hostPathRoots = List.copyOf(hostPathRoots);
        mountFlags = List.copyOf(mountFlags);
        warnings = List.copyOf(warnings);
    }

    /** Says where the connections come from. */
    public sealed interface Kind {}

    /**
     * Takes the connections from the files of a folder, each over the main file's defaults.
     *
     * @param keepUnused how long a connection that no call uses stays open; empty: for ever
     */
    public record Proxy(Path connections, Defaults defaults, Optional<Duration> keepUnused) implements Kind {}

    /** The main file is itself the file of the one connection. */
    public record Single(DriverType type, Mapping file) implements Kind {
        /** Returns the file as that of a connection, in which what it says of the process counts as read. */
        public ConfigNode connection(Problems problems) {
            ConfigNode root = ConfigNode.root(file, problems);
            root.child("fairlead").ignore("node");
            if (type.nodeLocal()) {
                root.child("proxy").child("nodeTopology").ignore("prefix");
            }
            return root;
        }
    }

    public boolean isProxy() {
        return kind instanceof Proxy;
    }

    /** Reads the ids that nodes of this file give themselves. */
    public NodeIdCodec nodeIds() {
        return nodeId.map(NodeIdForm::codec).orElse(NodeIdCodec.PLAIN);
    }

    /** Returns whether each node is a topology segment of its own. */
    public boolean perNode() {
        return nodeTopology
                .filter(rules -> rules.type() == NodeTopologyRules.Type.NODE)
                .isPresent();
    }
}
