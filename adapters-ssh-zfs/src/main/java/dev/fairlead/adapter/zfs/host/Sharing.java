package dev.fairlead.adapter.zfs.host;

import dev.fairlead.adapter.zfs.cli.Rows.Property;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How the filesystems of a connection are shared from their birth, as its exporter has it. */
public interface Sharing {
    /** Of a store whose volumes no property shares. */
    Sharing NONE = new Sharing() {
        @Override
        public Set<String> keys() {
            return Set.of();
        }

        @Override
        public List<String> looked() {
            return List.of();
        }

        @Override
        public Map<String, String> properties(DatasetName name, Map<String, String> notes) {
            return Map.of();
        }

        @Override
        public Optional<String> foundBy(DatasetName name) {
            return Optional.empty();
        }

        @Override
        public Steps unclaimed(DatasetName name, Optional<String> mountpoint) {
            return new Steps();
        }

        @Override
        public Optional<String> otherPath(Outcome outcome) {
            return Optional.empty();
        }

        @Override
        public String taken(DatasetName name, String path) {
            return "";
        }

        @Override
        public Steps look(DatasetName name, Optional<String> mountpoint) {
            return new Steps();
        }

        @Override
        public boolean isDone(DatasetName name, Map<String, String> notes, Map<String, Property> rows) {
            return false;
        }
    };

    /** All properties that may share one. */
    Set<String> keys();

    /** The rows that {@link #look} prints, besides those of {@code zfs get}. */
    List<String> looked();

    /** @param notes those of its volume, which may say that it is closed */
    Map<String, String> properties(DatasetName name, Map<String, String> notes);

    /** By what clients find the share, where that is not its path: two datasets could have the same. */
    Optional<String> foundBy(DatasetName name);

    /** One step or none, which fails where the share of that name is there and of another path. */
    Steps unclaimed(DatasetName name, Optional<String> mountpoint);

    /** The path that {@link #unclaimed} has found in the way; empty where it failed for another reason. */
    Optional<String> otherPath(Outcome outcome);

    /** What to say where the share of another path is in the way. */
    String taken(DatasetName name, String path);

    /** Prints rows of what the host itself shares. */
    Steps look(DatasetName name, Optional<String> mountpoint);

    /** Whether these rows say that it is shared as it should be. */
    boolean isDone(DatasetName name, Map<String, String> notes, Map<String, Property> rows);
}
