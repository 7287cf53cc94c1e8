package dev.fairlead.domain.base;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds what the mark of a base folder says of its owner: the file {@code .fairlead/owner} below the base, an object of
 * texts. The installation is the list of its CSI names, with commas between them; a pool is named if the base is one.
 * Fields that are not known here are kept.
 */
public record BaseMark(SortedMap<String, String> fields) {
    /** The folder below a base in which everything is that the driver knows of it. */
    public static final String FOLDER = ".fairlead";

    /** The name of the mark in that folder. */
    public static final String FILE = "owner";

    public static final String INSTALLATION = "installation";
    public static final String CONNECTION = "connection";
    public static final String POOL = "pool";

    public BaseMark {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }

    /** Reads the text of a mark; empty if it is none, such as an incomplete one. */
    public static Optional<BaseMark> read(String text) {
        try {
            return Optional.of(new BaseMark(FlatJson.parse(text)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    public String installation() {
        return fields.getOrDefault(INSTALLATION, "");
    }

    public String connection() {
        return fields.getOrDefault(CONNECTION, "");
    }

    /** Returns the name of the pool; empty if the base is none, or was marked before marks named pools. */
    public String pool() {
        return fields.getOrDefault(POOL, "");
    }

    /**
     * Returns whether the mark is of this installation. One that got or lost CSI names is the same as long as one name
     * stays.
     */
    public boolean isOf(String installation) {
        List<String> names = names(installation);
        return names(installation()).stream().anyMatch(names::contains);
    }

    private static List<String> names(String installation) {
        return Arrays.asList(installation.split(",", -1));
    }
}
