package dev.fairlead.bootstrap.monitor;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** The health of the process, and the endpoint that tells it where one was asked for. */
public final class Monitor implements AutoCloseable {
    private final Health health;
    private final Optional<Function<Health, HttpEndpoint>> endpoint;
    private volatile Optional<HttpEndpoint> open = Optional.empty();

    /** @param endpoint opens it; empty: nobody is told */
    public Monitor(Health health, Optional<Function<Health, HttpEndpoint>> endpoint) {
        this.health = health;
        this.endpoint = endpoint;
    }

    public Health health() {
        return health;
    }

    /** Tells from now on, before there is anything to tell: a start that takes long is seen. */
    public void open() {
        open = endpoint.map(opening -> opening.apply(health));
    }

    /** Where it tells; empty while it does not. */
    public OptionalInt port() {
        return open.map(HttpEndpoint::port).map(OptionalInt::of).orElse(OptionalInt.empty());
    }

    @Override
    public void close() {
        open.ifPresent(HttpEndpoint::close);
    }
}
