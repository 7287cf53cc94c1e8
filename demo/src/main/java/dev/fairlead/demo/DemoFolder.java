package dev.fairlead.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Builds the demo's temporary folder: the main file, the connections, their base folders, and kubelet's folders. */
record DemoFolder(Path root) {
    static final String PREFIX = "demo.fairlead.dev";

    /** The longest path of the root in characters, so that the path of a socket below it is not too long. */
    private static final int LONGEST_ROOT = 80;

    static DemoFolder build(Path root) throws IOException {
        var stage = new DemoFolder(root);
        for (String folder : List.of("connections", "kubelet", "kubelet/plugins_registry")) {
            Files.createDirectories(root.resolve(folder));
        }
        Files.writeString(stage.mainFile(), """
                driver: proxy
                proxy:
                  configFolder: %s
                  nodeTopology:
                    type: zone
                    prefix: %s
                    fromRegexp:
                      - topologyKey: zone
                        source: nodeName
                        regex: "(.*)-node[0-9]+"
                        template: "{match:1}"
                """.formatted(quoted(root.resolve("connections")), PREFIX));
        return stage;
    }

    /** Makes a folder in the system's folder for temporary files, or in /tmp if that path is too long for a socket. */
    static Path freshFolder() throws IOException {
        Path made = Files.createTempDirectory("fairlead-demo.");
        if (made.toString().length() <= LONGEST_ROOT) {
            return made;
        }
        Files.delete(made);
        return Files.createTempDirectory(Path.of("/tmp"), "fairlead-demo.");
    }

    Path mainFile() {
        return root.resolve("driver.yaml");
    }

    Path socket() {
        return root.resolve("csi.sock");
    }

    Path registry() {
        return root.resolve("kubelet/plugins_registry");
    }

    Path registrationSocket() {
        return registry().resolve(PREFIX + "-reg.sock");
    }

    Path log() {
        return root.resolve("driver.log");
    }

    Path connectionFile(String name) {
        return root.resolve("connections").resolve(name + ".yaml");
    }

    Path base(String connection) {
        return root.resolve("storage-" + connection);
    }

    Path staging(String volume) {
        return root.resolve("kubelet/staging-" + volume.replaceAll("[^A-Za-z0-9-]", "_"));
    }

    Path target(String volume) {
        return root.resolve("kubelet/pod-" + volume.replaceAll("[^A-Za-z0-9-]", "_"));
    }

    /** Puts a connection into the folder as an administrator should: whole, by a rename. */
    void connect(String name, String zone) throws IOException {
        Files.createDirectories(base(name));
        Path written = root.resolve(name + ".yaml.new");
        Files.writeString(written, """
                driver: local-hostpath
                local-hostpath:
                  shareBasePath: %1$s
                  controllerBasePath: %1$s
                  dirPermissionsMode: "0777"
                fairlead:
                  labels:
                    tier: demo
                proxy:
                  perDriver:
                    topology:
                      - requirements:
                          zone: %2$s
                """.formatted(quoted(base(name)), zone));
        Files.move(written, connectionFile(name));
    }

    /** Returns what is left of volumes and snapshots below the base folders. */
    List<Path> leftovers(List<String> connections) throws IOException {
        var left = new java.util.ArrayList<Path>();
        for (String connection : connections) {
            for (String kind : List.of("v", "s")) {
                Path folder = base(connection).resolve(kind);
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> entries = Files.list(folder)) {
                        left.addAll(entries.toList());
                    }
                }
            }
        }
        return left;
    }

    /** Removes the whole folder; symbolic links are removed, never followed. */
    void remove() throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String quoted(Path path) {
        return "\"" + path.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
