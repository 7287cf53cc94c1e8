package dev.fairlead.adapter.zfs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What democratic-csi was recorded to run: see peer-commands.txt. */
final class PeerCommands {
    private static final Map<String, List<List<String>>> ALL = read();

    private PeerCommands() {}

    /** The commands of a call, each its words. */
    static List<List<String>> of(String driverType, String call) {
        return Objects.requireNonNull(ALL.get(driverType + " " + call), call);
    }

    private static Map<String, List<List<String>>> read() {
        Map<String, List<List<String>>> all = new LinkedHashMap<>();
        List<List<String>> current = new ArrayList<>();
        for (String line : text().lines().toList()) {
            if (line.startsWith("[")) {
                current = new ArrayList<>();
                all.put(line.substring(1, line.length() - 1), current);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                current.add(List.of(line.split(" ", -1)));
            }
        }
        return all;
    }

    private static String text() {
        try (InputStream file = PeerCommands.class.getResourceAsStream("peer-commands.txt")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
