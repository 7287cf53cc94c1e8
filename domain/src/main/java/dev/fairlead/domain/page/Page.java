package dev.fairlead.domain.page;

import java.util.List;

/** Holds items in the order of their ids, and says whether more follow the last of them. */
public record Page<T>(List<T> items, boolean more) {
    public Page {
        items = List.copyOf(items);
    }
}
