package dev.fairlead.adapter.local.directory.folder;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Says what the folder of a volume holds, and how its size is kept. The folder's name, record, creation, copying and
 * removal are the same for all forms.
 */
public interface FolderForm {
    /** Returns the kinds of medium that volumes of this form are. */
    Set<VolumeMedium.Kind> media();

    /** Returns the medium of the volume in a folder, which need not exist yet. */
    VolumeMedium medium(Path folder);

    /** Returns the size that a volume gets for a range. */
    default Capacity size(CapacityRange range) {
        return range.choose();
    }

    /**
     * Gives a folder what a volume of this size has beside its copied content, and durably so; a volume is made larger
     * and never smaller. Does nothing if all of it is there.
     */
    default void complete(Path folder, Capacity size, Work work) throws IOException {}

    /** Returns a text that names what a volume of this size lacks; empty if it lacks nothing. */
    default String missing(Path folder, Capacity size) throws IOException {
        return "";
    }

    /** Returns who uses the volume on this machine, in words; empty if nobody does, and if that cannot be told. */
    default String use(Path folder) throws IOException {
        return "";
    }

    /** Throws if somebody on this machine uses the volume. */
    default void checkUnused(String id, Path folder) throws IOException {
        String use = use(folder);
        if (!use.isEmpty()) {
            throw new StorageException(new Failure.InUse("volume " + id, use));
        }
    }

    /** Throws if a copy of the folder, made now, would not be what the volume was at one instant. */
    default void checkCopy(Path folder) throws IOException {}

    /** Returns what a copy of the volume takes, if it shares no blocks. */
    default Capacity copySize(Path folder, Capacity size) throws IOException {
        return size;
    }

    /** Returns what tells later whether the folder was changed; throws if it cannot be copied as this form. */
    default String version(Path folder) throws IOException {
        return "";
    }

    /**
     * Throws if a copy that took a while is not what the volume was at one instant.
     *
     * @param version what {@link #version} returned before the copy began
     */
    default void checkCopied(Path folder, String version) throws IOException {}

    /** Returns whether a write past the size fails. */
    default boolean enforcesSize() {
        return false;
    }
}
