package dev.fairlead.bootstrap.cli;

import dev.fairlead.adapter.grpc.CsiProbe;
import dev.fairlead.bootstrap.options.UsageException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a driver whether it serves, and ends: what kubelet runs in a container each few seconds.
 *
 * <p>By hand and without the other verbs' library, since starting is all that it does.
 */
public final class LivenessProbe {
    private static final String ADDRESS = "--csi-address";
    private static final String TIMEOUT = "--timeout";
    private static final String DEFAULT_ADDRESS = "/csi/csi.sock";
    private static final String DEFAULT_SECONDS = "10";
    private static final int LONGEST_SECONDS = 3600;

    private LivenessProbe() {}

    /** Answers the exit code; options that are not known are democratic-csi's, such as the version, and ignored. */
    public static int run(List<String> options, Map<String, String> environment, PrintStream err) {
        String address = value(options, ADDRESS)
                .or(() -> Optional.ofNullable(environment.get("DEMOCRATIC_CSI_SERVER_SOCKET")))
                .orElse(DEFAULT_ADDRESS);
        Duration atMost = timeout(value(options, TIMEOUT).orElse(DEFAULT_SECONDS));
        Optional<String> obstacle = CsiProbe.obstacle(Path.of(withoutScheme(address)), atMost);
        obstacle.ifPresent(why -> err.println("fairlead: " + address + ": " + why));
        return obstacle.isPresent() ? 1 : 0;
    }

    private static String withoutScheme(String address) {
        String path = address.startsWith("unix:") ? address.substring("unix:".length()) : address;
        return path.startsWith("//") ? path.substring(2) : path;
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
