package dev.fairlead.application.port.out.store;

import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;

/** Opens a connection's store. It reads settings and makes clients; it does not talk to the storage. */
@FunctionalInterface
public interface StoreFactory {
    /**
     * Problems of the settings are reported to the node's {@code Problems}, all of them; where there was one, what is
     * returned is never used.
     */
    VolumeStore open(ConnectionScope scope, ConfigNode config);
}
