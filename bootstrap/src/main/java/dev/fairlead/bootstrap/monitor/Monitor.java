package dev.fairlead.bootstrap.monitor;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Holds the health of the process, and the endpoint that tells it if one was asked for. */
public final class Monitor implements AutoCloseable {
    private final Health health;
    private final Optional<Function<Health, HttpEndpoint>> endpoint;
    private volatile Optional<HttpEndpoint> open = Optional.empty();

    /** @param endpoint opens the endpoint; empty if none was asked for */
    public Monitor(Health health, Optional<Function<Health, HttpEndpoint>> endpoint) {
        this.health = health;
        this.endpoint = endpoint;
    }

    public Health health() {
        return health;
    }

    /** Opens the endpoint, before the driver serves, so that a start that takes long is seen. */
    public void open() {
        open = endpoint.map(opening -> opening.apply(health));
    }

    /** Returns the port of the endpoint; empty while none is open. */
    public OptionalInt port() {
        return open.map(HttpEndpoint::port).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    @Override
    public void close() {
        open.ifPresent(HttpEndpoint::close);
    }
}
