package dev.fairlead.bootstrap.cli;

import dev.fairlead.adapter.grpc.socket.CsiProbe;
import dev.fairlead.bootstrap.options.UsageException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a driver whether it serves, and ends; kubelet runs it in a container every few seconds.
 *
 * <p>It reads its options without the library of the other verbs, since most of its time is its start.
 */
public final class LivenessProbe {
    private static final String ADDRESS = "--csi-address";
    private static final String TIMEOUT = "--timeout";
    private static final String DEFAULT_ADDRESS = "/csi/csi.sock";
    private static final String DEFAULT_SECONDS = "10";
    private static final int LONGEST_SECONDS = 3600;

    private static final Pattern TCP = Pattern.compile("(?!unix:|/)([^:/]+|\\[[0-9A-Fa-f:.%]+]):([0-9]{1,5})");

    private LivenessProbe() {}

    /** Runs the probe, and answers the exit code; unknown options, such as democratic-csi's version, are ignored. */
    public static int run(List<String> options, Map<String, String> environment, PrintStream err) {
        String address = value(options, environment, ADDRESS)
                .or(() -> Optional.ofNullable(environment.get("DEMOCRATIC_CSI_SERVER_SOCKET")))
                .orElse(DEFAULT_ADDRESS);
        Duration atMost = timeout(value(options, environment, TIMEOUT).orElse(DEFAULT_SECONDS));
        Optional<String> obstacle = CsiProbe.obstacle(address(address), atMost);
        obstacle.ifPresent(why -> err.println("fairlead: " + address + ": " + why));
        return obstacle.isPresent() ? 1 : 0;
    }

    private static SocketAddress address(String address) {
        Matcher tcp = TCP.matcher(address);
        if (!tcp.matches()) {
            return UnixDomainSocketAddress.of(withoutScheme(address));
        }
        int port = Integer.parseInt(tcp.group(2));
        if (port > 65535) {
            throw new UsageException(ADDRESS + ": '" + address + "' (expected: a path, or HOST:PORT)");
        }
        return new InetSocketAddress(tcp.group(1).replaceAll("[\\[\\]]", ""), port);
    }

    private static String withoutScheme(String address) {
        String path = address.startsWith("unix:") ? address.substring("unix:".length()) : address;
        return path.startsWith("//") ? path.substring(2) : path;
    }

    /** Returns the value of an option, or else of its environment variable, which has democratic-csi's name. */
    private static Optional<String> value(List<String> options, Map<String, String> environment, String name) {
        String variable = "DEMOCRATIC_CSI_LIVENESS_PROBE_"
                + name.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
        return value(options, name).or(() -> Optional.ofNullable(environment.get(variable)));
    }

    private static Optional<String> value(List<String> options, String name) {
        for (int i = 0; i < options.size(); i++) {
            String option = options.get(i);
            if (option.startsWith(name + "=")) {
                return Optional.of(option.substring(name.length() + 1));
            }
            if (option.equals(name) && i + 1 < options.size()) {
                return Optional.of(options.get(i + 1));
            }
        }
        return Optional.empty();
    }

    private static Duration timeout(String seconds) {
        try {
            int number = Integer.parseInt(seconds);
            if (number > 0 && number <= LONGEST_SECONDS) {
                return Duration.ofSeconds(number);
            }
        } catch (NumberFormatException _) {
            // The message below says it all.
        }
        throw new UsageException(
                TIMEOUT + ": '" + seconds + "' (expected: a number of seconds up to " + LONGEST_SECONDS + ")");
    }
}
