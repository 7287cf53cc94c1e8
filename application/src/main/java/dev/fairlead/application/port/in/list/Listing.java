package dev.fairlead.application.port.in.list;

import java.util.List;
import java.util.Optional;

/** Holds a part of a list, and the token for the next part if there is one. */
public record Listing<T>(List<T> items, Optional<String> nextToken) {
    public Listing {
        items = List.copyOf(items);
    }
}
