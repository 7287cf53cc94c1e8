package dev.fairlead.adapter.local.directory.settings;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Names the node that this process runs on.
 *
 * @param name empty if it is not known
 * @param mounts the file that tells what is mounted there, as this process sees it
 */
public record LocalNodeSettings(Optional<String> name, Path mounts) {
    public static final LocalNodeSettings UNKNOWN = new LocalNodeSettings(Optional.empty());

    public LocalNodeSettings(Optional<String> name) {
        this(name, Path.of("/proc/self/mountinfo"));
    }
}
