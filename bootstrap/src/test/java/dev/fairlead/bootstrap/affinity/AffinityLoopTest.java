package dev.fairlead.bootstrap.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.cluster.Leadership;
import dev.fairlead.application.port.out.placement.AffinityAnnouncer;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.application.service.affinity.AffinityPlanner;
import dev.fairlead.application.service.affinity.AffinityRun;
import dev.fairlead.application.service.affinity.ChangeBudget;
import dev.fairlead.application.service.affinity.SourceRounds;
import dev.fairlead.bootstrap.monitor.Health;
import dev.fairlead.bootstrap.monitor.Phase;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.topology.TopologySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AffinityLoopTest {
    private final Health health = new Health(Map.of(), List::of, Duration.ofSeconds(1));
    private final AtomicInteger rounds = new AtomicInteger();
    private final AffinityLoop loop = new AffinityLoop(Duration.ofMillis(200), health, _ -> rounds.incrementAndGet());
    private final Volumes volumes = new Volumes(5);

    @Test
    void a_standby_ends_at_a_signal() throws Exception {
        Lead lead = new Lead(false);
        CompletableFuture<Integer> code = running(lead);
        lead.contends.await();
        assertThat(health.ready().good()).isTrue();

        loop.end();

        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(volumes.changed).hasValue(0);
        assertThat(lead.resigned).isFalse();
    }

    @Test
    void a_signal_lets_the_volume_at_hand_be_the_last_and_then_gives_the_lease_up() throws Exception {
        volumes.hold = new CountDownLatch(1);
        Lead lead = new Lead(true);
        CompletableFuture<Integer> code = running(lead);
        volumes.begun.await();

        loop.end();
        assertThat(health.phase()).isEqualTo(Phase.ENDING);
        assertThat(lead.resigned).as("while a volume is at hand").isFalse();
        volumes.hold.countDown();

        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(volumes.changed).hasValue(1);
        assertThat(lead.resigned).isTrue();
    }

    @Test
    void who_loses_the_lease_begins_no_other_volume_and_ends_with_1() throws Exception {
        volumes.hold = new CountDownLatch(1);
        Lead lead = new Lead(true);
        CompletableFuture<Integer> code = running(lead);
        volumes.begun.await();

        lead.lost.join().accept("another has it");
        volumes.hold.countDown();

        assertThat(code.get(60, TimeUnit.SECONDS)).isOne();
        assertThat(volumes.changed).hasValue(1);
        assertThat(lead.resigned).isFalse();
    }

    @Test
    void a_leader_looks_again_and_again_and_tells_what_each_look_came_to() throws Exception {
        CompletableFuture<Integer> code = running(new Lead(true));
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (rounds.get() < 2 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(health.phase()).isEqualTo(Phase.SERVING);
        loop.end();

        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
        assertThat(rounds).hasValueGreaterThanOrEqualTo(2);
        assertThat(volumes.changed).hasValue(5);
    }

    @Test
    void while_the_other_controller_lives_the_process_is_ready_and_says_that_changes_are_stopped() throws Exception {
        volumes.stopped = true;
        CompletableFuture<Integer> code = running(new Lead(true));

        eventually(() -> health.remark().isPresent());
        assertThat(health.ready().good()).isTrue();
        assertThat(health.live().good()).isTrue();
        assertThat(health.ready().lines())
                .containsExactly("serving", "changes are stopped: FL-AFF-011; the log says why");

        volumes.stopped = false;
        eventually(() -> health.remark().isEmpty());
        assertThat(health.ready().lines()).containsExactly("serving");
        loop.end();
        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
    }

    private static void eventually(BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(holds.getAsBoolean()).isTrue();
    }

    @Test
    void what_changed_during_a_long_round_is_not_waited_for_again() {
        assertThat(AffinityLoop.pause(Duration.ZERO)).hasMillis(500);
        assertThat(AffinityLoop.pause(Duration.ofMillis(300))).hasMillis(200);
        assertThat(AffinityLoop.pause(Duration.ofSeconds(5))).hasMillis(100);
    }

    private CompletableFuture<Integer> running(Lead lead) {
        List<PlacementSource> sources = List.of(new Source());
        AffinityPlanner planner = new AffinityPlanner(
                volumes,
                sources,
                _ -> Optional.empty(),
                ChangeRules.USUAL,
                PlanLimit.USUAL,
                Set.of(),
                SourceRounds.ofAll(sources, Thread.ofVirtual().factory()));
        AffinityRun run = new AffinityRun(
                volumes, volumes, planner, AffinityAnnouncer.NONE, new ChangeBudget(50, Duration.ofSeconds(1)), 10);
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                code.complete(loop.run(lead, run));
            } catch (InterruptedException | RuntimeException e) {
                code.completeExceptionally(e);
            }
        });
        return code;
    }

    /** A leadership that is had at once, or never. */
    private static final class Lead implements Leadership {
        private final CountDownLatch contends = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private final CompletableFuture<Consumer<String>> lost = new CompletableFuture<>();
        private volatile Standing standing = Standing.STANDBY;
        private volatile boolean resigned;
        private final boolean had;

        private Lead(boolean had) {
            this.had = had;
        }

        @Override
        public boolean lead(Consumer<String> told) throws InterruptedException {
            lost.complete(told);
            contends.countDown();
            if (had) {
                standing = Standing.LEADING;
                return true;
            }
            ended.await();
            return false;
        }

        @Override
        public Standing standing() {
            return standing;
        }

        @Override
        public String leader() {
            return "";
        }

        @Override
        public void resign() {
            resigned = true;
            end();
        }

        @Override
        public void end() {
            standing = Standing.ENDED;
            ended.countDown();
        }
    }

    private static VolumePlacement at(String... hosts) {
        return VolumePlacement.within(List.of(hosts).stream()
                .map(host -> TopologySegment.of(Map.of("example.com/host", host)))
                .toList());
    }

    private static final class Source implements PlacementSource {
        @Override
        public String name() {
            return "staged";
        }

        @Override
        public boolean answersFor(PlacedVolume volume) {
            return true;
        }

        @Override
        public Map<String, PlacementReading> read(List<PlacedVolume> all) {
            return all.stream()
                    .collect(Collectors.toMap(PlacedVolume::name, _ -> PlacementReading.of(at("a", "b"), "", "why")));
        }

        @Override
        public void listen(PlacementHints hints) {}

        @Override
        public void close() {}
    }

    /** Volumes on one node each, of which a change may be held up. */
    private static final class Volumes implements VolumeCatalog, AffinityChanger {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final AtomicInteger changed = new AtomicInteger();
        private final int count;
        private volatile CountDownLatch hold = new CountDownLatch(0);
        private volatile boolean stopped;

        private Volumes(int count) {
            this.count = count;
        }

        @Override
        public List<KnownVolume> volumes() {
            return IntStream.range(changed.get(), count).mapToObj(Volumes::one).toList();
        }

        private static KnownVolume one(int index) {
            PlacedVolume placed = new PlacedVolume(
                    "pv-" + index, "d", "h" + index, Map.of(), Map.of(), Optional.empty(), Optional.empty());
            VolumeUse use = new VolumeUse(false, Optional.empty(), "Bound", List.of());
            return new KnownVolume(
                    placed, "uid" + index, NodeAffinity.of(at("a")).orElseThrow(), use);
        }

        @Override
        public Optional<KnownVolume> volume(String name) {
            return Optional.empty();
        }

        @Override
        public ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin) {
            begun.countDown();
            try {
                hold.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            changed.incrementAndGet();
            return new ChangeOutcome(change.volume(), ChangeOutcome.Result.IN_PLACE, "");
        }

        @Override
        public List<ChangeOutcome> resume(BooleanSupplier goOn) {
            if (stopped) {
                throw new StorageException(new Failure.OtherControllerAlive("it renews"));
            }
            return List.of();
        }

        @Override
        public List<ChangeOutcome> strays(List<KnownVolume> all) {
            return List.of();
        }
    }
}
