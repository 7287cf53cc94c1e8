package dev.fairlead.adapter.local.directory.form;

import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.volume.VolumeMedium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Says what the folder of a volume holds, and how its size is kept. The folder's name, record, creation, copying and
 * removal are the same for all forms.
 *
 * <p>A form that says nothing else is that of plain folders: they hold their users' files, and their sizes are noted
 * only.
 */
public interface FolderForm {
    FolderForm PLAIN = new FolderForm() {};

    /** Returns the kinds of medium that volumes of this form are. */
    default Set<VolumeMedium.Kind> media() {
        return Set.of(VolumeMedium.Kind.FILESYSTEM);
    }

    /** Returns the medium of the volume in a folder, which need not exist yet. */
    default VolumeMedium medium(Path folder) {
        return new VolumeMedium.Filesystem(folder.toString());
    }

    /** Makes the empty folder of a new volume or snapshot. */
    default void make(Path folder, Work work) throws IOException {
        work.effect(new Effect("mkdir", folder.toString()), () -> Files.createDirectory(folder));
    }

    /**
     * Makes the folder of a new volume or snapshot with what another one holds at one instant.
     *
     * @return false if that cannot be done, and nothing was made
     */
    default boolean copy(Path source, Path folder, Work work) throws IOException {
        return false;
    }

    /** Returns whether several folders can be copied at one instant. */
    default boolean hasInstant() {
        return false;
    }

    /**
     * Makes the folders of new snapshots with what others hold, all of them at one instant.
     *
     * @param copies the new folders, each with the one that it is copied from
     * @return false if that cannot be done, and nothing was made
     */
    default boolean copyTogether(Map<Path, Path> copies, Work work) throws IOException {
        return false;
    }

    /** Protects a snapshot that is in its place from being changed; does nothing if it is protected, or cannot be. */
    default void seal(Path folder, Work work) throws IOException {}

    /**
     * Notes on what belongs to a folder that this is in its place, by which it is told from one that was being made;
     * does nothing if that is noted.
     *
     * @return whether something was done, of which {@link #unsettled} tells whether it is there
     */
    default boolean settle(Path folder, Work work) throws IOException {
        return false;
    }

    /** Settles a folder that has been in its place before, since the call that made it may have been cut. */
    default void settleAgain(Path folder, Work work) throws IOException {
        String missing = settle(folder, work) ? unsettled(folder, Capacity.ZERO) : "";
        if (!missing.isEmpty()) {
            throw new IOException(folder + " is in its place and lacks " + missing);
        }
    }

    /** Returns the size that a volume gets for a range. */
    default Capacity size(CapacityRange range) {
        return range.choose();
    }

    /**
     * Gives a folder what a volume of this size has beside its copied content, and durably so; a volume is made larger
     * and never smaller. Does nothing if all of it is there.
     */
    default void complete(Path folder, Capacity size, Work work) throws IOException {}

    /**
     * Returns what a record says of a folder beside what its volume or snapshot is: what tells later whether the folder
     * is the one that was made.
     */
    default SortedMap<String, String> fields(Path folder) throws IOException {
        return Collections.emptySortedMap();
    }

    /** Returns a text that names what a volume of this size lacks; empty if it lacks nothing. */
    default String missing(Path folder, Capacity size) throws IOException {
        return "";
    }

    /**
     * Returns a text that names what a folder in its place lacks, be it of a volume of this size or of {@link #settle};
     * empty if it lacks nothing.
     */
    default String unsettled(Path folder, Capacity size) throws IOException {
        return missing(folder, size);
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

    /**
     * Destroys what belongs to a folder in the trash and is not in it; does nothing if there is no such thing.
     *
     * @param made whether it had been in its place, and was not being made, when it was thrown away
     */
    default void dispose(Path folder, boolean made, Work work) throws IOException {}

    /** Returns the names of what was made for folders and belongs to none that is there. */
    default List<String> strays() throws IOException {
        return List.of();
    }

    /** Returns what a copy of the volume takes, if it shares no blocks. */
    default Capacity copySize(Path folder, Capacity size) throws IOException {
        return size;
    }

    /**
     * Returns what such a copy takes at most if the volume is written to while it is made.
     *
     * @param now what {@link #copySize} returned
     */
    default Capacity mostCopied(Path folder, Capacity size, Capacity now) throws IOException {
        return size;
    }

    /**
     * Returns how many files, folders and links a copy of a folder may have, as a volume of this size; as many as the
     * folder has by the count of the kernel, if processes that no quota binds made more.
     */
    default long mostFiles(Path source, Capacity size) throws IOException {
        return Long.MAX_VALUE;
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
