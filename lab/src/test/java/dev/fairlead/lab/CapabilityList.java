package dev.fairlead.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is to be declared of each driver, a line for each capability.
 *
 * @param rows by capability
 */
record CapabilityList(Map<String, Row> rows) {
    private static final Pattern LINE = Pattern.compile("(\\w+)\\s+(yes|no)\\s+(yes|no)(?:\\s+#\\s+(\\S.*))?");

    record Row(boolean central, boolean nodeLocal) {}

    static CapabilityList read(Path file) throws IOException {
        return of(Files.readAllLines(file));
    }

    static CapabilityList of(List<String> lines) {
        Map<String, Row> rows = new TreeMap<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IllegalArgumentException(line + " (expected: CAPABILITY yes|no yes|no [# why not])");
            }
            Row row = new Row(parts.group(2).equals("yes"), parts.group(3).equals("yes"));
            boolean gap = !row.central() || !row.nodeLocal();
            if (gap != (parts.group(4) != null)) {
                throw new IllegalArgumentException(line + " (expected: a reason where it says no, and only there)");
            }
            if (rows.put(parts.group(1), row) != null) {
                throw new IllegalArgumentException(parts.group(1) + " stands twice");
            }
        }
        return new CapabilityList(rows);
    }

    /** What the driver file of this folder has to say. */
    Map<String, Boolean> of(String driver) {
        Map<String, Boolean> declared = new TreeMap<>();
        rows.forEach((capability, row) ->
                declared.put(capability, driver.equals("central") ? row.central() : row.nodeLocal()));
        return declared;
    }
}
