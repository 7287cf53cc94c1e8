package dev.fairlead.adapter.local.directory;

import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Describes a folder that is to be made.
 *
 * @param source the folder whose content it gets; empty if it gets none
 */
record Parcel(Shelf shelf, String id, SortedMap<String, String> record, Optional<Path> source, Dress dress) {
    Path place() {
        return shelf.place(id);
    }
}
