package dev.fairlead.lab.abuse;

import csi.v1.Volume;
import dev.fairlead.lab.abuse.machine.MachineWatch;
import dev.fairlead.lab.report.Latencies;
import dev.fairlead.lab.report.Violations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Abuses the driver for some minutes, one torment at a time and then several at once, while tenants work on both
 * connections.
 *
 * <p>It fails if a volume lost anything, if anything is left in the end, if a call of the connection that nobody abuses
 * failed or took longer than the disk explains, or if a Probe took longer than it may.
 */
public final class Abuse {
    private static final int CALM_SECONDS = 10;
    private static final long GRACE_MINUTES = 25;
    /** The shortest run that has time for trees and copies of the sizes that once took the driver down. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Installation installation;
    private final MachineWatch machine;
    private final Violations violations = new Violations();
    private final Latencies quietTimes = new Latencies();
    private final Latencies abusedTimes = new Latencies();
    private final Latencies probes = new Latencies();
    private final Random random;
    private final int probeMillis;
    private int run;

    private Abuse(Installation installation, MachineWatch machine, long seed, int probeMillis) {
        this.machine = machine;
        this.installation = installation;
        this.probeMillis = probeMillis;
        this.random = new Random(seed);
    }

    /**
     * Runs the abuse; arguments: the folder to work in, minutes, the seed, how many milliseconds a Probe may take, and
     * the names of the torments, all if none is named.
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        double minutes = Double.parseDouble(args[1]);
        long seed = Long.parseLong(args[2]);
        List<String> torments = args.length > 4 ? Arrays.asList(args).subList(4, args.length) : Torment.NAMES;
        for (String torment : torments) {
            var _ = Torment.named(torment);
        }
        List<String> command =
                Arrays.asList(System.getenv("FAIRLEAD_COMMAND").strip().split("\n", -1));
        int seen;
        try (Installation installation = new Installation(folder, command);
                MachineWatch machine = MachineWatch.begin(folder)) {
            Abuse abuse = new Abuse(installation, machine, seed, Integer.parseInt(args[3]));
            abuse.all(torments, Duration.ofMillis((long) (minutes * 60_000)));
            seen = abuse.violations.count();
        }
        System.out.printf(
                "%n%d torments, seed %d: %s%n", torments.size(), seed, seen == 0 ? "all held" : seen + " violations");
        System.exit(seen == 0 ? 0 : 1);
    }

    private void all(List<String> torments, Duration time) throws Exception {
        Volume first = installation.client().create("first", Installation.ABUSED);
        installation.client().delete(first.getVolumeId());
        Volume second = installation.client().create("first", Installation.QUIET);
        installation.client().delete(second.getVolumeId());
        Audit audit = new Audit(installation);
        Patience quiet = new Patience(installation, violations, quietTimes, Optional.of(machine.disk()));
        Patience abused = new Patience(installation, violations, abusedTimes, Optional.empty());
        Path pods = installation.folder().resolve("pods");
        List<Tenant> tenants = List.of(
                new Tenant("quiet-1", Installation.QUIET, pods, quiet, violations, 1),
                new Tenant("quiet-2", Installation.QUIET, pods, quiet, violations, 2),
                new Tenant("guest", Installation.ABUSED, pods, abused, violations, 3));
        List<Thread> threads = new ArrayList<>();
        ProbeWatch watch = new ProbeWatch(installation, machine.pulse(), violations, probes, probeMillis);
        try (watch) {
            tenants.forEach(tenant -> threads.add(Thread.ofPlatform().start(tenant)));
            TimeUnit.SECONDS.sleep(CALM_SECONDS);
            row("what", "s", "create p50", "p99", "longest", "Probe p99", "longest", "no stalls", "violations");
            report("nothing", CALM_SECONDS);
            timetable(torments, time, abused);
            TimeUnit.SECONDS.sleep(CALM_SECONDS);
            report("nothing", CALM_SECONDS);
            tenants.forEach(Tenant::stop);
            for (Thread thread : threads) {
                if (!thread.join(Duration.ofMinutes(GRACE_MINUTES))) {
                    violations.add("a tenant did not end");
                }
            }
        }
        System.out.printf(
                "rounds of tenants: %s; kills: %d%n",
                tenants.stream().map(Tenant::rounds).toList(),
                installation.outages().count());
        System.out.println("of all Probes: " + watch.shares());
        audit.report(violations);
    }

    /**
     * Runs each torment by itself in half of the time; then, in a long run, the largest trees beside the torments that
     * let their copies go on; then two or three torments at once.
     */
    private void timetable(List<String> torments, Duration time, Patience patience) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        Duration turn = time.dividedBy(2L * torments.size());
        for (String torment : torments) {
            torment(List.of(torment), turn, false, patience);
        }
        if (time.compareTo(LONG) >= 0) {
            torment(torments.stream().filter(Torment.PATIENT::contains).toList(), turn, true, patience);
        }
        while (System.nanoTime() < end && torments.size() > 1) {
            List<String> several = new ArrayList<>(torments);
            Collections.shuffle(several, random);
            torment(several.subList(0, Math.min(several.size(), 2 + random.nextInt(2))), turn, false, patience);
        }
    }

    private void torment(List<String> names, Duration turn, boolean large, Patience patience) throws Exception {
        long begin = System.nanoTime();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> ends = new ArrayList<>();
            for (String name : names) {
                Torment.Scene scene = new Torment.Scene(
                        installation, machine, violations, patience, new Random(random.nextLong()), turn, large, run++);
                Torment torment = Torment.named(name);
                ends.add(threads.submit(() -> {
                    try {
                        torment.run(scene);
                    } catch (Exception e) {
                        violations.add(name + " cannot go on: " + e);
                    }
                }));
            }
            for (Future<?> each : ends) {
                var _ = each.get();
            }
        }
        report(
                String.join(" + ", names) + (large ? ", large" : ""),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    }

    /**
     * Prints one row: CreateVolume of the connection that nobody abuses, and Probe, in milliseconds; the longest Probe
     * also less what the machine stalled in the same time.
     */
    private void report(String what, long seconds) {
        Latencies.Interval creates = quietTimes.take("CreateVolume");
        Latencies.Interval probe = probes.take(ProbeWatch.KIND);
        Latencies.Interval judged = probes.take(ProbeWatch.JUDGED);
        row(
                what,
                Long.toString(seconds),
                millis(creates.percentile(50)),
                millis(creates.percentile(99)),
                millis(creates.longest()),
                millis(probe.percentile(99)),
                millis(probe.longest()),
                millis(judged.longest()),
                Integer.toString(violations.count()));
    }

    private static String millis(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
    }

    private static void row(String what, String... cells) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-60s", what));
        for (String cell : cells) {
            line.append(String.format(Locale.ROOT, " %10s", cell));
        }
        System.out.println(line);
    }
}
