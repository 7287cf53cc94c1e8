package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.application.port.out.store.Removals.Pending;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToIntFunction;

/** Shows how much was deleted and still takes room, by the folder that it lies in. */
final class RemovalGauges {
    private final MultiGauge waiting;
    private final MultiGauge stuck;

    RemovalGauges(MeterRegistry registry) {
        waiting = MultiGauge.builder("fairlead.trash.entries")
                .description("Volumes and snapshots that are deleted, and whose content is not removed yet")
                .register(registry);
        stuck = MultiGauge.builder("fairlead.trash.stuck")
                .description("Those of them whose content could not be removed, and is tried again")
                .register(registry);
    }

    void update(List<Pending> now) {
        waiting.register(rows(now, Pending::entries), true);
        stuck.register(rows(now, Pending::stuck), true);
    }

    private static List<Row<?>> rows(List<Pending> now, ToIntFunction<Pending> number) {
        return now.stream()
                .<Row<?>>map(it -> Row.of(
                        Tags.of(Metrics.CONNECTION, it.connection().value()).and("base", it.place()),
                        number.applyAsInt(it)))
                .toList();
    }
}
