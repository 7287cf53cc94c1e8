package dev.fairlead.adapter.local.pool.health;

import dev.fairlead.application.port.out.store.PoolStates;
import dev.fairlead.domain.connection.ConnectionName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Looks at the pools of all connections, one after the other. */
public final class PoolHealth implements PoolStates {
    private final SortedMap<ConnectionName, List<PoolLook>> pools = new TreeMap<>();

    /** Notes the pools of a connection's newest file. */
    public synchronized void opened(ConnectionName connection, List<PoolLook> now) {
        pools.put(connection, List.copyOf(now));
    }

    private synchronized SortedMap<ConnectionName, List<PoolLook>> known() {
        return new TreeMap<>(pools);
    }

    @Override
    public List<PoolReport> look() {
        List<PoolReport> reports = new ArrayList<>();
        known().forEach((connection, looks) ->
                looks.forEach(look -> reports.add(new PoolReport(connection, look.pool(), look.now()))));
        return reports;
    }
}
