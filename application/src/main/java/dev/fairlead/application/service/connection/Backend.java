package dev.fairlead.application.service.connection;

import dev.fairlead.application.port.out.export.Exporter;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.topology.Placement;
import dev.fairlead.domain.volume.StoredVolume;

/** Joins a store and an exporter for one version of a connection's file; {@link Connections} closes both. */
public record Backend(
        ConnectionName name, String driverType, VolumeStore store, Exporter exporter, BackendSettings settings) {
    public Backend {
        if (!store.media().contains(exporter.accepts())) {
            throw new IllegalArgumentException("driver " + driverType + ": the store makes " + store.media()
                    + ", the exporter takes " + exporter.accepts() + " (expected: a kind of medium that both know)");
        }
    }

    /** Returns whether its new volumes are closed to all nodes but those that they are published to. */
    public boolean closes() {
        return settings.closed() && exporter.accessControl().isPresent();
    }

    /** Returns from where a volume is reachable: its own placement, or that of the connection. */
    public Placement placement(StoredVolume volume) {
        return volume.ownPlacement().orElse(settings.placement());
    }

    void close() {
        try {
            exporter.close();
        } finally {
            store.close();
        }
    }
}
