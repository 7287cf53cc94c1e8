package dev.fairlead.bootstrap.affinity;

import dev.fairlead.adapter.linstor.LinstorModule;
import dev.fairlead.adapter.linstor.LinstorSettings;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problem;
import dev.fairlead.application.config.Problems;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.application.service.affinity.ConnectionTopology;
import dev.fairlead.bootstrap.driver.BackendAssembler;
import dev.fairlead.bootstrap.driver.DaggerFactoryComponent;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.driver.FactoryComponent;
import dev.fairlead.bootstrap.driver.Locality;
import dev.fairlead.bootstrap.settings.MainFile;
import dev.fairlead.bootstrap.settings.MainFileReader;
import dev.fairlead.domain.handle.HandleCodec;
import dev.fairlead.domain.topology.NodeTopologyRules;
import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;

/** Makes the sources that tell the places of volumes. */
public final class AffinitySources {
    private static final ThreadFactory LISTENERS =
            Thread.ofVirtual().name("linstor-", 1).factory();

    static final ThreadFactory FOLDER_WATCHERS =
            Thread.ofPlatform().daemon().name("folder-", 1).factory();

    private AffinitySources() {}

    /**
     * Returns the sources that the options ask for.
     *
     * @throws InvalidConfigException if the main file or a variable cannot be used
     */
    public static List<PlacementSource> of(AffinityOptions options, Map<String, String> environment) {
        List<PlacementSource> sources = new ArrayList<>();
        options.mainFile().ifPresent(file -> sources.add(connections(file, options.csiNames(), environment)));
        options.linstor().ifPresent(linstor -> sources.add(linstor(linstor, environment)));
        return sources;
    }

    /**
     * Returns what LINSTOR's own affinity controller has kept of volumes; empty if LINSTOR's volumes do not follow.
     *
     * @throws InvalidConfigException if a variable cannot be used
     */
    public static Optional<SavedVolumes> saved(AffinityOptions options, Map<String, String> environment) {
        return options.linstor().map(linstor -> LinstorModule.saved(settings(linstor, environment)));
    }

    private static PlacementSource linstor(LinstorOptions options, Map<String, String> environment) {
        return LinstorModule.open(settings(options, environment), LISTENERS);
    }

    private static LinstorSettings settings(LinstorOptions options, Map<String, String> environment) {
        Problems problems = new Problems("the environment");
        return LinstorSettings.read(
                        name -> environment.getOrDefault(name, ""),
                        options.propertyNamespace(),
                        options.anywhereIsAllNodes(),
                        "fairlead-affinity",
                        problems)
                .orElseThrow(() -> new InvalidConfigException(problems.all()));
    }

    /**
     * Returns the source of the connections that a main file names.
     *
     * @throws InvalidConfigException if the file cannot be used, or is not that of a proxy
     */
    public static PlacementSource connections(Path file, List<String> csiNames, Map<String, String> environment) {
        DriverTypes types = DriverTypes.all();
        MainFile main = MainFileReader.read(file, environment, types);
        if (!(main.kind() instanceof MainFile.Proxy proxy)) {
            throw new InvalidConfigException(List.of(new Problem(
                    Problem.Severity.ERROR,
                    file.toString(),
                    0,
                    "driver",
                    "is one driver's own, whose volumes stay where they are",
                    "name a main file with driver: proxy")));
        }
        TopologyPrefix prefix =
                main.nodeTopology().map(NodeTopologyRules::prefix).orElse(TopologyPrefix.DEFAULT);
        FactoryComponent parts = DaggerFactoryComponent.create();
        var assembler = new BackendAssembler(
                types,
                parts.stores(),
                parts.exporters(),
                new Locality(prefix, main.perNode(), Optional.empty()),
                String.join(",", csiNames),
                main.capabilities().publishes());
        var places = new FolderPlaces(types, assembler, proxy.defaults(), proxy.connections());
        return new ConnectionTopology(Set.copyOf(csiNames), new HandleCodec.Proxied(), places);
    }
}
