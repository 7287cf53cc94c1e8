package dev.fairlead.bootstrap.options;

import dev.fairlead.bootstrap.logging.LogSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a driver that serves was told on its command line.
 *
 * @param endpoints each CSI name and where it is served
 * @param socketMode octal, such as {@code 0600}
 * @param registration kubelet's folder of registration sockets; empty: nothing is registered
 * @param http where health and metrics are served; empty: nowhere
 * @param logBodies whether requests and responses are logged at info, and not only at debug
 * @param cluster what this process has to do with Kubernetes
 * @param warnings what was accepted although it means nothing here
 */
public record ServeOptions(
        Set<Mode> modes,
        List<Endpoint> endpoints,
        Path configFile,
        String socketMode,
        Optional<Path> registration,
        Optional<Tcp> http,
        Optional<LogSettings.LogLevel> logLevel,
        Optional<LogSettings.Format> logFormat,
        boolean logBodies,
        ClusterOptions cluster,
        List<String> warnings) {
    public ServeOptions {
        modes = Set.copyOf(modes);
        endpoints = List.copyOf(endpoints);
        warnings = List.copyOf(warnings);
    }

    /** One CSI name, on a Unix socket, a TCP address, or both. */
    public record Endpoint(String csiName, Optional<Path> socket, Optional<Tcp> tcp) {}

    /**
     * A plaintext TCP address.
     *
     * @param address empty: every address of this machine
     * @param port 0: one that is free
     */
    public record Tcp(String address, int port) {}
}
