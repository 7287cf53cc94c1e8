package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.zfs.property.Property;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads the output of {@code zfs get -Hp -o name,property,value,source}.
 *
 * <p>The value of a user property may hold tabs and line breaks, and {@code zfs} prints them as they are. So a line
 * begins a row only if it names a property that was asked for; all from there to the source, in which there is no tab,
 * is the value.
 */
public final class Rows {
    private static final String TAB = "\t";
    private static final int LARGEST_QUOTE = 120;

    private Rows() {}

    /** The output is not what {@code zfs} prints. */
    public static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * Returns the properties of each dataset or snapshot, in the order of the names.
     *
     * @param asked the properties that the command named
     * @throws UnreadableException if a row is cut short, or one that was asked for is missing
     */
    public static SortedMap<String, Map<String, Property>> read(String output, Collection<String> asked)
            throws UnreadableException {
        return read(output, asked, asked);
    }

    /**
     * Reads the same if the command asked for some properties of only a few datasets.
     *
     * @param everywhere the properties of which each dataset and snapshot must have a row
     */
    public static SortedMap<String, Map<String, Property>> read(
            String output, Collection<String> asked, Collection<String> everywhere) throws UnreadableException {
        Set<String> properties = Set.copyOf(asked);
        SortedMap<String, Map<String, Property>> all = new TreeMap<>();
        for (String row : rows(output, properties)) {
            String[] head = row.split(TAB, 3);
            int last = head[2].lastIndexOf(TAB);
            if (last < 0) {
                throw new UnreadableException("a row without a source: " + quoted(row));
            }
            Property property = new Property(head[2].substring(0, last), head[2].substring(last + 1));
            if (all.computeIfAbsent(head[0], _ -> new LinkedHashMap<>()).put(head[1], property) != null) {
                throw new UnreadableException("two rows of one property: " + quoted(row));
            }
        }
        for (Map.Entry<String, Map<String, Property>> found : all.entrySet()) {
            if (!found.getValue().keySet().containsAll(everywhere)) {
                throw new UnreadableException("the rows of " + quoted(found.getKey()) + " are not complete");
            }
        }
        return all;
    }

    private static List<String> rows(String output, Set<String> properties) throws UnreadableException {
        List<String> rows = new ArrayList<>();
        if (output.isEmpty()) {
            return rows;
        }
        if (!output.endsWith("\n")) {
            throw new UnreadableException("the output ends within a row");
        }
        for (String line : output.substring(0, output.length() - 1).split("\n", -1)) {
            if (begins(line, properties)) {
                rows.add(line);
            } else if (rows.isEmpty()) {
                throw new UnreadableException("the output begins with " + quoted(line));
            } else {
                rows.add(rows.removeLast() + "\n" + line);
            }
        }
        return rows;
    }

    private static boolean begins(String line, Set<String> properties) {
        String[] head = line.split(TAB, 3);
        return head.length == 3 && properties.contains(head[1]);
    }

    private static String quoted(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return "'" + (plain.length() > LARGEST_QUOTE ? plain.substring(0, LARGEST_QUOTE) + "…" : plain) + "'";
    }
}
