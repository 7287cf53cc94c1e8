package dev.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Somebody to be measured.
 *
 * @param name as it stands in the table
 * @param command starts it
 * @param parameters of the class, one map for each connection; used in turn
 */
record Subject(
        String name,
        List<String> command,
        Map<String, String> environment,
        Path socket,
        List<Map<String, String>> parameters) {

    /** A local-hostpath file as democratic-csi's example has it, but for its folder and the owner of new volumes. */
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

    /** A proxy's main file over so many local-hostpath connections, named c0 and on. */
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
