package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.application.port.out.store.SharedDisks.PoolPlace;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;

/** Shows which pools of the node lie on its operating system's file system, by kubevirt's name for that too. */
final class PoolGauges {
    private final MultiGauge shared;
    private final MultiGauge peers;

    PoolGauges(MeterRegistry registry) {
        shared = MultiGauge.builder("fairlead.pool.shares.system.disk")
                .description("1 if the pool of the node lies on its operating system's file system, as last looked at")
                .register(registry);
        peers = MultiGauge.builder("kubevirt.hpp.pool.path.shared.with.os")
                .description("1 if any pool of the node does; the name that kubevirt's hostpath-provisioner has for it")
                .register(registry);
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
