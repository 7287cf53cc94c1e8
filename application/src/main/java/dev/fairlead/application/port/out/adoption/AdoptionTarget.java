package dev.fairlead.application.port.out.adoption;

import dev.fairlead.domain.volume.HostpathName;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says which volumes of the driver the folders of a node's pools become.
 *
 * @param driver the CSI name
 * @param topologyKey the label by which the driver tells its nodes apart
 * @param pools the paths of the pools by their names
 * @param connection the connection that handles begin with; empty for a driver of one connection
 */
public record AdoptionTarget(String driver, String topologyKey, Map<String, Path> pools, Optional<String> connection) {
    /** The pool whose volumes have handles without a pool. */
    private static final String BARE = "legacy";

    public AdoptionTarget {
        pools = Map.copyOf(pools);
    }

    /** Holds a folder of a pool. */
    public record PoolFolder(String pool, String name) {}

    /** Returns the pool that a folder is directly below, if it can be a volume there. */
    public Optional<PoolFolder> folder(String path) {
        return new TreeMap<>(pools)
                .entrySet().stream()
                        .filter(pool -> path.startsWith(pool.getValue() + "/"))
                        .map(pool -> new PoolFolder(
                                pool.getKey(),
                                path.substring(pool.getValue().toString().length() + 1)))
                        .filter(it -> HostpathName.isName(it.name()))
                        .findFirst();
    }

    /** Returns the handle of the volume that a folder becomes. */
    public String handle(PoolFolder folder) {
        String id = folder.pool().equals(BARE) ? folder.name() : folder.pool() + "/" + folder.name();
        return connection.map(name -> "v:" + name + "/" + id).orElse(id);
    }
}
