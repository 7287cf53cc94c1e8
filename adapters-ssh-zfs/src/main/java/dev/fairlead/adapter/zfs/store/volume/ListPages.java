package dev.fairlead.adapter.zfs.store.volume;

import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Cuts a page out of a list that was read as a whole: the list is the present one, in the order of the ids. */
public final class ListPages {
    private ListPages() {}

    public static <T> Page<T> of(SortedMap<String, T> all, PageRequest page) {
        SortedMap<String, T> rest =
                page.after().map(last -> all.tailMap(last + "\0")).orElse(all);
        List<T> items = new ArrayList<>();
        for (T item : rest.values()) {
            if (items.size() == page.size()) {
                return new Page<>(items, true);
            }
            items.add(item);
        }
        return new Page<>(items, false);
    }
}
