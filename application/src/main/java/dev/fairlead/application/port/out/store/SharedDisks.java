package dev.fairlead.application.port.out.store;

import dev.fairlead.domain.connection.ConnectionName;
import java.util.List;

/** Tells which pools of this node lie on the file system of its operating system, which a full pool stops. */
@FunctionalInterface
public interface SharedDisks {
    /** Returns the pools of all connections that were opened; looks at each of them once a minute at most. */
    List<PoolPlace> now();

    /** @param shared whether the pool lies on the operating system's file system */
    record PoolPlace(ConnectionName connection, String pool, boolean shared) {}
}
