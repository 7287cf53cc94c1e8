package dev.fairlead.adapter.local.directory.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Says where a process keeps what it has seen of base folders for the next one.
 *
 * @param folder on a disk of this machine, apart from all base folders; empty: the process ends and nothing is kept
 */
public record SeenBasesSettings(Optional<Path> folder) {
    /** The settings of a process that keeps nothing. */
    public static final SeenBasesSettings NONE = new SeenBasesSettings(Optional.empty());

    /** Returns the folder beside the driver's socket: a place that belongs to this machine and this driver. */
    public static SeenBasesSettings besides(Path socket) {
        return new SeenBasesSettings(Optional.of(socket.resolveSibling(socket.getFileName() + ".bases")));
    }
}
