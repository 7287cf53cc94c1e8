package dev.fairlead.testkit.fake;

import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;

/** Makes pages of entries that are kept in the order of ids. */
final class InMemoryPages {
    private InMemoryPages() {}

    static <K, T> Page<T> of(SortedMap<NativeId, K> kept, PageRequest page, Function<K, T> view) {
        List<T> rest = kept.entrySet().stream()
                .filter(entry -> page.after()
                        .map(after -> entry.getKey().value().compareTo(after) > 0)
                        .orElse(true))
                .map(entry -> view.apply(entry.getValue()))
                .toList();
        boolean more = rest.size() > page.size();
        return new Page<>(more ? rest.subList(0, page.size()) : rest, more);
    }
}
