package dev.fairlead.adapter.local.directory.base;

import dev.fairlead.domain.volume.NativeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds volumes and snapshots that are no store's of this base, and of whose content it makes volumes all the same. An
 * id of theirs begins with a slash, which no id of a folder has.
 */
public interface ContentElsewhere {
    /** The implementation for a base beside which there is nothing. */
    ContentElsewhere NONE = new ContentElsewhere() {
        @Override
        public boolean isFilled() {
            return false;
        }

        @Override
        public Optional<Path> volume(NativeId id) {
            return Optional.empty();
        }

        @Override
        public Optional<Path> snapshot(NativeId id) {
            return Optional.empty();
        }
    };

    /** Returns whether there is any such volume in the base. */
    boolean isFilled() throws IOException;

    /** Returns the folder of a volume; empty if the id is none of elsewhere, or there is no such volume. */
    Optional<Path> volume(NativeId id) throws IOException;

    /** Returns the folder with the content of a snapshot; empty likewise. */
    Optional<Path> snapshot(NativeId id) throws IOException;

    /** Returns the folder of a volume from elsewhere, or else that of the base's own volume. */
    default Optional<Path> volume(NativeId id, Search own) throws IOException {
        Optional<Path> found = volume(id);
        return found.isPresent() ? found : Optional.of(own.of(id));
    }

    /** Returns the folder with the content of a snapshot from elsewhere, or else of the base's own snapshot. */
    default Optional<Path> snapshot(NativeId id, Search own) throws IOException {
        Optional<Path> found = snapshot(id);
        return found.isPresent() ? found : Optional.of(own.of(id));
    }

    /** Finds the folder of one of a base's own volumes or snapshots; throws if it is not there. */
    @FunctionalInterface
    interface Search {
        Path of(NativeId id) throws IOException;
    }
}
