package dev.fairlead.application.service.plan;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionUse;
import dev.fairlead.application.service.connection.Connections;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the uses of several connections, which are closed together. */
public final class ConnectionUses implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ConnectionUses.class);

    private final List<ConnectionUse> all;

    private ConnectionUses(List<ConnectionUse> all) {
        this.all = all;
    }

    /** Opens the connections that can be used, and passes the others over; throws the first failure if none is left. */
    public static ConnectionUses ofUsable(
            List<ConnectionName> names, Connections connections, Telemetry telemetry, Work work) {
        List<ConnectionUse> usable = new ArrayList<>();
        List<StorageException> refusals = new ArrayList<>();
        for (ConnectionName name : names) {
            try {
                usable.add(connections.use(name));
            } catch (StorageException refusal) {
                refusals.add(refusal);
            }
        }
        if (usable.isEmpty()) {
            throw refusals.getFirst();
        }
        refusals.forEach(refusal -> log.atWarn()
                .addKeyValue("request", work.requestId())
                .log(
                        "a connection of the class is passed over: {}",
                        refusal.failure().message()));
        names.stream()
                .filter(name -> usable.stream().noneMatch(use -> use.name().equals(name)))
                .forEach(telemetry::passedOver);
        return new ConnectionUses(usable);
    }

    /** Opens the connection of a source; nothing if there is no source. */
    public static ConnectionUses ofSource(Optional<ContentSource> contentSource, Connections connections) {
        return new ConnectionUses(contentSource.map(it -> connections.use(it.connection())).stream()
                .toList());
    }

    /** Opens the connections that can be used, and passes the others over, even if none is left. */
    public static ConnectionUses ofOthers(
            List<ConnectionName> names, Connections connections, Telemetry telemetry, Work work) {
        List<ConnectionUse> others = new ArrayList<>();
        for (ConnectionName name : names) {
            try {
                others.add(connections.use(name));
            } catch (StorageException refusal) {
                telemetry.passedOver(name);
                log.atWarn()
                        .addKeyValue("request", work.requestId())
                        .addKeyValue("connection", name)
                        .log(
                                "connection not asked for the volume: {}",
                                refusal.failure().message());
            }
        }
        return new ConnectionUses(others);
    }

    public List<ConnectionUse> all() {
        return all;
    }

    @Override
    public void close() {
        all.forEach(ConnectionUse::close);
    }
}
