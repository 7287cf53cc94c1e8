package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A subject is a server that is measured.
 *
 * @param name its name in the table
 * @param command the words that start it
 * @param parameters the parameters of the StorageClass, one map for each connection; used in turn
 */
record Subject(
        String name,
        List<String> command,
        Map<String, String> environment,
        Path socket,
        List<Map<String, String>> parameters) {

    /**
     * Writes a local-hostpath file like democratic-csi's example, except for its folder and the owner of new volumes.
     */
    static Path hostpathFile(Path folder, String user) throws IOException {
        Path base = Files.createDirectories(folder.resolve("base"));
        return Files.writeString(folder.resolve("driver.yaml"), """
                driver: local-hostpath
                instance_id:
                local-hostpath:
                  shareBasePath: %s
                  controllerBasePath: %s
                  dirPermissionsMode: "0777"
                  dirPermissionsUser: %s
                  dirPermissionsGroup: %s
                """.formatted(base, base, user, user));
    }

    /** Writes a proxy's main file over so many local-hostpath connections, named c0, c1 and so on. */
    static Path proxyFile(Path folder, int connections) throws IOException {
        Path files = Files.createDirectories(folder.resolve("connections"));
        for (int i = 0; i < connections; i++) {
            Path base = Files.createDirectories(folder.resolve("base" + i));
            Files.writeString(files.resolve("c" + i + ".yaml"), """
                    driver: local-hostpath
                    local-hostpath:
                      shareBasePath: %s
                      controllerBasePath: %s
                      dirPermissionsMode: "0777"
                    """.formatted(base, base));
        }
        return Files.writeString(folder.resolve("proxy.yaml"), """
                driver: proxy
                proxy:
                  configFolder: %s
                  nodeTopology:
                    type: node
                """.formatted(files));
    }
}
