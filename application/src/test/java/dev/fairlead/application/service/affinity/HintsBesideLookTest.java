package dev.fairlead.application.service.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementHints;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.PlanLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is hinted at while a source still reads all of its volumes, which takes seconds over thousands. */
class HintsBesideLookTest {
    private static final int VOLUMES = 40;

    private final StagedCluster cluster = new StagedCluster();
    private final Semaphore woken = new Semaphore(0);
    private final SourceHints hints = new SourceHints(Duration.ofSeconds(15), woken::release);
    private final TwoFold source = new TwoFold("org.example.csi");
    private final TwoFold small = new TwoFold("org.example.small");
    private final AffinityPlanner planner = planner(Duration.ofMillis(200));

    @BeforeEach
    void all_have_been_read() {
        for (int at = 0; at < VOLUMES; at++) {
            cluster.add("pv-" + at, "v" + at, StagedCluster.IDLE, "a");
            source.place("pv-" + at, "a");
        }
        planner.plan(seconds(0));
        assertThat(source.asked()).containsExactly("all");
    }

    @Test
    void a_hint_is_read_and_acted_on_while_a_look_is_under_way() throws Exception {
        CountDownLatch look = source.holdLooks();
        planner.plan(seconds(15));
        source.place("pv-2", "a", "b");

        hints.of(source).moved("v2");

        assertThat(planner.plan(seconds(16)).changes())
                .extracting(change -> change.volume())
                .containsExactly("pv-2");
        assertThat(source.asked()).containsExactly("all", "pv-2");
        end(look);
    }

    @Test
    void a_look_that_ends_later_tells_nothing_older_of_what_was_hinted_at() throws Exception {
        cluster.add("pv-2", "v2", StagedCluster.IDLE, "a", "b");
        source.place("pv-2", "a", "b");
        planner.plan(seconds(1));
        CountDownLatch look = source.holdLooks();
        planner.plan(seconds(15));
        source.place("pv-2", "a");
        hints.of(source).moved("v2");
        assertThat(planner.plan(seconds(16)).entries()).hasSize(1);

        end(look);

        assertThat(planner.plan(seconds(17)).entries()).hasSize(1);
        assertThat(planner.plan(seconds(46)).entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.delay()).isEmpty());
    }

    @Test
    void an_answer_about_a_few_tells_nothing_older_than_a_look_that_began_after_it() throws Exception {
        CountDownLatch few = source.holdFew();
        hints.of(source).moved("v2");
        planner.plan(seconds(1));
        source.place("pv-2", "a", "b");
        assertThat(planner.plan(seconds(15)).entries()).hasSize(1);

        end(few);

        assertThat(planner.plan(seconds(16)).changes())
                .extracting(change -> change.to().toString())
                .allSatisfy(to -> assertThat(to).contains("b"))
                .hasSize(1);
    }

    @Test
    void a_flood_of_hints_reads_all_once_after_the_look_at_hand() throws Exception {
        CountDownLatch look = source.holdLooks();
        planner.plan(seconds(15));
        assertThat(source.asked()).containsExactly("all");

        for (int at = 0; at < VOLUMES; at++) hints.of(source).moved("v" + at);
        for (int at = 16; at < 20; at++) planner.plan(seconds(at));
        assertThat(source.asked()).hasSize(1).doesNotContain("all");
        end(look);

        for (int at = 20; at < 30; at++) planner.plan(seconds(at));
        assertThat(source.asked()).containsExactly("all");
    }

    @Test
    void a_few_hints_are_read_one_question_after_the_other() throws Exception {
        CountDownLatch look = source.holdLooks();
        planner.plan(seconds(15));
        woken.drainPermits();
        for (int at = 0; at < 10; at++) hints.of(source).moved("v" + at);
        assertThat(woken.availablePermits()).isEqualTo(10);
        woken.drainPermits();

        planner.plan(seconds(16));
        assertThat(woken.tryAcquire()).as("there is more to ask for").isTrue();
        planner.plan(seconds(17));
        planner.plan(seconds(18));
        planner.plan(seconds(19));

        assertThat(source.asked()).containsExactly("all", "pv-0 pv-1 pv-2 pv-3", "pv-4 pv-5 pv-6 pv-7", "pv-8 pv-9");
        end(look);
    }

    @Test
    void a_storage_rests_after_a_look_for_as_long_as_that_took() throws Exception {
        CountDownLatch look = source.holdLooks();
        planner.plan(seconds(15));
        Thread.sleep(400);
        end(look);
        planner.plan(seconds(20));
        source.asked();

        hints.of(source).anyMoved();
        planner.plan(seconds(20).plusMillis(100));

        assertThat(source.asked()).isEmpty();
        assertThat(planner.next().orElseThrow()).isBetween(Duration.ofMillis(20_400), Duration.ofMillis(29_999));
        planner.plan(planner.next().orElseThrow());
        assertThat(source.asked()).containsExactly("all");
    }

    @Test
    void many_changes_that_wait_are_not_read_anew_in_each_round() throws Exception {
        for (int at = 0; at < 10; at++) source.place("pv-" + at, "b");
        CountDownLatch look = source.holdLooks();
        planner.plan(seconds(15));
        Thread.sleep(400);
        end(look);
        assertThat(planner.plan(seconds(20)).entries()).hasSize(10);
        source.asked();

        for (int at = 0; at < 10; at++) planner.plan(seconds(20).plusMillis(at * 30L));

        assertThat(source.asked()).isEmpty();
        assertThat(planner.next().orElseThrow()).isLessThan(seconds(30));
    }

    @Test
    void a_hint_ends_the_wait_for_a_look() throws Exception {
        AffinityPlanner patient = planner(Duration.ofSeconds(30));
        CountDownLatch look = source.holdLooks();
        Thread hint = Thread.ofVirtual().start(() -> {
            while (source.looks() < 2) Thread.onSpinWait();
            hints.of(source).moved("v2");
        });

        long began = System.nanoTime();
        patient.plan(seconds(15));

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
        hint.join();
        source.asked();
        patient.plan(seconds(16));
        assertThat(source.asked()).containsExactly("pv-2");
        end(look);
    }

    @Test
    void more_hints_than_are_kept_read_all_of_their_source_alone() {
        for (int at = 0; at < 1_100; at++) hints.of(source).moved("x" + at);

        SourceHints.Query due = hints.take(seconds(1));

        assertThat(due.isAllOf(source)).isTrue();
        assertThat(due.isAllOf(small)).isFalse();
        assertThat(due.handles()).hasSize(1_000);
    }

    @Test
    void what_one_source_hints_at_waits_for_no_look_at_another() throws Exception {
        AffinityPlanner patient = planner(Duration.ofSeconds(30));
        for (int at = 0; at < 10; at++) {
            cluster.add("small-" + at, "s" + at, StagedCluster.IDLE, "org.example.small", List.of("a"));
            small.place("small-" + at, "a", "b");
        }
        CountDownLatch look = source.holdLooks();
        hints.of(small).anyMoved();

        long began = System.nanoTime();
        AffinityPlan plan = patient.plan(seconds(15));

        assertThat(plan.changes()).hasSize(10);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
        end(look);
    }

    private void end(CountDownLatch held) throws InterruptedException {
        woken.drainPermits();
        held.countDown();
        assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
    }

    private AffinityPlanner planner(Duration patience) {
        return new AffinityPlanner(
                cluster,
                List.of(small, source),
                _ -> Optional.empty(),
                new ChangeRules(Duration.ofSeconds(30)),
                new PlanLimit(100, 100),
                Set.of(),
                new SourceRounds(
                        List.of(small, source), hints, Thread.ofVirtual().factory(), patience));
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }

    /** A source that sees its volumes as they are when it is asked, and whose answers may be held back. */
    private static final class TwoFold implements PlacementSource {
        private final String driver;
        private final Map<String, String[]> places = new ConcurrentHashMap<>();
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final AtomicInteger looks = new AtomicInteger();
        private volatile CountDownLatch look = new CountDownLatch(0);
        private volatile CountDownLatch few = new CountDownLatch(0);

        private TwoFold(String driver) {
            this.driver = driver;
        }

        void place(String volume, String... hosts) {
            places.put(volume, hosts);
        }

        CountDownLatch holdLooks() {
            look = new CountDownLatch(1);
            return look;
        }

        CountDownLatch holdFew() {
            few = new CountDownLatch(1);
            return few;
        }

        int looks() {
            return looks.get();
        }

        List<String> asked() {
            List<String> all = List.copyOf(asked);
            asked.clear();
            return all;
        }

        @Override
        public String name() {
            return driver;
        }

        @Override
        public boolean answersFor(PlacedVolume volume) {
            return volume.driver().equals(driver);
        }

        @Override
        public Map<String, PlacementReading> read(List<PlacedVolume> volumes) {
            boolean all = volumes.size() == VOLUMES;
            asked.add(
                    all
                            ? "all"
                            : String.join(
                                    " ",
                                    volumes.stream()
                                            .map(PlacedVolume::name)
                                            .sorted()
                                            .toList()));
            Map<String, PlacementReading> readings = new HashMap<>();
            volumes.forEach(volume -> readings.put(
                    volume.name(),
                    PlacementReading.of(
                            StagedSource.segments(places.getOrDefault(volume.name(), new String[0])), "", "why")));
            CountDownLatch held = all ? look : few;
            if (all) looks.incrementAndGet();
            try {
                held.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            return readings;
        }

        @Override
        public void listen(PlacementHints listener) {}

        @Override
        public void close() {}
    }
}
