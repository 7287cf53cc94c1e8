package dev.fairlead.application.service.list;

import dev.fairlead.application.port.in.list.Listing;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.connection.Backend;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Lists what several connections hold, in the order of connection and id, one page of one connection at a time.
 *
 * <p>If a connection does not answer, the whole list fails with its name: callers take an object that a list lacks for
 * deleted, and clean up after it.
 *
 * @param <I> an item as its store has it
 * @param <V> an item as callers see it
 */
record Paging<I, V>(Connections connections, ConnectionList<I, V> list) {
    /** gRPC's clients take 4 MiB unless they are told otherwise; what is not counted here fits into the rest. */
    private static final int MOST_BYTES = 3 << 20;

    /** The largest number of items that are read and held for one answer. */
    private static final int MOST_ITEMS = 10_000;

    /** Reads one connection's part of a list; called on a thread of the connection. */
    interface ConnectionList<I, V> {
        Page<I> page(Backend backend, PageRequest request, Work work);

        String id(I item);

        V view(Backend backend, I item, Work work);

        /** Returns an estimate of the bytes that the view takes in a message, never too low. */
        int bytes(V view);
    }

    /** @param max the largest number of items; 0: as many as an answer holds */
    Listing<V> list(SortedSet<ConnectionName> names, Optional<String> token, int max, Work work) {
        Optional<ListToken> from = token.map(ListToken::parse);
        int most = max == 0 ? MOST_ITEMS : Math.min(max, MOST_ITEMS);
        int bytes = 0;
        List<V> items = new ArrayList<>();
        Optional<ListToken> last = Optional.empty();
        for (ConnectionName name :
                from.map(it -> names.tailSet(it.connection())).orElse(names)) {
            Optional<String> after =
                    from.filter(it -> it.connection().equals(name)).map(ListToken::last);
            int room = most - items.size();
            Part<V> part = part(name, new PageRequest(after, Math.max(1, room)), MOST_BYTES - bytes, work);
            if (room == 0 && !part.items().isEmpty()) {
                return new Listing<>(items, last.map(ListToken::toString));
            }
            items.addAll(part.items());
            bytes += part.bytes();
            last = part.last().isPresent() ? part.last() : last;
            if (part.more()) {
                return new Listing<>(items, last.map(ListToken::toString));
            }
        }
        return new Listing<>(items, Optional.empty());
    }

    private Part<V> part(ConnectionName name, PageRequest request, int mostBytes, Work work) {
        try (ConnectionUse use = connections.use(name)) {
            return use.read(work, "list", backend -> {
                Page<I> page = list.page(backend, request, work);
                List<V> views = new ArrayList<>();
                int bytes = 0;
                for (I item : page.items()) {
                    V view = list.view(backend, item, work);
                    int more = list.bytes(view);
                    if (more > MOST_BYTES) {
                        throw tooLarge(name, list.id(item), more);
                    }
                    if (bytes + more > mostBytes) {
                        break;
                    }
                    bytes += more;
                    views.add(view);
                }
                Optional<ListToken> last = views.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ListToken(name, list.id(page.items().get(views.size() - 1))));
                return new Part<>(
                        views,
                        bytes,
                        last,
                        page.more() || views.size() < page.items().size());
            });
        }
    }

    /** Returns the failure for an entry that no answer holds; an answer without it would say that it is gone. */
    private static StorageException tooLarge(ConnectionName name, String id, int bytes) {
        return new StorageException(new Failure.Unintelligible(
                name.value(),
                "no list can show " + id + ": what is noted with it takes " + bytes + " bytes (expected: at most "
                        + MOST_BYTES + ")"));
    }

    private record Part<V>(List<V> items, int bytes, Optional<ListToken> last, boolean more) {}
}
