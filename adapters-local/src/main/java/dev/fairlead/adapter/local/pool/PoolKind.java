package dev.fairlead.adapter.local.pool;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lists the kinds of pool, by the word for them in a connection's file. */
enum PoolKind {
    /** Volumes are plain folders, and their sizes are advisory. */
    DIRECTORY("directory"),
    /** Volumes are files that nodes attach as block devices; a write past the size fails. */
    IMAGE("image");

    private final String word;

    PoolKind(String word) {
        this.word = word;
    }

    static PoolKind parse(String text) {
        return named(text).orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not a kind of pool"));
    }

    private static Optional<PoolKind> named(String text) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(text)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(PoolKind::toString).collect(Collectors.joining(" or "));
    }

    @Override
    public String toString() {
        return word;
    }
}
