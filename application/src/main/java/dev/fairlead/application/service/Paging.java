package dev.fairlead.application.service;

import dev.fairlead.application.port.in.Listing;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Lists what several connections hold, in the order of connection and id, one page of one connection at a time.
 *
 * <p>A connection that does not answer fails the whole list with its name: callers take what a list lacks for gone, and
 * clean up after it.
 *
 * @param <I> an item as its store has it
 * @param <V> an item as callers see it
 */
record Paging<I, V>(Connections connections, Shelf<I, V> shelf) {
    /** One connection's part of a list; asked where storage may be asked. */
    interface Shelf<I, V> {
        Page<I> page(Backend backend, PageRequest request, Work work);

        String id(I item);

        V view(Backend backend, I item, Work work);
    }

    /** @param max at most so many; 0: as many as there are */
    Listing<V> list(SortedSet<ConnectionName> names, Optional<String> token, int max, Work work) {
        Optional<ListToken> from = token.map(ListToken::parse);
        int most = max == 0 ? Integer.MAX_VALUE : max;
        List<V> items = new ArrayList<>();
        Optional<ListToken> last = Optional.empty();
        for (ConnectionName name :
                from.map(it -> names.tailSet(it.connection())).orElse(names)) {
            Optional<String> after =
                    from.filter(it -> it.connection().equals(name)).map(ListToken::last);
            int room = most - items.size();
            Part<V> part = part(name, new PageRequest(after, Math.max(1, room)), work);
            if (room == 0 && !part.items().isEmpty()) {
                return new Listing<>(items, last.map(ListToken::toString));
            }
            items.addAll(part.items());
            last = part.last().isPresent() ? part.last() : last;
            if (part.more()) {
                return new Listing<>(items, last.map(ListToken::toString));
            }
        }
        return new Listing<>(items, Optional.empty());
    }

    private Part<V> part(ConnectionName name, PageRequest request, Work work) {
        try (Lease lease = connections.lease(name)) {
            return lease.read(work, "list", backend -> {
                Page<I> page = shelf.page(backend, request, work);
                List<V> views = page.items().stream()
                        .map(item -> shelf.view(backend, item, work))
                        .toList();
                Optional<ListToken> last = page.items().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ListToken(name, shelf.id(page.items().getLast())));
                return new Part<>(views, last, page.more());
            });
        }
    }

    private record Part<V>(List<V> items, Optional<ListToken> last, boolean more) {}
}
