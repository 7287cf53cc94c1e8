package dev.fairlead.adapter.zfs.cli;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.zfs.property.Property;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code zfs get -Hp -o name,property,value,source}.
 *
 * <p>The value of a user property may hold tabs and line breaks, and {@code zfs} prints them as they are. So a line
 * begins a row only if it names a property that was asked for; all from there to the source, in which there is no tab,
 * is the value.
 */
public final class Rows {
    private static final Pattern AMBIGUOUS = Pattern.compile("\\n[^\\n]*\\t");
    private static final String TAB = "\t";
    private static final int LARGEST_QUOTE = 120;
    private static final int MOST_SHARED = 1_000;
    private static final int LONGEST_SHARED = 60;

    private Rows() {}

    /** The output is not what {@code zfs} prints. */
    public static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1;

        UnreadableException(String message) {
            super(message);
        }
    }

    /**
     * Refuses a name that would make the output ambiguous: a line break and after it a tab begin what looks like a row,
     * and what else is on the host would become unreadable, for all volumes.
     */
    public static void requireUnambiguous(CsiName name) {
        if (AMBIGUOUS.matcher(name.value()).find()) {
            throw new StorageException(new Failure.InvalidRequest(
                    "name",
                    "holds a line break and after it a tab, which zfs prints like a row of its own (expected:"
                            + " not both)"));
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
        Map<String, String> words = new HashMap<>();
        asked.forEach(property -> words.put(property, property));
        Set<String> properties = Set.copyOf(asked);
        SortedMap<String, Map<String, Property>> all = new TreeMap<>();
        int from = 0;
        while (from < output.length()) {
            int end = end(output, from, properties);
            String row = output.substring(from, end);
            from = end + 1;
            String[] head = row.split(TAB, 3);
            int last = head[2].lastIndexOf(TAB);
            if (last < 0) {
                throw new UnreadableException("a row without a source: " + quoted(row));
            }
            Property property =
                    new Property(shared(words, head[2].substring(0, last)), shared(words, head[2].substring(last + 1)));
            Map<String, Property> one = all.computeIfAbsent(head[0], _ -> new LinkedHashMap<>());
            if (one.put(shared(words, head[1]), property) != null) {
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

    /**
     * Returns the index of the line break that ends a row. The output is not split into lines, since that of all
     * volumes is large.
     */
    private static int end(String output, int from, Set<String> properties) throws UnreadableException {
        if (!begins(output, from, properties)) {
            int line = output.indexOf('\n', from);
            throw new UnreadableException(
                    "the output begins with " + quoted(output.substring(from, line < 0 ? output.length() : line)));
        }
        int end = output.indexOf('\n', from);
        while (end >= 0 && end + 1 < output.length() && !begins(output, end + 1, properties)) {
            end = output.indexOf('\n', end + 1);
        }
        if (end < 0) {
            throw new UnreadableException("the output ends within a row");
        }
        return end;
    }

    /** Returns whether the line at an index has a name, a property that was asked for, and more. */
    private static boolean begins(String output, int at, Set<String> properties) {
        int name = output.indexOf('\t', at);
        int property = name < 0 ? -1 : output.indexOf('\t', name + 1);
        int line = output.indexOf('\n', at);
        return property >= 0
                && (line < 0 || property < line)
                && properties.contains(output.substring(name + 1, property));
    }

    /**
     * Returns the same text, and one object for all that many rows have: names of properties, sources, short values.
     */
    private static String shared(Map<String, String> words, String text) {
        if (words.size() >= MOST_SHARED || text.length() > LONGEST_SHARED) {
            return words.getOrDefault(text, text);
        }
        String there = words.putIfAbsent(text, text);
        return there == null ? text : there;
    }

    private static String quoted(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return "'" + (plain.length() > LARGEST_QUOTE ? plain.substring(0, LARGEST_QUOTE) + "…" : plain) + "'";
    }
}
