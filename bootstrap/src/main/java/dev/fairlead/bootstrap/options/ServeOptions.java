package dev.fairlead.bootstrap.options;

import dev.fairlead.bootstrap.logging.LogSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the command line of a driver that serves.
 *
 * @param endpoints each CSI name and the addresses at which it is served
 * @param socketMode octal, such as {@code 0600}
 * @param registration kubelet's folder of registration sockets; empty: nothing is registered
 * @param http the address of health and metrics; empty: none
 * @param logBodies whether requests and responses are logged at info, and not only at debug
 * @param cluster what this process was asked to do with Kubernetes
 * @param warnings the arguments that were accepted and have no meaning here
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
    private static final Path USUAL_KUBELET = Path.of("/var/lib/kubelet");

    public ServeOptions {
        modes = Set.copyOf(modes);
        endpoints = List.copyOf(endpoints);
        warnings = List.copyOf(warnings);
    }

    /**
     * Returns kubelet's folder: that of the registration folder, or that in whose {@code plugins} the socket lies, or
     * the usual one.
     */
    public Path kubelet() {
        return registration
                .flatMap(ServeOptions::above)
                .or(() -> endpoints.getFirst().socket().flatMap(ServeOptions::aroundPlugin))
                .orElse(USUAL_KUBELET);
    }

    private static Optional<Path> aroundPlugin(Path socket) {
        return above(socket.toAbsolutePath())
                .flatMap(ServeOptions::above)
                .filter(it -> it.endsWith("plugins"))
                .flatMap(ServeOptions::above);
    }

    private static Optional<Path> above(Path path) {
        return Optional.ofNullable(path.getParent());
    }

    /** Joins a CSI name to the Unix socket, the TCP address, or both, at which it is served. */
    public record Endpoint(String csiName, Optional<Path> socket, Optional<Tcp> tcp) {}

    /**
     * Holds a plaintext TCP address.
     *
     * @param address empty: every address of this machine
     * @param port 0: one that is free
     */
    public record Tcp(String address, int port) {}
}
