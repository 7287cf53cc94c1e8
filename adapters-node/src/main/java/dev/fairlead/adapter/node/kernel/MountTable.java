package dev.fairlead.adapter.node.kernel;

import dev.fairlead.application.port.out.node.Mounter.MountEntry;
import dev.fairlead.domain.mount.MountOptions;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads {@code /proc/self/mountinfo} (proc(5)).
 *
 * <p>Reading it never asks a file system, so it works even if a server is dead. It takes the kernel about a microsecond
 * for each mount, though: for single mounts a call on the path is better.
 */
public final class MountTable {
    private static final String PATH = "/proc/self/mountinfo";

    /** The number of fields before the optional ones. */
    private static final int OPTIONAL = 6;

    private MountTable() {}

    public static List<MountEntry> read() throws IOException {
        return parse(text());
    }

    /** Returns the mounts of one file system, in the kernel's order; the other lines of a long table are not parsed. */
    public static List<MountEntry> ofDevice(String device) throws IOException {
        return ofDevice(text(), device);
    }

    /** @param text the whole table, as the kernel writes it */
    static List<MountEntry> ofDevice(String text, String device) {
        String field = " " + device + " ";
        return Arrays.stream(text.split("\n", -1))
                .filter(line -> line.contains(field))
                .flatMap(line -> parseLine(line).stream())
                .filter(entry -> entry.device().equals(device))
                .toList();
    }

    private static String text() throws IOException {
        try (FileInputStream file = new FileInputStream(PATH)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the topmost mount at exactly this path; the table lists a mount after those that it covers. */
    public static Optional<MountEntry> at(List<MountEntry> table, String mountPoint) {
        return table.stream()
                .filter(entry -> entry.mountPoint().equals(mountPoint))
                .reduce((_, later) -> later);
    }

    /**
     * Returns the mount in which a path lies by its name: the one with the longest mount point, the topmost of these.
     */
    public static Optional<MountEntry> holding(List<MountEntry> table, String path) {
        return table.stream()
                .filter(entry -> holds(entry.mountPoint(), path))
                .reduce((one, later) ->
                        later.mountPoint().length() >= one.mountPoint().length() ? later : one);
    }

    /**
     * Returns whether a mount of a table is shared (mount_namespaces(7)): what is mounted in it appears in the mount
     * namespaces that share it, too.
     *
     * @param text the whole table, as the kernel writes it
     */
    public static boolean isShared(String text, MountEntry mount) {
        return Arrays.stream(text.split("\n", -1))
                .filter(line -> line.startsWith(mount.id() + " "))
                .flatMap(line ->
                        Arrays.stream(line.split(" ", -1)).skip(OPTIONAL).takeWhile(it -> !it.equals("-")))
                .anyMatch(field -> field.startsWith("shared:"));
    }

    /** Returns whether a path is this directory or lies below it; both must be absolute and without {@code ..}. */
    public static boolean holds(String directory, String path) {
        return path.startsWith(directory)
                && (path.length() == directory.length()
                        || directory.equals("/")
                        || path.charAt(directory.length()) == '/');
    }

    /** Returns all entries in the kernel's order, without lines that cannot be read, since only mounts matter here. */
    public static List<MountEntry> parse(String text) {
        List<MountEntry> entries = new ArrayList<>();
        Map<String, List<String>> options = new HashMap<>(); // the same few on most lines
        for (String line : text.split("\n", -1)) {
            parseLine(line, list -> options.computeIfAbsent(list, MountOptions::shown))
                    .ifPresent(entries::add);
        }
        return entries;
    }

    /**
     * Reads one line: {@code id parent major:minor root point options [optional …] - type source super-options}. The
     * number of optional fields varies; the first lone dash after the sixth field ends them.
     */
    static Optional<MountEntry> parseLine(String line) {
        return parseLine(line, MountOptions::shown);
    }

    private static Optional<MountEntry> parseLine(String line, Function<String, List<String>> options) {
        String[] fields = line.split(" ", -1);
        int dash = OPTIONAL;
        while (dash < fields.length && !fields[dash].equals("-")) {
            dash++;
        }
        if (dash + 2 >= fields.length) {
            return Optional.empty();
        }
        try {
            return Optional.of(new MountEntry(
                    Integer.parseInt(fields[0]),
                    Integer.parseInt(fields[1]),
                    fields[2],
                    unescape(fields[3]),
                    unescape(fields[4]),
                    options.apply(fields[5]),
                    unescape(fields[dash + 1]),
                    unescape(fields[dash + 2]),
                    dash + 3 < fields.length ? options.apply(unescape(fields[dash + 3])) : List.of()));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    /**
     * Decodes a field: the kernel writes blank, tab, newline, backslash and at times {@code #} as a backslash and three
     * octal digits.
     */
    static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return field;
        }
        StringBuilder plain = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && octal(field, i + 1) && octal(field, i + 2) && octal(field, i + 3)) {
                plain.append((char) Integer.parseInt(field, i + 1, i + 4, 8));
                i += 3;
            } else {
                plain.append(field.charAt(i));
            }
        }
        return plain.toString();
    }

    private static boolean octal(String field, int at) {
        return at < field.length() && field.charAt(at) >= '0' && field.charAt(at) <= '7';
    }
}
