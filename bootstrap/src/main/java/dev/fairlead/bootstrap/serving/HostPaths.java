package dev.fairlead.bootstrap.serving;

import dev.fairlead.domain.connection.ConnectionName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The folders below which a volume's path may lie on this node: those that were named, and those of connections. */
final class HostPaths implements Supplier<List<Path>> {
    private final List<Path> named;
    private final Map<ConnectionName, Path> ofConnections = new ConcurrentHashMap<>();

    HostPaths(List<Path> named) {
        this.named = List.copyOf(named);
    }

    void put(ConnectionName connection, Path folder) {
        ofConnections.put(connection, folder);
    }

    void remove(ConnectionName connection) {
        ofConnections.remove(connection);
    }

    @Override
    public List<Path> get() {
        List<Path> all = new ArrayList<>(named);
        all.addAll(ofConnections.values());
        return all;
    }
}
