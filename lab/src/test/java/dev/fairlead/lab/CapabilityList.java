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
 * What is to be declared of each driver, a line for each capability below one that names the drivers.
 *
 * @param drivers names of folders
 * @param rows what each driver declares, in their order, by capability
 */
record CapabilityList(List<String> drivers, Map<String, List<Boolean>> rows) {
    private static final Pattern HEAD = Pattern.compile("CAPABILITY((?:\\s+[a-z-]+)+)\\s+# why not");
    private static final Pattern LINE = Pattern.compile("(\\w+)((?:\\s+(?:yes|no))+)(?:\\s+#\\s+(\\S.*))?");

    static CapabilityList read(Path file) throws IOException {
        return of(Files.readAllLines(file));
    }

    static CapabilityList of(List<String> lines) {
        List<String> told = lines.stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        Matcher head = HEAD.matcher(told.isEmpty() ? "" : told.getFirst());
        if (!head.matches()) {
            throw new IllegalArgumentException("the first line is not: CAPABILITY DRIVER… # why not");
        }
        List<String> drivers = words(head.group(1));
        Map<String, List<Boolean>> rows = new TreeMap<>();
        for (String line : told.subList(1, told.size())) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches() || words(parts.group(2)).size() != drivers.size()) {
                throw new IllegalArgumentException(
                        line + " (expected: CAPABILITY, yes or no for each of " + drivers + ", # why not)");
            }
            List<Boolean> row =
                    words(parts.group(2)).stream().map("yes"::equals).toList();
            if (row.contains(false) != (parts.group(3) != null)) {
                throw new IllegalArgumentException(line + " (expected: a reason where it says no, and only there)");
            }
            if (rows.put(parts.group(1), row) != null) {
                throw new IllegalArgumentException(parts.group(1) + " stands twice");
            }
        }
        return new CapabilityList(drivers, rows);
    }

    /** What the driver file of this folder has to say. */
    Map<String, Boolean> of(String driver) {
        int column = drivers.indexOf(driver);
        Map<String, Boolean> declared = new TreeMap<>();
        rows.forEach((capability, row) -> declared.put(capability, row.get(column)));
        return declared;
    }

    private static List<String> words(String line) {
        return List.of(line.strip().split("\\s+", -1));
    }
}
