package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.WaitReason;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a placement has settled while looks at all volumes take long. */
class LateAnswerTest {
    private final StagedCluster cluster = new StagedCluster();
    private final Semaphore woken = new Semaphore(0);
    private final SourceHints hints = new SourceHints(Duration.ofSeconds(15), woken::release);
    private final Held source = new Held();
    private final AffinityPlanner planner = new AffinityPlanner(
            cluster,
            List.of(source),
            _ -> Optional.empty(),
            new ChangeRules(Duration.ofSeconds(20)),
            new PlanLimit(100, 100),
            Set.of(),
            new SourceRounds(List.of(source), hints, Thread.ofVirtual().factory(), Duration.ofMillis(200)));

    @BeforeEach
    void there_are_more_than_a_few() {
        for (int at = 0; at < 10; at++) cluster.add("pv-" + at, "v" + at, StagedCluster.IDLE, "b");
    }

    @Test
    void what_a_hint_named_settles_although_a_look_that_tells_nothing_of_it_is_under_way() {
        assertThat(planner.plan(Duration.ZERO).entries()).isEmpty();
        source.hold = new CountDownLatch(1);
        assertThat(planner.plan(Duration.ofSeconds(15)).entries()).isEmpty();
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        hints.moved("v1");
        assertThat(reason(16)).contains(WaitReason.SETTLING);

        assertThat(reason(36)).isEmpty();

        source.hold.countDown();
    }

    @Test
    void a_placement_has_settled_by_what_was_asked_for_after_that_time() throws Exception {
        cluster.add("pv-1", "v1", StagedCluster.IDLE, "a");
        assertThat(reason(0)).contains(WaitReason.SETTLING);
        source.hold = new CountDownLatch(1);
        assertThat(reason(15)).contains(WaitReason.NOT_READ);
        woken.drainPermits();
        source.hold.countDown();
        assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();

        assertThat(reason(25)).contains(WaitReason.SETTLING);
        assertThat(planner.next().orElseThrow()).isLessThan(Duration.ofSeconds(25));
        assertThat(reason(26)).isEmpty();
    }

    private Optional<WaitReason> reason(int seconds) {
        List<AffinityPlan.Entry> entries =
                planner.plan(Duration.ofSeconds(seconds)).entries();
        assertThat(entries).hasSize(1);
        return entries.getFirst().delay().map(ChangeDelay::reason);
    }

    /** A source that places all volumes on one node, and whose looks at all may be held back. */
    private static final class Held implements PlacementSource {
        private volatile CountDownLatch hold = new CountDownLatch(0);

        @Override
        public String name() {
            return "held";
        }

        @Override
        public boolean answersFor(PlacedVolume volume) {
            return true;
        }

        @Override
        public Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
            try {
                if (volumes.size() > PlacementSource.FEW) hold.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            Map<String, PlacementReading> readings = new HashMap<>();
            volumes.forEach(
                    volume -> readings.put(volume.name(), PlacementReading.of(StagedSource.segments("b"), "", "why")));
            return readings;
        }

        @Override
        public void listen(PlacementHints listener) {}

        @Override
        public void close() {}
    }
}
