package dev.fairlead.adapter.linstor.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers which lists have to be asked for in shorter pages, as longer ones are too long to be read. */
final class PageSizes {
    /** The number of entries of the shortest page. */
    private static final int LEAST = 50;

    /** The number of times that the pages of a list were made shorter, by its path. */
    private final Map<List<String>, Integer> shortened = new ConcurrentHashMap<>();

    /**
     * Returns the number of entries of the next page of a list that is to have so many where they can be read.
     *
     * <p>A second look has pages of another length than the first, so that what cuts each page short cuts the two
     * elsewhere: that stays so.
     */
    int entries(List<String> path, int size) {
        int times = shortened.getOrDefault(path, 0);
        if (times == 0) return size;
        boolean second = size < Controllers.PAGE;
        int shorter = (size >> Math.min(2 * times, Integer.SIZE - 1)) - (second ? 1 : 0);
        return Math.max(shorter, Math.min(size, second ? LEAST - 1 : LEAST));
    }

    /** Makes the pages of a list shorter from now on; false if this one, of so many entries, was the shortest. */
    boolean shorten(List<String> path, int entries) {
        if (entries <= LEAST) return false;
        shortened.merge(path, 1, Integer::sum);
        return true;
    }
}
