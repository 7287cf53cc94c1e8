package dev.fairlead.adapter.local.directory;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A folder that is to come into being.
 *
 * @param source whose content it gets; empty without
 */
record Parcel(Shelf shelf, String id, SortedMap<String, String> record, Optional<Path> source, Dress dress) {
    Path place() {
        return shelf.place(id);
    }
}
