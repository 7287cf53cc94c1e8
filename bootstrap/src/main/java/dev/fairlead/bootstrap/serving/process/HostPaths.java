package dev.fairlead.bootstrap.serving.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Holds the folders below which a volume's path may lie on this node: those of the settings, and those of connections.
 * A connection's folder stays if its file is removed or broken, also for later processes, since pods may still need its
 * volumes.
 */
public final class HostPaths implements Supplier<List<Path>> {
    private final List<Path> named;
    private final Optional<HostPathsFile> file;
    private final Set<Path> ofConnections = new LinkedHashSet<>();

    public HostPaths(List<Path> named) {
        this(named, Optional.empty());
    }

    /** @param file keeps the folders of connections from one process to the next */
    public HostPaths(List<Path> named, Optional<HostPathsFile> file) {
        this.named = List.copyOf(named);
        this.file = file;
        file.ifPresent(it -> ofConnections.addAll(it.read()));
    }

    public synchronized void add(Path folder) {
        if (ofConnections.add(folder)) {
            file.ifPresent(it -> it.write(ofConnections));
        }
    }

    @Override
    public synchronized List<Path> get() {
        List<Path> all = new ArrayList<>(named);
        all.addAll(ofConnections);
        return all;
    }
}
