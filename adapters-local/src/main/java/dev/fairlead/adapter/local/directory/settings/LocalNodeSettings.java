package dev.fairlead.adapter.local.directory.settings;

import dev.fairlead.domain.topology.TopologyPrefix;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Names the node that this process runs on.
 *
 * @param name empty if it is not known
 * @param mounts the file that tells what is mounted there, as this process sees it
 * @param prefix the prefix of the topology keys of this installation
 */
public record LocalNodeSettings(Optional<String> name, Path mounts, TopologyPrefix prefix) {
    public static final LocalNodeSettings UNKNOWN = new LocalNodeSettings(Optional.empty());

    public LocalNodeSettings(Optional<String> name) {
        this(name, Path.of("/proc/self/mountinfo"));
    }

    public LocalNodeSettings(Optional<String> name, Path mounts) {
        this(name, mounts, TopologyPrefix.DEFAULT);
    }

    public LocalNodeSettings(Optional<String> name, TopologyPrefix prefix) {
        this(name, Path.of("/proc/self/mountinfo"), prefix);
    }
}
