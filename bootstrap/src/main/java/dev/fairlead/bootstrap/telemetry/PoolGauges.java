package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.application.port.out.store.PoolStates.PoolFinding;
import dev.fairlead.application.port.out.store.PoolStates.PoolReport;
import dev.fairlead.application.port.out.store.PoolStates.PoolState;
import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Shows how the pools of the node are, and which lie on its operating system's disk, by kubevirt's name for that too.
 */
final class PoolGauges {
    private static final String STATE = "state";

    private final MultiGauge shared;
    private final MultiGauge peers;
    private final MultiGauge states;

    PoolGauges(MeterRegistry registry) {
        shared = MultiGauge.builder("fairlead.pool.shares.system.disk")
                .description("1 if the pool of the node lies on its operating system's file system, as last looked at")
                .register(registry);
        peers = MultiGauge.builder("kubevirt.hpp.pool.path.shared.with.os")
                .description("1 if any pool of the node does; the name that kubevirt's hostpath-provisioner has for it")
                .register(registry);
        states = MultiGauge.builder("fairlead.pool.state")
                .description("1 for each state that the last look found the pool of the node in: healthy alone, or what"
                        + " is not well; unused has no volumes yet, unknown could not be looked at")
                .register(registry);
    }

    void states(List<PoolReport> reports) {
        List<Row<?>> rows = new ArrayList<>();
        for (PoolReport report : reports) {
            Tags pool = Tags.of(Metrics.CONNECTION, report.connection().value()).and("pool", report.pool());
            Set<PoolState> found =
                    report.findings().stream().map(PoolFinding::state).collect(Collectors.toSet());
            rows.add(Row.of(pool.and(STATE, "healthy"), found.isEmpty() ? 1 : 0));
            for (PoolState state : PoolState.values()) {
                rows.add(Row.of(pool.and(STATE, state.label()), found.contains(state) ? 1 : 0));
            }
        }
        states.register(rows, true);
    }

    void update(List<PoolPlace> now) {
        shared.register(
                now.stream()
                        .<Row<?>>map(place -> Row.of(
                                Tags.of(Metrics.CONNECTION, place.connection().value())
                                        .and("pool", place.pool()),
                                place.shared() ? 1 : 0))
                        .toList(),
                true);
        boolean any = now.stream().anyMatch(PoolPlace::shared);
        peers.register(now.isEmpty() ? List.of() : List.of(Row.of(Tags.empty(), any ? 1 : 0)), true);
    }
}
