package dev.fairlead.adapter.local.pool.health;

import dev.fairlead.linux.MountCalls;
import dev.fairlead.linux.PathHandle;
import dev.fairlead.linux.counts.FilesystemErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Asks for what a file system tells of itself.
 *
 * @param space returns the space of the file system of a folder
 * @param errors returns the errors that it has counted, in words; empty if there are none
 */
public record DiskFacts(Question<MountCalls.Space> space, Question<Optional<String>> errors) {
    public static final DiskFacts OF_KERNEL = new DiskFacts(
            folder -> {
                try (PathHandle place = PathHandle.of(folder)) {
                    return MountCalls.space(place);
                }
            },
            folder -> FilesystemErrors.OF_KERNEL.of(folder));

    /** Asks something of a folder. */
    @FunctionalInterface
    public interface Question<T> {
        T of(Path folder) throws IOException;
    }
}
