package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the real process at named calls and at random instants while it changes volumes on a real API server, and
 * starts it anew. All volumes have to end as planned, and nothing else about them may be other than before.
 */
@Tag("cluster")
class AffinityKillsTest {
    private static final int VOLUMES = Integer.getInteger("fairlead.affinity.volumes", 12);
    /** The points that a former run has done already. */
    private static final int FROM = Integer.getInteger("fairlead.affinity.from", 0);

    private static final int POINTS = Integer.getInteger("fairlead.affinity.points", 3);
    private static final int RANDOM = Integer.getInteger("fairlead.affinity.random", 2);
    private static final boolean GATE = Boolean.getBoolean("fairlead.affinity.gate");
    private static final int MOST_MILLIS = 4000;
    private static final int LONGEST_WAIT = 60;

    @TempDir
    Path folder;

    private final Map<String, List<String>> zones = new TreeMap<>();
    private int zone;

    private record Point(String kind, Fate fate) {}

    @Test
    void every_volume_ends_as_planned_wherever_the_process_is_killed() throws Exception {
        long seed = Long.getLong("fairlead.seed", 20261127L);
        Random random = new Random(seed);
        String[] options = GATE ? new String[] {"--feature-gates=MutablePVNodeAffinity=true"} : new String[0];
        try (AffinityWorld world = AffinityWorld.start(folder, AffinityWorld.Controllers.QUICK, options);
                Supervisor process = world.supervisor()) {
            List<String> connections = connections();
            for (String connection : new LinkedHashSet<>(connections)) {
                zones.put(connection, List.of("z0"));
                world.zones(connection, List.of("z0"));
            }
            world.volumes(connections);
            // It is used on a node that keeps it, whose labels say so.
            attach(world, AffinityWorld.volume(1), "z0");
            try (LostClaims lost = new LostClaims(world.admin())) {
                Set<String> ofOne = atNamedCalls(world, process, random);
                int named = process.kills();
                List<Integer> moved = atRandomInstants(world, process, random);
                world.ends(zones, process);
                if (!GATE) {
                    assertThat(world.account().used())
                            .as("what it used of what it may")
                            .isEqualTo(world.account().allowed());
                }
                if (GATE) {
                    world.sameObjects();
                    assertThat(lost.claims()).isZero();
                }
                System.out.printf(
                        "seed %d, %d volumes%s: %d kinds of calls %s%n%d kills at named calls, %d at random instants, when"
                                + " so many volumes were left: %s; %s%n",
                        seed,
                        VOLUMES,
                        GATE ? " (MutablePVNodeAffinity on)" : "",
                        ofOne.size(),
                        ofOne,
                        named,
                        process.kills() - named,
                        moved,
                        lost.told(VOLUMES));
            }
        }
    }

    /** Lets a volume be attached to the node of a zone. */
    private static void attach(AffinityWorld world, String volume, String zone) throws Exception {
        world.admin()
                .post(
                        "/apis/storage.k8s.io/v1/volumeattachments",
                        AffinityManifests.attachment(volume, "node-" + zone));
        world.api()
                .kubectl(
                        "patch",
                        "volumeattachment",
                        volume,
                        "--subresource=status",
                        "--type=merge",
                        "--patch={\"status\": {\"attached\": true}}");
    }

    /** Gives the first, the middle and the last volume a connection each, and the others one in groups. */
    private static List<String> connections() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < VOLUMES; i++) {
            all.add(
                    i == 0
                            ? "first"
                            : i == VOLUMES / 2 ? "middle" : i == VOLUMES - 1 ? "last" : "group-%02d".formatted(i % 40));
        }
        return all;
    }

    /** Opens these connections to one more zone each, so that their volumes are changed in the very first round. */
    private void widen(AffinityWorld world, List<String> connections) throws Exception {
        zone++;
        for (String connection : connections) {
            List<String> wider = new ArrayList<>(zones.getOrDefault(connection, List.of()));
            wider.add("z" + zone);
            zones.put(connection, List.copyOf(wider));
            world.zones(connection, wider);
        }
    }

    /** Leaves a connection its newest zone alone, so that nodes lose its volumes. */
    private void narrow(AffinityWorld world, String connection) throws Exception {
        List<String> newest = List.of(zones.getOrDefault(connection, List.of()).getLast());
        zones.put(connection, newest);
        world.zones(connection, newest);
    }

    /** Takes its newest zone from a connection. A node that uses its volume is looked up then; z0 keeps it. */
    private void takeNewest(AffinityWorld world, String connection) throws Exception {
        List<String> all = zones.getOrDefault(connection, List.of());
        zones.put(connection, List.copyOf(all.subList(0, all.size() - 1)));
        world.zones(connection, zones.getOrDefault(connection, List.of()));
    }

    private Set<String> atNamedCalls(AffinityWorld world, Supervisor process, Random random) throws Exception {
        Set<String> kinds = kindsOfCalls(world, process);
        List<Point> points = new ArrayList<>();
        for (String kind : kinds) {
            points.add(new Point(kind, Fate.KILL_BEFORE));
            points.add(new Point(kind, Fate.KILL_AFTER));
        }
        if (POINTS < points.size()) {
            Collections.shuffle(points, random);
        }
        int end = Math.min(points.size(), POINTS);
        points = points.subList(Math.min(FROM, end), end);
        int cycle = 0;
        for (Point point : points) {
            List<String> killed = new ArrayList<>();
            widen(world, List.of("first", "middle", "last", "group-%02d".formatted(1 + cycle++ % 39)));
            for (String place : List.of("first", "middle", "last")) {
                String volume = AffinityWorld.volume(
                        place.equals("first") ? 0 : place.equals("middle") ? VOLUMES / 2 : VOLUMES - 1);
                if (killedAt(world, process, point, volume)) {
                    killed.add(place);
                }
            }
            world.gate().script(_ -> Fate.PASS);
            process.start(process.quick());
            world.ends(zones, process);
            process.kill();
            world.gate().quiet();
            world.freeLease();
            System.out.println(point.fate() + " " + point.kind() + ": " + killed);
            assertThat(killed).as(point.toString()).contains("first", "last");
        }
        return kinds;
    }

    /** Runs the process until it is killed at its first call of this kind about the volume. */
    private boolean killedAt(AffinityWorld world, Supervisor process, Point point, String volume) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        world.gate().script(call -> {
            boolean here = call.kind().equals(point.kind())
                    && (call.volume().isEmpty() || call.volume().equals(volume));
            return here && done.compareAndSet(false, true) ? point.fate() : Fate.PASS;
        });
        Process one = process.start(process.quick());
        // The Lease is renewed, and events are recorded, when all is changed already.
        one.waitFor(LONGEST_WAIT, TimeUnit.SECONDS);
        process.kill();
        world.gate().quiet();
        world.freeLease();
        return done.get();
    }

    /** Returns the kinds of calls that a process makes from its start until it has changed some volumes. */
    private Set<String> kindsOfCalls(AffinityWorld world, Supervisor process) throws Exception {
        Set<String> kinds = ConcurrentHashMap.newKeySet();
        Set<String> ofFirst = ConcurrentHashMap.newKeySet();
        world.gate().script(call -> {
            kinds.add(call.kind());
            if (call.volume().equals(AffinityWorld.volume(0))) {
                ofFirst.add(call.kind());
            }
            return Fate.PASS;
        });
        widen(world, List.of("first", "middle", "last"));
        process.start(process.quick());
        world.ends(zones, process);
        process.end();
        Set<String> sorted = new java.util.TreeSet<>(kinds);
        assertThat(ofFirst).contains(GATE ? "change in place" : "create");
        return sorted;
    }

    private List<Integer> atRandomInstants(AffinityWorld world, Supervisor process, Random random) throws Exception {
        List<Integer> left = new ArrayList<>();
        while (left.size() < RANDOM) {
            if (world.left(zones).isEmpty()) {
                widen(world, List.copyOf(zones.keySet()));
            }
            long looks = world.gate().count("list intents");
            Process one = process.start(process.quick());
            // Not the start of a JVM, which takes long on a busy machine.
            AffinityWorld.within(
                    Duration.ofMinutes(1), () -> world.gate().count("list intents") > looks || !one.isAlive());
            assertThat(one.waitFor(random.nextInt(MOST_MILLIS), TimeUnit.MILLISECONDS))
                    .as("it goes on: " + process.tail())
                    .isFalse();
            process.kill();
            world.gate().quiet();
            world.freeLease();
            left.add(world.left(zones).size());
        }
        // A kill may have left the volume of takeNewest without its newest zone, and then nothing would be taken from
        // it.
        process.start(process.quick());
        world.ends(zones, process);
        process.end();
        narrow(world, "first");
        takeNewest(world, connections().get(1));
        process.start(process.quick());
        world.ends(zones, process);
        process.end();
        return left;
    }
}
