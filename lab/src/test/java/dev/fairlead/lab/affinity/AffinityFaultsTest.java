package dev.fairlead.lab.affinity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets every kind of call meet every kind of fault while the real process changes volumes on a real API server; freezes
 * that server; takes the Lease away while another process waits for it.
 */
@Tag("cluster")
class AffinityFaultsTest {
    private static final int VOLUMES = Integer.getInteger("fairlead.affinity.volumes", 12);
    private static final int SILENT = Integer.getInteger("fairlead.affinity.silent", 0);
    private static final int LEASES = Integer.getInteger("fairlead.affinity.leases", 1);
    private static final boolean GATE = Boolean.getBoolean("fairlead.affinity.gate");
    private static final Duration LONG = Duration.ofSeconds(240 + 4L * VOLUMES);
    private static final List<Fate> FATES =
            List.of(Fate.CONFLICT, Fate.TOO_MANY, Fate.SERVER_ERROR, Fate.UNAVAILABLE, Fate.CUT_BEFORE, Fate.CUT_AFTER);

    @TempDir
    Path folder;

    private final Map<String, List<String>> zones = new TreeMap<>();
    private final Map<String, LongAdder> met = new ConcurrentHashMap<>();
    private int zone;

    private record Fault(String kind, Fate fate) {}

    @Test
    void every_volume_ends_as_planned_whatever_the_server_answers() throws Exception {
        long seed = Long.getLong("fairlead.seed", 20261127L);
        String[] options = GATE ? new String[] {"--feature-gates=MutablePVNodeAffinity=true"} : new String[0];
        try (AffinityWorld world = AffinityWorld.start(folder, AffinityWorld.Controllers.QUICK, options);
                Supervisor process = world.supervisor()) {
            List<String> connections = new ArrayList<>();
            for (int i = 0; i < VOLUMES; i++) {
                connections.add(i == 0 ? "learnt" : "rest");
            }
            for (String connection : List.of("learnt", "rest")) {
                zones.put(connection, List.of("z0"));
                world.zones(connection, List.of("z0"));
            }
            world.volumes(connections);
            try (LostClaims lost = new LostClaims(world.admin())) {
                byFaults(world, process);
                frozen(world, process, new Random(seed));
                withoutLease(world, process);
                if (GATE) {
                    world.sameObjects();
                    assertThat(lost.claims()).isZero();
                }
                System.out.println(lost.told(VOLUMES));
            }
        }
    }

    private void widen(AffinityWorld world, String... connections) throws Exception {
        zone++;
        for (String connection : connections) {
            List<String> wider = new ArrayList<>(zones.getOrDefault(connection, List.of()));
            wider.add("z" + zone);
            zones.put(connection, List.copyOf(wider));
            world.zones(connection, wider);
        }
    }

    private void byFaults(AffinityWorld world, Supervisor process) throws Exception {
        Set<String> ofVolume = ConcurrentHashMap.newKeySet();
        Set<String> others = ConcurrentHashMap.newKeySet();
        world.gate().script(call -> {
            (call.volume().isEmpty() ? others : ofVolume).add(call.kind());
            return Fate.PASS;
        });
        widen(world, "learnt");
        process.start(process.quick());
        world.ends(zones, process);
        process.end();

        List<Fault> faults = new ArrayList<>();
        new TreeSet<>(ofVolume).forEach(kind -> FATES.forEach(fate -> faults.add(new Fault(kind, fate))));
        Map<String, List<Fault>> owed = new HashMap<>();
        // Each volume meets two; so each fault comes among the first volumes, in the middle and among the last.
        for (int i = 0; i < VOLUMES; i++) {
            List<Fault> its = new ArrayList<>();
            its.add(faults.get(i % faults.size()));
            its.add(faults.get((i + faults.size() / 2) % faults.size()));
            owed.put(AffinityWorld.volume(i), its);
        }
        silences(owed);
        AtomicInteger turn = new AtomicInteger();
        world.gate().script(call -> call.volume().isEmpty() ? sometimes(call, turn) : owedTo(call, owed));
        widen(world, "learnt", "rest");
        long began = System.nanoTime();
        // Its renewals are refused as well, so it may lose its Lease and end; another one then goes on.
        untilDone(world, process, _ -> {});
        world.gate().script(_ -> Fate.PASS);
        ends(world, process);
        int never = owed.values().stream().mapToInt(List::size).sum();
        System.out.printf(
                "%d volumes, each with two faults, in %.0f s; %d kinds of calls about a volume, %d others; faults met:"
                        + " %s; %d of %d never met, since the call did not come%n",
                VOLUMES,
                (System.nanoTime() - began) / 1e9,
                ofVolume.size(),
                others.size(),
                new TreeMap<>(met),
                never,
                2 * VOLUMES + SILENT);
        assertThat(never).isLessThan(VOLUMES / 2);
    }

    private static void silences(Map<String, List<Fault>> owed) {
        List<String> kinds = GATE
                ? List.of("change in place", "try in place")
                : List.of(
                        "delete",
                        "create",
                        "take the finalizers away",
                        "mark and retain",
                        "write the intent",
                        "take the mark away",
                        "note in the intent",
                        "remove the intent");
        for (int i = 0; i < SILENT; i++) {
            String volume = AffinityWorld.volume(i * (VOLUMES - 1) / Math.max(1, SILENT - 1));
            owed.getOrDefault(volume, new ArrayList<>()).add(new Fault(kinds.get(i % kinds.size()), Fate.SILENT_AFTER));
        }
    }

    private Fate owedTo(GateCall call, Map<String, List<Fault>> owed) {
        List<Fault> its = owed.getOrDefault(call.volume(), List.of());
        synchronized (owed) {
            for (Fault fault : its) {
                if (fault.kind().equals(call.kind())) {
                    its.remove(fault);
                    return count(call, fault.fate());
                }
            }
        }
        return Fate.PASS;
    }

    /** Every fourth of the calls about no volume fails, by turns. */
    private Fate sometimes(GateCall call, AtomicInteger turn) {
        int now = turn.incrementAndGet();
        return now % 4 == 0 ? count(call, FATES.get(now / 4 % FATES.size())) : Fate.PASS;
    }

    private Fate count(GateCall call, Fate fate) {
        met.computeIfAbsent(fate + (call.volume().isEmpty() ? " elsewhere" : ""), _ -> new LongAdder())
                .increment();
        return fate;
    }

    /** Something that is done again and again while volumes are changed. */
    private interface Disturbance {
        void now(int left) throws Exception;
    }

    private void untilDone(AffinityWorld world, Supervisor process, Disturbance disturbance) throws Exception {
        Process one = process.start(process.quick());
        long end = System.nanoTime() + LONG.toNanos();
        int starts = 1;
        while (true) {
            int left = world.left(zones).size();
            if (left == 0) {
                break;
            }
            assertThat(System.nanoTime()).as(left + " left: " + process.tail()).isLessThan(end);
            disturbance.now(left);
            if (!one.isAlive()) {
                assertThat(one.exitValue()).as(process.tail()).isEqualTo(1);
                one = process.start(process.quick());
                starts++;
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
        System.out.println(starts + " processes one after the other");
    }

    private void ends(AffinityWorld world, Supervisor process) throws Exception {
        world.ends(zones, process);
        if (process.isAlive()) {
            process.end();
        }
    }

    private void frozen(AffinityWorld world, Supervisor process, Random random) throws Exception {
        widen(world, "learnt", "rest");
        List<Integer> seconds = VOLUMES < 100 ? List.of(3) : List.of(3, 3, 8, 25, 3);
        AtomicInteger next = new AtomicInteger();
        List<Integer> at = new ArrayList<>();
        untilDone(world, process, left -> {
            int done = VOLUMES - left;
            if (next.get() < seconds.size() && done > next.get() * VOLUMES / seconds.size()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
                world.api().freeze();
                TimeUnit.SECONDS.sleep(seconds.get(next.getAndIncrement()));
                world.api().thaw();
                at.add(done);
            }
        });
        ends(world, process);
        System.out.println("the server was frozen for " + seconds + " s when so many volumes were moved: " + at);
    }

    /** Takes the Lease away while one process acts and another waits: for a moment both act. */
    private void withoutLease(AffinityWorld world, Supervisor process) throws Exception {
        List<Integer> at = new ArrayList<>();
        List<Long> millis = new ArrayList<>();
        for (int i = 0; i < LEASES; i++) {
            widen(world, "learnt", "rest");
            try (Supervisor other = world.supervisor()) {
                Process acting = process.start(process.quick());
                int enough = 1 + i * (VOLUMES - 4) / Math.max(1, LEASES - 1);
                AffinityWorld.within(LONG, () -> VOLUMES - world.left(zones).size() >= enough);
                Process waiting = other.start(other.quick());
                at.add(VOLUMES - world.left(zones).size());
                long began = System.nanoTime();
                // The one that waits tries every few seconds, and may find the Lease free before the other renews it.
                while (acting.isAlive()
                        && waiting.isAlive()
                        && !world.left(zones).isEmpty()) {
                    world.freeLease();
                    acting.waitFor(100, TimeUnit.MILLISECONDS);
                }
                millis.add((System.nanoTime() - began) / 1_000_000);
                Process loser = acting.isAlive() ? waiting : acting;
                if (!loser.isAlive()) {
                    assertThat(loser.exitValue()).as(process.tail()).isEqualTo(1);
                }
                world.ends(zones, process);
                process.kill();
                other.kill();
                world.gate().quiet();
                world.freeLease();
            }
        }
        System.out.println("the Lease was taken away when so many volumes were moved: " + at
                + ", and the other led after so many ms: " + millis);
    }
}
