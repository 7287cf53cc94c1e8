package dev.fairlead.application.port.out.store;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;

/** Opens a connection's store. It reads settings and makes clients; it does not talk to the storage. */
@FunctionalInterface
public interface StoreFactory {
    /**
     * Makes the store, and reports every problem of the settings to the node's {@code Problems}; if there was one, the
     * store is never used.
     */
    VolumeStore open(ConnectionScope scope, ConfigNode config);
}
