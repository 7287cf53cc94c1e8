package dev.fairlead.bootstrap.options;

import dev.fairlead.bootstrap.logging.LogSettings.Format;
import dev.fairlead.bootstrap.logging.LogSettings.LogLevel;
import dev.fairlead.bootstrap.options.ServeOptions.Endpoint;
import dev.fairlead.bootstrap.options.ServeOptions.Tcp;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the options of a driver that serves. */
public final class ServeCommandLine {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");
    private static final Pattern VERSION = Pattern.compile("v?[0-9]+\\.[0-9]+\\.[0-9]+");
    private static final Pattern OCTAL = Pattern.compile("0?[0-7]{3}");
    private static final Pattern HTTP = Pattern.compile("([A-Za-z0-9.-]*|\\[[0-9A-Fa-f:.%]+]):([0-9]{1,5})");

    private final RawOptions raw;
    private final Map<String, String> environment;

    private ServeCommandLine(RawOptions raw, Map<String, String> environment) {
        this.raw = raw;
        this.environment = environment;
    }

    /**
     * @param verb the modes that a verb before the options stands for; if there is one, {@code --csi-mode} is ignored
     */
    public static ServeOptions parse(
            Optional<Set<Mode>> verb, List<String> arguments, Map<String, String> environment) {
        return new ServeCommandLine(new RawOptions(arguments, environment), environment).options(verb);
    }

    private ServeOptions options(Optional<Set<Mode>> verb) {
        checkVersion();
        String file = raw.last("driver-config-file")
                .orElseThrow(() -> new UsageException(
                        "--driver-config-file: is missing (expected: the path of the driver's YAML file)"));
        Set<Mode> modes = verb.orElseGet(this::modes);
        List<Endpoint> endpoints = endpoints();
        return new ServeOptions(
                modes,
                endpoints,
                path("driver-config-file", file),
                socketMode(),
                raw.last("registration-dir").map(folder -> registration(folder, modes, endpoints)),
                raw.last("http-endpoint").map(ServeCommandLine::http),
                raw.last("log-level").map(this::level),
                raw.last("log-format").map(this::format),
                raw.flag("log-bodies"),
                new ClusterCommandLine(raw, environment)
                        .options(modes, endpoints.getFirst().csiName()),
                raw.warnings());
    }

    /**
     * Refuses a malformed CSI version; any other one is ignored, since Fairlead speaks the newest CSI, which older
     * callers understand.
     */
    private void checkVersion() {
        Optional.ofNullable(environment.get("CSI_VERSION"))
                .or(() -> raw.last("csi-version"))
                .filter(version -> !VERSION.matcher(version).matches())
                .ifPresent(version -> {
                    throw new UsageException(
                            "--csi-version: '" + version + "' is no version (expected: such as 1.9.0)");
                });
    }

    private Set<Mode> modes() {
        Set<Mode> modes = EnumSet.noneOf(Mode.class);
        for (String text : raw.all("csi-mode")) {
            for (String word : text.trim().split("[,\\s]+", -1)) {
                modes.add(
                        switch (word.toLowerCase(Locale.ROOT)) {
                            case "controller" -> Mode.CONTROLLER;
                            case "node" -> Mode.NODE;
                            default ->
                                throw new UsageException(
                                        "--csi-mode: '" + word + "' (expected: controller, node or both)");
                        });
            }
        }
        return modes.isEmpty() ? Mode.ALL : modes;
    }

    private List<Endpoint> endpoints() {
        List<String> names = raw.all("csi-name");
        List<String> sockets = raw.all("server-socket");
        if (names.isEmpty()) {
            throw new UsageException(
                    "--csi-name: is missing (expected: the CSIDriver's name, such as org.example.csi)");
        }
        names.forEach(ServeCommandLine::checkName);
        Optional<Tcp> tcp = tcp();
        if (sockets.isEmpty() && tcp.isEmpty()) {
            throw new UsageException(
                    "--server-socket: is missing (expected: the path of the socket, or --server-address and"
                            + " --server-port)");
        }
        if (names.size() != Math.max(sockets.size(), 1)) {
            throw new UsageException("--csi-name stands " + names.size() + " times and --server-socket "
                    + sockets.size() + " (expected: as many of the one as of the other, in the same order)");
        }
        List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Optional<Path> socket = i < sockets.size() ? Optional.of(socket(sockets.get(i))) : Optional.empty();
            endpoints.add(new Endpoint(names.get(i), socket, i == 0 ? tcp : Optional.empty()));
        }
        checkDistinct(endpoints);
        return endpoints;
    }

    private static void checkDistinct(List<Endpoint> endpoints) {
        Set<Object> seen = new HashSet<>();
        for (Endpoint endpoint : endpoints) {
            if (!seen.add(endpoint.csiName())) {
                throw new UsageException("--csi-name: '" + endpoint.csiName() + "' stands twice (expected: each once)");
            }
            if (endpoint.socket().filter(socket -> !seen.add(socket)).isPresent()) {
                throw new UsageException("--server-socket: the same path stands twice (expected: one for each name)");
            }
        }
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new UsageException("--csi-name: '" + name
                    + "' (expected: 1 to 63 letters, digits, '-' and '.', letters or digits at both ends)");
        }
    }

    private static Path socket(String text) {
        String plain = text.startsWith("unix://") ? text.substring("unix://".length()) : text;
        String path = plain.startsWith("unix:") ? plain.substring("unix:".length()) : plain;
        return path("server-socket", path).toAbsolutePath();
    }

    /**
     * Returns the TCP address; refuses only one of the two options, with which democratic-csi starts and listens on
     * nothing.
     */
    private Optional<Tcp> tcp() {
        Optional<String> address = raw.last("server-address");
        Optional<String> port = raw.last("server-port");
        if (address.isPresent() != port.isPresent()) {
            throw new UsageException("--server-address and --server-port: only one is given (expected: both or none)");
        }
        return address.map(host -> new Tcp(host, port(port.orElse(""))));
    }

    private static int port(String text) {
        return wholeNumber(text)
                .filter(port -> port > 0 && port < 65536)
                .orElseThrow(() -> new UsageException("--server-port: '" + text + "' (expected: 1 to 65535)"));
    }

    private static Optional<Integer> wholeNumber(String text) {
        try {
            return Optional.of(Integer.valueOf(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /**
     * Returns kubelet's registration folder; refuses it if no node is served, since kubelet registers only nodes, or if
     * a CSI name has no socket, by which kubelet calls it.
     */
    private static Path registration(String text, Set<Mode> modes, List<Endpoint> endpoints) {
        if (!modes.contains(Mode.NODE)) {
            throw new UsageException("--registration-dir: kubelet registers nodes, and this process serves none"
                    + " (expected: only if the node's half is served)");
        }
        if (endpoints.stream().anyMatch(endpoint -> endpoint.socket().isEmpty())) {
            throw new UsageException("--registration-dir: kubelet calls a socket, and there is none"
                    + " (expected: --server-socket for every --csi-name)");
        }
        return path("registration-dir", text).toAbsolutePath();
    }

    /**
     * Returns the address at which health and metrics are told.
     *
     * @throws UsageException if it is none
     */
    public static Tcp http(String text) {
        Matcher form = HTTP.matcher(text);
        return Optional.of(form)
                .filter(Matcher::matches)
                .flatMap(parts -> wholeNumber(parts.group(2)))
                .filter(port -> port < 65536)
                .map(port -> new Tcp(form.group(1).replaceAll("[\\[\\]]", ""), port))
                .orElseThrow(() -> new UsageException("--http-endpoint: '" + text
                        + "' (expected: :PORT or ADDRESS:PORT, such as :9808 or [::1]:9808; port 0 is any free one)"));
    }

    private String socketMode() {
        String mode = raw.last("server-socket-permissions-mode").orElse("0600");
        if (!OCTAL.matcher(mode).matches()) {
            throw new UsageException("--server-socket-permissions-mode: '" + mode + "' (expected: such as 0600)");
        }
        return mode;
    }

    private LogLevel level(String name) {
        return LogLevel.named(name)
                .orElseThrow(() -> new UsageException(
                        "--log-level: '" + name + "' (expected: error, warn, info, verbose, debug or silly)"));
    }

    private Format format(String name) {
        return switch (name) {
            case "json" -> Format.JSON;
            case "text" -> Format.TEXT;
            default -> throw new UsageException("--log-format: '" + name + "' (expected: json or text)");
        };
    }

    private static Path path(String option, String text) {
        try {
            if (text.isEmpty()) {
                throw new UsageException("--" + option + ": is empty (expected: a path)");
            }
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageException("--" + option + ": is no path: " + e.getReason());
        }
    }
}
