package dev.fairlead.application.service;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.connection.ConnectionName;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds the leases of several connections, which are closed together. */
final class Leases implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Leases.class);

    private final List<Lease> all;

    private Leases(List<Lease> all) {
        this.all = all;
    }

    /**
     * Leases the connections that can be leased, and passes the others over; throws the first failure if none is left.
     */
    static Leases ofUsable(List<ConnectionName> names, Connections connections, Telemetry telemetry, Work work) {
        List<Lease> usable = new ArrayList<>();
        List<StorageException> refusals = new ArrayList<>();
        for (ConnectionName name : names) {
            try {
                usable.add(connections.lease(name));
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
                .filter(name -> usable.stream().noneMatch(lease -> lease.name().equals(name)))
                .forEach(telemetry::passedOver);
        return new Leases(usable);
    }

    /** Leases the connection of a source; nothing if there is no source. */
    static Leases ofSource(Optional<Origin> origin, Connections connections) {
        return new Leases(
                origin.map(it -> connections.lease(it.connection())).stream().toList());
    }

    /** Leases the connections that can be leased, and passes the others over, even if none is left. */
    static Leases ofOthers(List<ConnectionName> names, Connections connections, Telemetry telemetry, Work work) {
        List<Lease> others = new ArrayList<>();
        for (ConnectionName name : names) {
            try {
                others.add(connections.lease(name));
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
        return new Leases(others);
    }

    List<Lease> all() {
        return all;
    }

    @Override
    public void close() {
        all.forEach(Lease::close);
    }
}
