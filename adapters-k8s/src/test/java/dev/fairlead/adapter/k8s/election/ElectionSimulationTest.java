package dev.fairlead.adapter.k8s.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.k8s.VirtualTime;
import dev.fairlead.adapter.k8s.election.Candidate.Step;
import dev.fairlead.adapter.k8s.election.ElectionSettings.Times;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hours of elections in a moment: clocks that are set anyhow and run unevenly, and a network that loses things. */
class ElectionSimulationTest {
    private static final Times TIMES = Times.USUAL;
    private static final int SEEDS = 15;

    @ParameterizedTest
    @ValueSource(doubles = {0.0, 0.02, 0.2, 0.5})
    void never_do_two_lead_at_once(double faults) throws InterruptedException {
        int changes = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = new World(seed, faults);
            world.replicas(3, true);

            world.run(Duration.ofMinutes(20));

            assertThat(world.overlaps).as("seed %d", seed).isEmpty();
            assertThat(world.elections).as("seed %d", seed).isPositive();
            changes += world.elections;
        }
        assertThat(changes).isGreaterThan(SEEDS * 2);
    }

    @Test
    void a_lease_that_somebody_deletes_makes_no_second_leader() throws InterruptedException {
        for (int seed = 0; seed < SEEDS; seed++) {
            var world = new World(seed, 0.02);
            world.replicas(3, false);
            world.deletions();

            world.run(Duration.ofMinutes(10));

            assertThat(world.overlaps).as("seed %d", seed).isEmpty();
            assertThat(world.elections).as("seed %d", seed).isPositive();
        }
    }

    @Test
    void without_faults_the_first_leader_leads_for_ever() throws InterruptedException {
        var world = new World(7, 0.0);
        world.replicas(3, false);

        world.run(Duration.ofHours(1));

        assertThat(world.elections).isEqualTo(1);
        assertThat(world.leaders()).hasSize(1);
    }

    /** Replicas, each with a clock of its own. */
    private static final class World {
        private final VirtualTime time = new VirtualTime();
        private final Random random;
        private final SimulatedLeases leases;
        private final List<Replica> replicas = new ArrayList<>();
        private final List<String> overlaps = new ArrayList<>();
        private int elections;

        World(long seed, double faults) {
            this.random = new Random(seed);
            this.leases = new SimulatedLeases(time, random, faults);
        }

        /** @param mortal each dies now and then, or loses, and another takes its place that knows nothing */
        void replicas(int count, boolean mortal) {
            for (int i = 0; i < count; i++) {
                int number = i;
                time.actor(Duration.ofMillis(random.nextInt(3000)), () -> {
                    for (int life = 0; mortal || life == 0; life++) {
                        new Replica("replica-" + number + "_" + life).live(mortal);
                        time.sleep(Duration.ofMillis(500 + random.nextInt(5000)));
                    }
                });
            }
        }

        void deletions() {
            time.actor(Duration.ofSeconds(30), () -> {
                for (; ; ) {
                    leases.delete();
                    time.sleep(Duration.ofSeconds(40 + random.nextInt(60)));
                }
            });
        }

        void run(Duration length) throws InterruptedException {
            time.run(length, () -> {
                List<String> leaders = leaders();
                if (leaders.size() > 1) {
                    overlaps.add(time.now() + " " + leaders);
                }
            });
        }

        List<String> leaders() {
            return replicas.stream()
                    .filter(Replica::leads)
                    .map(replica -> replica.name)
                    .toList();
        }

        /** A replica that runs an election's steps, and stops acting when its own clock says so. */
        private final class Replica {
            private final String name;
            private final Candidate candidate;
            private final InstantSource monotonic;
            private boolean alive = true;
            private boolean led;

            Replica(String name) {
                this.name = name;
                double speed = 0.9 + random.nextDouble() * 0.2;
                Duration skew = Duration.ofSeconds(random.nextInt(200_000) - 100_000);
                this.monotonic = () -> Instant.EPOCH.plusNanos(
                        (long) (Duration.between(Instant.EPOCH, time.now()).toNanos() * speed));
                this.candidate = new Candidate(
                        leases.connection(), name, TIMES, () -> time.now().plus(skew), monotonic);
                replicas.removeIf(replica -> !replica.alive);
                replicas.add(this);
            }

            boolean leads() {
                return alive && monotonic.instant().isBefore(candidate.leadsUntil());
            }

            /** Until it dies, or loses what it had. */
            void live(boolean mortal) {
                while (alive) {
                    if (led && !leads()) {
                        break;
                    }
                    time.sleep(step());
                    alive &= !mortal || random.nextDouble() > 0.005;
                }
                alive = false;
            }

            private Duration step() {
                try {
                    switch (candidate.step(patience())) {
                        case Step.Leads _ -> {
                            elections += led ? 0 : 1;
                            led = true;
                        }
                        case Step.Waits(String _, Instant freeAt) -> {
                            Duration free = Duration.between(monotonic.instant(), freeAt);
                            return free.isPositive() && free.compareTo(TIMES.retry()) < 0 ? free : TIMES.retry();
                        }
                        case Step.Lost _ -> alive = false;
                    }
                } catch (StorageException _) {
                    // The next step tries again.
                }
                return TIMES.retry();
            }

            private Duration patience() {
                Duration left = Duration.between(monotonic.instant(), candidate.leadsUntil());
                Duration half = TIMES.renewal().dividedBy(2);
                return led && left.compareTo(half) < 0 ? left : half;
            }
        }
    }
}
