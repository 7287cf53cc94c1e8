package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Cuts a page out of a sorted list of ids, reading only the items of the page and the next one. */
public final class IdPages {
    private IdPages() {}

    /** @param reader returns empty for an id that turns out not to belong on the list */
    public static <T> Page<T> of(List<String> sorted, PageRequest page, Reader<T> reader) throws IOException {
        List<T> items = new ArrayList<>();
        for (String id : after(sorted, page)) {
            Optional<T> item = reader.read(id);
            if (item.isPresent() && items.size() == page.size()) {
                return new Page<>(items, true);
            }
            item.ifPresent(items::add);
        }
        return new Page<>(items, false);
    }

    private static List<String> after(List<String> sorted, PageRequest page) {
        if (page.after().isEmpty()) {
            return sorted;
        }
        int at = Collections.binarySearch(sorted, page.after().get());
        return sorted.subList(at < 0 ? -at - 1 : at + 1, sorted.size());
    }

    /** Reads one item. */
    @FunctionalInterface
    public interface Reader<T> {
        Optional<T> read(String id) throws IOException;
    }
}
