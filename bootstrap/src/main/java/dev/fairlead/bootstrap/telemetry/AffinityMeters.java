package dev.fairlead.bootstrap.telemetry;

import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.service.affinity.AffinityPlan;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.domain.affinity.AffinityFinding;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Counts what becomes of the affinity of volumes. */
public final class AffinityMeters implements ReplacementListener {
    private static final String SOURCE = "source";
    private static final String REASON = "reason";
    private static final Duration[] GAPS = Buckets.ofMillis(5, 25, 100, 500, 2_500, 10_000, 60_000);

    private final MultiGauge volumes;
    private final MultiGauge drift;
    private final MultiGauge skipped;
    private final MeterProvider<Counter> changes;
    private final Counter lost;
    private final Timer gaps;
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong lookedAt = new AtomicLong();
    private final InstantSource wall;
    private volatile LongSupplier dropped = () -> 0;

    /**
     * @param metrics tells them
     * @param leads says whether this replica leads; only then are volumes looked at
     * @param stopped says whether the last look could not be made
     */
    public AffinityMeters(Metrics metrics, BooleanSupplier leads, BooleanSupplier stopped, InstantSource wall) {
        MeterRegistry registry = metrics.registry();
        this.wall = wall;
        this.volumes = MultiGauge.builder("fairlead.affinity.volumes")
                .description("PersistentVolumes of each source, as the last look found them")
                .register(registry);
        this.drift = MultiGauge.builder("fairlead.affinity.drift")
                .description(
                        "PersistentVolumes whose affinity was not what their storage told at the last look, by what"
                                + " would change")
                .register(registry);
        this.skipped = MultiGauge.builder("fairlead.affinity.skipped")
                .description(
                        "PersistentVolumes that the last look left as they are: the word of why a change waits, the"
                                + " code of why their place is unknown, or left_alone by a mark")
                .register(registry);
        this.changes = Counter.builder("fairlead.affinity.changes")
                .description("What came of changes; one that is unfinished or blocked counts in each look")
                .withRegistry(registry);
        this.lost = Counter.builder("fairlead.affinity.claims.lost")
                .description("Replacements during which the claim was seen Lost")
                .register(registry);
        this.gaps = Timer.builder("fairlead.affinity.gap")
                .description(
                        "How long PersistentVolumes were away while they were replaced, as far as this process saw it")
                .serviceLevelObjectives(GAPS)
                .register(registry);
        // The registry holds weakly what it counts by.
        FunctionCounter.builder("fairlead.affinity.events.dropped", this, meters -> meters.dropped.getAsLong())
                .description("Times that something was not told by events: too much waited, or Kubernetes did not take"
                        + " them in time")
                .register(registry);
        TimeGauge.builder("fairlead.affinity.longest.gap", longest, TimeUnit.NANOSECONDS, AtomicLong::doubleValue)
                .description("The longest of these times since the process began")
                .register(registry);
        Gauge.builder("fairlead.affinity.last.look.timestamp.seconds", lookedAt, AtomicLong::doubleValue)
                .description("When a look at volumes ended last, in seconds since 1970; 0 before")
                .register(registry);
        Gauge.builder("fairlead.affinity.leads", () -> leads.getAsBoolean() ? 1 : 0)
                .description("1 if this replica leads; only then it looks at volumes")
                .register(registry);
        Gauge.builder("fairlead.affinity.stopped", () -> stopped.getAsBoolean() ? 1 : 0)
                .description("1 if this replica leads and the last look changed nothing at all: LINSTOR's affinity"
                        + " controller lives, or Kubernetes cannot be read")
                .register(registry);
    }

    /** Counts the events that were dropped, by what says how many there were so far. */
    public void events(LongSupplier number) {
        dropped = number;
    }

    /** Takes what one round came to. */
    public void looked(AffinityRun.Report report) {
        AffinityPlan plan = report.plan();
        Map<Tags, Integer> drifting = new TreeMap<>(AffinityMeters::compare);
        Map<Tags, Integer> left = new TreeMap<>(AffinityMeters::compare);
        for (AffinityPlan.Entry entry : plan.entries()) {
            drifting.merge(
                    Tags.of(
                            SOURCE,
                            entry.change().source(),
                            "change",
                            entry.change().kind().word()),
                    1,
                    Integer::sum);
            entry.delay()
                    .ifPresent(
                            delay -> left.merge(Tags.of(REASON, delay.reason().word()), 1, Integer::sum));
        }
        plan.unknown()
                .values()
                .forEach(unknown -> left.merge(
                        Tags.of(
                                REASON,
                                unknown.finding().map(AffinityFinding::code).orElse("left_alone")),
                        1,
                        Integer::sum));
        Map<Tags, Integer> counts = new TreeMap<>(AffinityMeters::compare);
        plan.volumes().forEach((source, count) -> counts.put(Tags.of(SOURCE, source), count));
        volumes.register(rows(counts), true);
        drift.register(rows(drifting), true);
        skipped.register(rows(left), true);
        for (ChangeOutcome outcome : report.outcomes()) {
            changes.withTag("result", outcome.result().name().toLowerCase(Locale.ROOT))
                    .increment();
        }
        lookedAt.set(wall.instant().getEpochSecond());
    }

    @Override
    public void away(String volume, Duration time) {
        gaps.record(time);
        longest.accumulateAndGet(time.toNanos(), Math::max);
    }

    @Override
    public void claimLost(String volume) {
        lost.increment();
    }

    private static int compare(Tags one, Tags other) {
        return one.toString().compareTo(other.toString());
    }

    private static List<Row<?>> rows(Map<Tags, Integer> counts) {
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((tags, count) -> rows.add(Row.of(tags, count)));
        return rows;
    }
}
