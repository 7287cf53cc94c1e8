package dev.fairlead.testkit.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads what democratic-csi was recorded to run, from the resources {@code peer-commands.txt} and
 * {@code peer-scripts.txt}.
 */
public final class PeerCommands {
    private static final Map<String, List<String>> COMMANDS = read("peer-commands.txt");
    private static final Map<String, List<String>> SCRIPTS = read("peer-scripts.txt");

    private PeerCommands() {}

    /** Returns the commands of a call, each as its words. */
    public static List<List<String>> of(String driverType, String call) {
        return Objects.requireNonNull(COMMANDS.get(driverType + " " + call), call).stream()
                .map(line -> List.of(line.split(" ", -1)))
                .toList();
    }

    /**
     * Returns the lines that democratic-csi gives to a program that makes exports.
     *
     * @param device the path of the volume's device
     */
    public static List<String> script(String program, String volume, String device) {
        return Objects.requireNonNull(SCRIPTS.get(program), program).stream()
                .map(line -> line.replace("NAME", volume).replace("DEVICE", device))
                .toList();
    }

    private static Map<String, List<String>> read(String file) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        List<String> current = new ArrayList<>();
        for (String line : text(file).lines().toList()) {
            if (line.startsWith("[")) {
                current = new ArrayList<>();
                all.put(line.substring(1, line.length() - 1), current);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                current.add(line);
            }
        }
        return all;
    }

    private static String text(String name) {
        try (InputStream file = PeerCommands.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
