package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.property.Property;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the filesystems of a connection are shared from their birth, as its exporter has it; as it stands, not at all.
 */
public interface Sharing {
    /** Of a store whose volumes no property shares. */
    Sharing NONE = new Sharing() {};

    /** All properties that may share one. */
    default Set<String> keys() {
        return Set.of();
    }

    /** The rows that {@link #look} prints, besides those of {@code zfs get}. */
    default List<String> looked() {
        return List.of();
    }

    /** @param notes those of its volume, which may say that it is closed */
    default Map<String, String> properties(DatasetName name, Map<String, String> notes) {
        return Map.of();
    }

    /** By what clients find the share, where that is not its path: two datasets could have the same. */
    default Optional<String> foundBy(DatasetName name) {
        return Optional.empty();
    }

    /** One step or none, which fails where the share of that name is there and of another path. */
    default Steps unclaimed(DatasetName name, Optional<String> mountpoint) {
        return new Steps();
    }

    /** The path that {@link #unclaimed} has found in the way; empty where it failed for another reason. */
    default Optional<String> otherPath(Outcome outcome) {
        return Optional.empty();
    }

    /** What to say where the share of another path is in the way. */
    default String taken(DatasetName name, String path) {
        return "";
    }

    /** Prints rows of what the host itself shares. */
    default Steps look(DatasetName name, Optional<String> mountpoint) {
        return new Steps();
    }

    /** Whether these rows say that it is shared as it should be. */
    default boolean isDone(DatasetName name, Map<String, String> notes, Map<String, Property> rows) {
        return false;
    }
}
