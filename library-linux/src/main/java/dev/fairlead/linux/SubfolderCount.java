package dev.fairlead.linux;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Counts what is in a folder, as its file system keeps it in the folder itself, so that no name has to be read.
 *
 * @param value 0 if the file system keeps no such count
 */
public record SubfolderCount(Unit unit, long value) {
    static final SubfolderCount UNKNOWN = new SubfolderCount(Unit.LINKS, 0);

    /** Tells what is counted. */
    public enum Unit {
        /** The links of a folder: one of each folder in it, and two of its own. */
        LINKS,
        /** The size of a folder of btrfs: the bytes of all names in it, those of files too, each counted twice. */
        NAMES
    }

    /** @param links as ext4 says them: 1 once there are more than it counts */
    static SubfolderCount ofLinks(long links) {
        return links > 1 ? new SubfolderCount(Unit.LINKS, links) : UNKNOWN;
    }

    static SubfolderCount ofNames(long size) {
        return new SubfolderCount(Unit.NAMES, size);
    }

    /**
     * Returns whether this is what an earlier count of the same folder became by these changes: then nobody else has
     * added or removed a folder, unless as many were removed as were added.
     */
    public boolean isAfter(SubfolderCount before, Collection<String> added, Collection<String> removed) {
        long more = switch (unit) {
            case LINKS -> (long) added.size() - removed.size();
            case NAMES -> 2 * (bytes(added) - bytes(removed));
        };
        return unit == before.unit && isKnown() && before.isKnown() && value == before.value + more;
    }

    private boolean isKnown() {
        return unit == Unit.NAMES || value != 0;
    }

    private static long bytes(Collection<String> names) {
        return names.stream()
                .mapToLong(name -> name.getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }
}
