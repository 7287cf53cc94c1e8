package dev.fairlead.bootstrap.serving;

import dev.fairlead.bootstrap.logging.LogSettings;
import dev.fairlead.bootstrap.logging.Logging;
import dev.fairlead.bootstrap.options.Mode;
import dev.fairlead.bootstrap.options.ServeCommandLine;
import dev.fairlead.bootstrap.serving.process.Startup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Builds a driver, and where it serves at once starts and drains it; for a class loader of its own. Takes the modes,
 * the main file, the socket, and an option or nothing.
 */
public final class StartAndDrain implements Consumer<List<String>> {
    private static final String UNUSED = """
            apiVersion: v1
            clusters: [{name: x, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: x, user: {token: x}}]
            contexts: [{name: x, context: {cluster: x, user: x}}]
            current-context: x
            """;

    @Override
    public void accept(List<String> words) {
        Logging.use(new LogSettings(LogSettings.LogLevel.ERROR, LogSettings.Format.TEXT, false));
        List<String> options = new ArrayList<>(List.of(
                "--csi-name=test.fairlead.dev",
                "--driver-config-file=" + words.get(1),
                "--server-socket=" + words.get(2)));
        if (!words.get(3).isEmpty()) {
            options.add(words.get(3));
        }
        try {
            Path access = Files.writeString(Path.of(words.get(1) + ".access"), UNUSED);
            Map<String, String> environment =
                    Map.of("CSI_NODE_ID", "n1", "POD_NAMESPACE", "x", "KUBECONFIG", access.toString());
            var parsed = ServeCommandLine.parse(Optional.of(modes(words.get(0))), options, environment);
            Serving serving = Driver.serving(Startup.of(parsed, environment));
            if (words.get(3).isEmpty()) {
                serving.start(_ -> {});
            }
            serving.drain(Duration.ofSeconds(5));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<Mode> modes(String names) {
        return Arrays.stream(names.split(",", -1)).map(Mode::valueOf).collect(Collectors.toSet());
    }
}
