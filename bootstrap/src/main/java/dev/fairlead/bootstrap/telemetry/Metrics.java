package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.adapter.grpc.GrpcServer;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.Removals;
import dev.fairlead.application.port.out.store.SharedDisks;
import dev.fairlead.application.service.call.Telemetry;
import dev.fairlead.application.service.connection.ConnectionStatus;
import dev.fairlead.domain.connection.ConnectionName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Counts calls, connections and effects.
 *
 * <p>No label has an unbounded number of values: methods, codes and effects are fixed vocabularies, driver names come
 * from the command line, and a connection's series are removed when its file is gone and its last call has ended.
 */
public final class Metrics implements Telemetry, GrpcServer.RpcListener {
    static final String CONNECTION = "connection";

    /** The bounds for calls, from the time of an answer from memory to the time that a provisioner waits. */
    private static final Duration[] CALL_BUCKETS =
            Buckets.ofMillis(5, 25, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 60_000, 120_000);

    /** The bounds for effects, fewer of them, since there are many effects, each on every connection. */
    private static final Duration[] EFFECT_BUCKETS = Buckets.ofMillis(5, 50, 500, 5_000, 60_000);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MeterProvider<Timer> calls = Timer.builder("fairlead.csi.operations")
            .description("CSI calls that have ended")
            .serviceLevelObjectives(CALL_BUCKETS)
            .withRegistry(registry);
    private final MeterProvider<Timer> effects = Timer.builder("fairlead.effects")
            .description("Changes to the outside world that were tried; without a connection: on this node")
            .serviceLevelObjectives(EFFECT_BUCKETS)
            .withRegistry(registry);
    private final MeterProvider<Counter> loads = Counter.builder("fairlead.connection.loads")
            .description("Versions of the connection's file that were read")
            .withRegistry(registry);
    private final MeterProvider<Counter> givenUp = Counter.builder("fairlead.connection.calls.given.up")
            .description("Calls that were refused or gave up waiting because the connection did not answer")
            .withRegistry(registry);
    private final MeterProvider<Counter> passedOver = Counter.builder("fairlead.connection.passed.over")
            .description("Times that the connection could not be asked, and another one was taken for a new volume")
            .withRegistry(registry);
    private final MeterProvider<Counter> foundElsewhere = Counter.builder("fairlead.connection.found.elsewhere")
            .description(
                    "Volumes that a repeated call found on the connection, to which their class does not lead any more")
            .withRegistry(registry);
    private final MeterProvider<Counter> decisions = Counter.builder("fairlead.node.device.decisions")
            .description("What was decided about a device before it was mounted: use its file system, format it since"
                    + " it is proved empty, or leave it alone for the reason given")
            .withRegistry(registry);
    private final MultiGauge attachments = MultiGauge.builder("fairlead.node.attachments")
            .description("Attachments of this node in each state, as the last look found them")
            .register(registry);
    private final MultiGauge volumes = MultiGauge.builder("fairlead.node.volumes")
            .description("Staged volumes of this node in each state, as the last look found them; one of which several"
                    + " things are wrong counts in each")
            .register(registry);
    private final MultiGauge hanging = MultiGauge.builder("fairlead.node.kernel.calls.hanging")
            .description("Kernel calls of this node that nobody waits for any more and that have not come back, by the"
                    + " server at which they hang; lasting ones may be at work by right")
            .register(registry);
    private final ConnectionGauges gauges = new ConnectionGauges(registry);
    private final PoolGauges pools = new PoolGauges(registry);
    private final RemovalGauges removals = new RemovalGauges(registry);
    private volatile SharedDisks disks = List::of;
    private volatile Supplier<List<Removals.Pending>> pending = List::of;
    private volatile Supplier<List<ConnectionStatus>> connections = List::of;
    private volatile Supplier<Map<String, Map<String, Integer>>> hangingCalls = Map::of;

    /** @param version the product's */
    public Metrics(String version) {
        new ProcessMeters(version).bindTo(registry);
    }

    /** Shows these connections from now on; the series of all others are removed. */
    public void show(Supplier<List<ConnectionStatus>> statuses) {
        connections = statuses;
    }

    /** Shows the state of the drivers' registration with kubelet. */
    public void showRegistrations(Supplier<List<GrpcServer.Registration>> registrations) {
        registrations.get().forEach(one -> new RegistrationMeters(one.driver(), registrations).bindTo(registry));
    }

    /** Shows how many kernel calls hang, by server and kind, at the moment of each scrape. */
    public void showHangingCalls(Supplier<Map<String, Map<String, Integer>>> calls) {
        hangingCalls = calls;
    }

    /** Shows where the pools of the node lie. */
    public void showPools(SharedDisks places) {
        disks = places;
    }

    /** Shows what was deleted and still takes room. */
    public void showRemovals(Removals all) {
        pending = all::now;
    }

    /** Returns all metrics, in Prometheus' text format. */
    public synchronized String scrape() {
        List<ConnectionStatus> now = connections.get();
        gauges.update(now);
        Set<ConnectionName> known = now.stream().map(ConnectionStatus::name).collect(Collectors.toSet());
        pools.update(disks.now().stream()
                .filter(place -> known.contains(place.connection()))
                .toList());
        removals.update(pending.get().stream()
                .filter(it -> known.contains(it.connection()))
                .toList());
        forgetAllBut(now);
        hanging.register(rows("server", "kind", hangingCalls.get()), true);
        return registry.scrape();
    }

    @Override
    public void ended(GrpcServer.Call call) {
        calls.withTags(
                        "driver_name",
                        call.driver(),
                        "method_name",
                        "/" + call.service() + "/" + call.method(),
                        "grpc_status_code",
                        StatusNames.asSidecarsWrite(call.code()))
                .record(call.nanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void effect(Tried tried) {
        effects.withTags(
                        "effect",
                        tried.effect().kind(),
                        CONNECTION,
                        tried.connection().map(ConnectionName::value).orElse(""),
                        "outcome",
                        tried.succeeded() ? "done" : "failed")
                .record(tried.took());
    }

    @Override
    public void abandoned(ConnectionName connection) {
        givenUp.withTag(CONNECTION, connection.value()).increment();
    }

    @Override
    public void passedOver(ConnectionName connection) {
        passedOver.withTag(CONNECTION, connection.value()).increment();
    }

    @Override
    public void foundElsewhere(ConnectionName connection) {
        foundElsewhere.withTag(CONNECTION, connection.value()).increment();
    }

    @Override
    public void deviceDecided(String decision) {
        decisions.withTag("decision", decision).increment();
    }

    @Override
    public void attachments(Map<String, Integer> states) {
        attachments.register(
                states.entrySet().stream()
                        .<MultiGauge.Row<?>>map(it -> MultiGauge.Row.of(Tags.of("state", it.getKey()), it.getValue()))
                        .toList(),
                true);
    }

    @Override
    public void volumes(Map<String, Map<String, Integer>> states) {
        volumes.register(rows("protocol", "state", states), true);
    }

    @Override
    public void pools(List<PoolReport> reports) {
        pools.states(reports);
    }

    private static List<MultiGauge.Row<?>> rows(String outer, String inner, Map<String, Map<String, Integer>> counts) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        counts.forEach((one, of) ->
                of.forEach((other, count) -> rows.add(MultiGauge.Row.of(Tags.of(outer, one, inner, other), count))));
        return rows;
    }

    @Override
    public void installed(ConnectionName connection) {
        loaded(connection, "loaded");
    }

    @Override
    public void rejected(ConnectionName connection, boolean working) {
        loaded(connection, "rejected");
    }

    private void loaded(ConnectionName connection, String result) {
        loads.withTags(CONNECTION, connection.value(), "result", result).increment();
    }

    @Override
    public void removed(ConnectionName connection) {
        forgetAllBut(connections.get());
    }

    @Override
    public void closed(ConnectionName connection) {
        forgetAllBut(connections.get());
    }

    private void forgetAllBut(List<ConnectionStatus> known) {
        Set<String> names = known.stream().map(status -> status.name().value()).collect(Collectors.toSet());
        registry.getMeters().stream()
                .filter(meter -> Optional.ofNullable(meter.getId().getTag(CONNECTION))
                        .filter(name -> !name.isEmpty() && !names.contains(name))
                        .isPresent())
                .forEach(registry::remove);
    }

    MeterRegistry registry() {
        return registry;
    }
}
