package dev.fairlead.domain.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Asks for a part of a list in the order of ids.
 *
 * @param after the last id that the caller has seen; it need not exist any more
 * @param size the greatest number of items to return, at least 1
 */
public record PageRequest(Optional<String> after, int size) {
    public PageRequest {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size + " (expected: 1 or more)");
        }
    }

    public static PageRequest first(int size) {
        return new PageRequest(Optional.empty(), size);
    }

    public static PageRequest all() {
        return first(Integer.MAX_VALUE);
    }

    /** Cuts this page out of a list that was read as a whole: the items by their ids. */
    public <T> Page<T> cut(SortedMap<String, T> all) {
        return cut(List.copyOf(all.keySet()), id -> Optional.ofNullable(all.get(id)));
    }

    /**
     * Cuts this page out of a list, of which it reads no more items than those of the page and the next one.
     *
     * @param ids the ids of the whole list, in order
     * @param reader returns empty for an id that turns out not to belong on the list
     */
    public <T, X extends Exception> Page<T> cut(List<String> ids, ItemReader<T, X> reader) throws X {
        List<T> items = new ArrayList<>();
        for (String id : ids.subList(beginning(ids), ids.size())) {
            Optional<T> item = reader.read(id);
            if (item.isPresent() && items.size() == size) {
                return new Page<>(items, true);
            }
            item.ifPresent(items::add);
        }
        return new Page<>(items, false);
    }

    private int beginning(List<String> ids) {
        int at = after.map(last -> Collections.binarySearch(ids, last)).orElse(-1);
        return at < 0 ? -at - 1 : at + 1;
    }

    /** Reads the item of an id. */
    @FunctionalInterface
    public interface ItemReader<T, X extends Exception> {
        Optional<T> read(String id) throws X;
    }
}
