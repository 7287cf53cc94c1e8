package dev.fairlead.domain.page;

import java.util.Optional;

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
}
