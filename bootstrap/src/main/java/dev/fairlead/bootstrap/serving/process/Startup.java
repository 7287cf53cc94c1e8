package dev.fairlead.bootstrap.serving.process;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.driver.Locality;
import dev.fairlead.bootstrap.node.LinuxNodeFacts;
import dev.fairlead.bootstrap.options.Mode;
import dev.fairlead.bootstrap.options.ServeOptions;
import dev.fairlead.bootstrap.settings.MainFile;
import dev.fairlead.bootstrap.settings.MainFileReader;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Holds all that a process knows before its graph is built. */
public record Startup(ServeOptions options, MainFile main, LinuxNodeFacts facts, DriverTypes types) {
    private static final Path USUAL_HOST_PATH = Path.of("/var/lib/csi-local-hostpath");

    /**
     * Reads the main file. A driver of one connection uses the host name if nobody named its node, as democratic-csi
     * does.
     *
     * @throws dev.fairlead.application.config.InvalidConfigException if it cannot be used
     */
    public static Startup of(ServeOptions options, Map<String, String> environment) {
        DriverTypes types = DriverTypes.all();
        MainFile main = MainFileReader.read(options.configFile(), environment, types);
        LinuxNodeFacts facts = new LinuxNodeFacts(environment, Path.of("/"));
        return new Startup(options, main, main.isProxy() ? facts : facts.namedByHost(), types);
    }

    /**
     * Returns the text by which storage recognises the installation that made a volume, so that two installations do
     * not share it by accident.
     */
    public String installation() {
        return options.endpoints().stream()
                .map(ServeOptions.Endpoint::csiName)
                .sorted()
                .collect(Collectors.joining(","));
    }

    public Locality locality() {
        TopologyPrefix prefix =
                main.nodeTopology().map(NodeTopologyRules::prefix).orElse(TopologyPrefix.DEFAULT);
        return new Locality(prefix, main.perNode(), facts.nodeName());
    }

    /**
     * Returns the folders below which volumes of this node may lie, beside those of its connections. A driver of one
     * connection has its folder in its file, in every mode; a proxy's node without a setting uses democratic-csi's
     * folder.
     */
    public List<Path> hostPathRoots() {
        List<Path> named = main.hostPathRoots();
        if (main.kind() instanceof MainFile.Single single) {
            ConfigNode file = ConfigNode.root(single.file(), new Problems("main"));
            List<Path> all = new ArrayList<>(named);
            all.addAll(types.hostPaths(single.type(), file));
            return all;
        }
        boolean alone = !options.modes().contains(Mode.CONTROLLER);
        return named.isEmpty() && alone ? List.of(USUAL_HOST_PATH) : named;
    }
}
