package dev.fairlead.bootstrap.settings;

import dev.fairlead.adapter.local.host.ToolSettings;
import dev.fairlead.adapter.node.settings.FilesystemSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.config.ConfigNode.Unread;
import dev.fairlead.application.config.ConfigValue.Mapping;
import dev.fairlead.application.config.InvalidConfigException;
import dev.fairlead.application.config.Problems;
import dev.fairlead.bootstrap.config.Defaults;
import dev.fairlead.bootstrap.config.Variables;
import dev.fairlead.bootstrap.config.YamlReader;
import dev.fairlead.bootstrap.driver.DriverType;
import dev.fairlead.bootstrap.driver.DriverTypes;
import dev.fairlead.bootstrap.node.NodeIdForm;
import dev.fairlead.bootstrap.node.NodeIdReader;
import dev.fairlead.bootstrap.node.NodeTopologyReader;
import dev.fairlead.bootstrap.settings.MainFile.Kind;
import dev.fairlead.bootstrap.settings.MainFile.Proxy;
import dev.fairlead.bootstrap.settings.MainFile.Single;
import dev.fairlead.domain.mount.MountOptions;
import dev.fairlead.domain.topology.NodeTopologyRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the main file: that of a proxy, or that of the one driver of this process. */
public final class MainFileReader {
    /** The keys of a proxy's main file that say something of the process, or of every connection whatever its type. */
    private static final String[] KEYS = {"instance_id", "service", "proxy", "node", "csi", "_private", "fairlead"};

    private final DriverTypes types;
    private final Map<String, String> environment;
    private final Problems problems;

    private MainFileReader(DriverTypes types, Map<String, String> environment, Problems problems) {
        this.types = types;
        this.environment = environment;
        this.problems = problems;
    }

    /** @throws InvalidConfigException with everything that is wrong */
    public static MainFile read(Path file, Map<String, String> environment, DriverTypes types) {
        var problems = new Problems(file.toString());
        Optional<MainFile> read = bytes(file, problems)
                .flatMap(bytes -> YamlReader.read(bytes, problems))
                .map(raw -> new Variables(environment, problems).expand(raw))
                .flatMap(mapping -> new MainFileReader(types, environment, problems).read(mapping));
        if (read.isEmpty() || problems.hasErrors()) {
            throw new InvalidConfigException(problems.errors());
        }
        return read.get();
    }

    private static Optional<byte[]> bytes(Path file, Problems problems) {
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(in.readNBytes(YamlReader.MAX_BYTES + 1));
        } catch (NoSuchFileException _) {
            problems.error("", 0, "is missing", "let --driver-config-file name the driver's YAML file");
        } catch (AccessDeniedException _) {
            problems.error("", 0, "cannot be read: access denied", "let this process read it");
        } catch (IOException e) {
            String why =
                    Files.isDirectory(file) ? "it is a folder" : e.getClass().getSimpleName();
            problems.error("", 0, "cannot be read: " + why, "let --driver-config-file name the driver's YAML file");
        }
        return Optional.empty();
    }

    private Optional<MainFile> read(Mapping mapping) {
        ConfigNode file = ConfigNode.root(mapping, problems);
        return file.string("driver").filter("proxy"::equals).isPresent()
                ? Optional.of(proxy(file, mapping))
                : types.of(file).map(type -> single(file, type, mapping));
    }

    private MainFile proxy(ConfigNode file, Mapping mapping) {
        ConfigNode proxy = file.child("proxy");
        Path folder = proxy.require(
                "configFolder", MainFileReader::path, Path.of("/"), "name the folder of the connections' files");
        Optional<Duration> keepUnused = CacheTimeout.read(proxy);
        NodeTopologyRules topology = new NodeTopologyReader(proxy).read();
        Capabilities capabilities = Capabilities.of(
                        types.rows().stream().filter(DriverType::isAvailable).toList(), true)
                .orAsFileSays(file);
        var nodeId = NodeIdReader.read(proxy);
        List<Path> roots = roots(file);
        int most = maxVolumes(file);
        List<String> flags = mountFlags(file);
        FilesystemSettings filesystems = FilesystemReader.read(file);
        ToolSettings tools = tools(file);
        file.ignore(KEYS);
        file.ignore(types.defaults().toArray(String[]::new));
        file.reportUnread(Unread.WARNING);
        Kind kind = new Proxy(folder, Defaults.of(mapping), keepUnused);
        return new MainFile(
                kind,
                capabilities,
                Optional.of(topology),
                Optional.of(nodeId),
                roots,
                flags,
                filesystems,
                most,
                tools,
                problems.all());
    }

    /**
     * Reads what a driver's own file says of the process; the rest is read as a connection's if the process serves the
     * controller's half.
     */
    private MainFile single(ConfigNode file, DriverType type, Mapping mapping) {
        Optional<NodeTopologyRules> topology = type.nodeLocal()
                ? Optional.of(new NodeTopologyReader(file.child("proxy")).perNode())
                : Optional.empty();
        Capabilities capabilities = Capabilities.of(List.of(type), false).orAsFileSays(file);
        // A controller could not tell a bare name as node_id from any other text, nor learn the node's initiator from
        // it.
        Optional<NodeIdForm> nodeId =
                capabilities.publishes() ? Optional.of(NodeIdReader.read(file.child("fairlead"))) : Optional.empty();
        List<Path> roots = roots(file);
        int most = maxVolumes(file);
        List<String> flags = mountFlags(file);
        Kind kind = new Single(type, mapping);
        return new MainFile(
                kind,
                capabilities,
                topology,
                nodeId,
                roots,
                flags,
                FilesystemReader.read(file),
                most,
                tools(file),
                problems.all());
    }

    /**
     * Returns the folders of {@code fairlead.node.hostPathRoots}; that key is also in {@code NodeSettings.ROOTS_KEY}.
     */
    private static List<Path> roots(ConfigNode file) {
        ConfigNode node = file.child("fairlead").child("node");
        return node.strings("hostPathRoots").stream()
                .filter(text -> {
                    if (text.startsWith("/")) {
                        return true;
                    }
                    node.problems()
                            .error(
                                    node.pathOf("hostPathRoots"),
                                    node.lineOf("hostPathRoots"),
                                    "'" + text + "' is no absolute path",
                                    "write the folder from the root, such as /var/lib/volumes");
                    return false;
                })
                .map(Path::of)
                .toList();
    }

    /** Returns democratic-csi's {@code node.mount.mount_flags}: options divided by commas. */
    private static List<String> mountFlags(ConfigNode file) {
        return file
                .child("node")
                .child("mount")
                .optional(
                        "mount_flags", MountOptions::split, "write options divided by commas, such as noatime,commit=5")
                .orElse(List.of())
                .stream()
                .map(String::strip)
                .filter(flag -> !flag.isEmpty())
                .toList();
    }

    /** Returns {@code fairlead.node.maxVolumesPerNode}, which the scheduler takes from each node's CSINode. */
    private static int maxVolumes(ConfigNode file) {
        return file.child("fairlead").child("node").integer("maxVolumesPerNode", 0, 0, Integer.MAX_VALUE);
    }

    /** Returns what {@code fairlead.node.tools} says, before what the environment says. */
    private ToolSettings tools(ConfigNode file) {
        ConfigNode tools = file.child("fairlead").child("node").child("tools");
        Map<String, ToolSettings.ToolSource> sources = new TreeMap<>();
        for (String tool : tools.keys()) {
            tools.optional(
                            tool,
                            text -> ToolSettings.source(tool, text),
                            "name a program and where it is taken from, such as zfs: host")
                    .ifPresent(source -> sources.put(tool, source));
        }
        return ToolSettings.of(environment).with(sources);
    }

    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("is empty");
        }
        try {
            return Path.of(text).normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is no path: " + e.getReason(), e);
        }
    }
}
