package dev.fairlead.testkit.fake;

import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;

/** Makes pages of entries that are kept in the order of ids. */
final class InMemoryPages {
    private InMemoryPages() {}

    static <K, T> Page<T> of(SortedMap<NativeId, K> kept, PageRequest page, Function<K, T> view) {
        return page.cut(
                kept.keySet().stream().map(NativeId::value).toList(),
                id -> Optional.ofNullable(kept.get(new NativeId(id))).map(view));
    }
}
