package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.application.service.connection.ConnectionStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Shows the state of the connections at the moment of a scrape. */
final class ConnectionGauges {
    private final MultiGauge state;
    private final MultiGauge info;
    private final MultiGauge loaded;
    private final MultiGauge calls;
    private final MultiGauge running;
    private final MultiGauge waiting;

    ConnectionGauges(MeterRegistry registry) {
        state = MultiGauge.builder("fairlead.connection.state")
                .description("1 for the state that the connection is in: serving; stale (its file is broken, an earlier"
                        + " version goes on); broken; absent (its file is gone, calls still run)")
                .register(registry);
        info = MultiGauge.builder("fairlead.connection.info")
                .description("1, with the driver type of each connection that can be used")
                .register(registry);
        loaded = MultiGauge.builder("fairlead.connection.last.load.timestamp")
                .description("When the version in force came into force, in seconds since 1970")
                .baseUnit("seconds")
                .register(registry);
        calls = MultiGauge.builder("fairlead.connection.calls")
                .description("Calls that use the connection now")
                .register(registry);
        running = MultiGauge.builder("fairlead.connection.calls.running")
                .description("Accesses to the connection's storage that are at work now")
                .register(registry);
        waiting = MultiGauge.builder("fairlead.connection.calls.waiting")
                .description("Accesses that wait for a thread of the connection now")
                .register(registry);
    }

    void update(List<ConnectionStatus> now) {
        state.register(states(now), true);
        info.register(
                now.stream()
                        .flatMap(status -> status.driverType().stream()
                                .map(type -> row(Tags.of(named(status)).and("driver", type), 1)))
                        .toList(),
                true);
        loaded.register(
                now.stream()
                        .flatMap(status ->
                                status.loaded().stream().map(when -> row(named(status), when.toEpochMilli() / 1000.0)))
                        .toList(),
                true);
        calls.register(rows(now, ConnectionStatus::calls), true);
        running.register(rows(now, ConnectionStatus::running), true);
        waiting.register(rows(now, ConnectionStatus::waiting), true);
    }

    private static List<Row<?>> states(List<ConnectionStatus> now) {
        List<Row<?>> rows = new ArrayList<>();
        for (ConnectionStatus status : now) {
            for (ConnectionStatus.State one : ConnectionStatus.State.values()) {
                Tags tags = named(status).and("state", one.name().toLowerCase(Locale.ROOT));
                rows.add(row(tags, one == status.state() ? 1 : 0));
            }
        }
        return rows;
    }

    private static List<Row<?>> rows(List<ConnectionStatus> now, ToDoubleFunction<ConnectionStatus> value) {
        return now.stream()
                .<Row<?>>map(status -> row(named(status), value.applyAsDouble(status)))
                .toList();
    }

    private static Row<?> row(Tags tags, double value) {
        return Row.of(tags, value);
    }

    private static Tags named(ConnectionStatus status) {
        return Tags.of(Metrics.CONNECTION, status.name().value());
    }
}
