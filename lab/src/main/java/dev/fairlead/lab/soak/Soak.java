package dev.fairlead.lab.soak;

import dev.fairlead.lab.report.Violations;
import dev.fairlead.lab.soak.audit.DeviceDecisions;
import dev.fairlead.lab.soak.audit.FormatAudit;
import dev.fairlead.lab.soak.audit.LeftOver;
import dev.fairlead.lab.soak.audit.LeftOverAudit;
import dev.fairlead.lab.soak.audit.Machines;
import dev.fairlead.lab.soak.cluster.ClusterState;
import dev.fairlead.lab.soak.cluster.SoakApi;
import dev.fairlead.lab.soak.cluster.SoakCluster;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets many volumes of four protocols live in the cluster of the lab for some minutes while node plugins, the
 * controller, the network and the storage host fail, and looks for what was lost and what is left.
 *
 * <p>It fails if a step of a volume's life does not come about in its time, if a record is lost that a pod was told is
 * kept, if a pod reads what nobody wrote, if a device was left alone for what is on it, if one that was not blank was
 * formatted, or if anything is left.
 */
public final class Soak {
    private static final int PROGRESS_SECONDS = 10;
    private static final Duration GRACE = Duration.ofMinutes(60);
    private static final Duration REST = Duration.ofMinutes(8);

    private final SoakCluster cluster;
    private final Machines machines = new Machines();
    private final DeviceDecisions decisions = new DeviceDecisions(machines);
    private final Violations violations = new Violations();
    private final Tally tally = new Tally();
    private final StepClock steps;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final long begin = System.nanoTime();
    private final Instant since = Instant.now();

    private Soak(SoakCluster cluster, int atOnce, Duration limit) {
        this.cluster = cluster;
        this.steps = new StepClock(cluster, atOnce, limit);
    }

    /**
     * Runs the soak; arguments: minutes, the number of volumes at a time, the seed, how many steps of lives are taken
     * at once, and how many minutes a step may take.
     */
    public static void main(String[] args) throws Exception {
        Duration time = Duration.ofSeconds((long) (Double.parseDouble(args[0]) * 60));
        int volumes = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        Duration limit = Duration.ofMinutes(Long.parseLong(args[4]));
        int seen;
        try (SoakCluster cluster = new SoakCluster(new SoakApi(), limit)) {
            Soak soak = new Soak(cluster, Integer.parseInt(args[3]), limit);
            soak.all(time, volumes, seed);
            seen = soak.violations.count();
        }
        System.out.printf(
                "%n%d volumes, %s minutes, seed %d: %s%n",
                volumes, args[0], seed, seen == 0 ? "all held" : seen + " violations");
        System.exit(seen == 0 ? 0 : 1);
    }

    private void all(Duration time, int volumes, long seed) throws IOException, InterruptedException {
        refuseOld();
        say("looking at what is there before");
        LeftOverAudit audit = new LeftOverAudit(cluster, machines);
        for (String node : Machines.NODES) {
            decisions.look(node);
        }
        decisions.begin();

        List<Thread> slots = new ArrayList<>();
        for (int slot = 0; slot < volumes; slot++) {
            slots.add(Thread.ofVirtual()
                    .name("slot-" + slot)
                    .start(new Slot(slot, cluster, steps, tally, violations, ending, seed)));
        }
        Looker looker = new Looker(audit, decisions, this::say);
        Tormentor tormentor = new Tormentor(new TormentPlan(seed), machines, decisions, tally, violations, this::say);
        Thread looking = Thread.ofPlatform().name("looker").start(looker);
        Thread tormenting = Thread.ofPlatform().name("tormentor").start(tormentor);
        progress(slots, time);

        say("the time is up: the volumes that are there live on to their ends");
        ending.set(true);
        tormentor.end();
        tormenting.join();
        for (String node : Machines.NODES) {
            machines.heal(node);
        }
        machines.healStorage();
        looker.end();
        progress(slots, GRACE);
        looking.join();
        long alive = slots.stream().filter(Thread::isAlive).count();
        if (alive > 0) {
            violations.add("slots: " + alive + " did not end in " + GRACE.toMinutes() + " min");
        }
        conclude(audit);
    }

    /** Refuses to begin beside what an earlier run has left, whose records are unknown. */
    private void refuseOld() throws IOException {
        if (!cluster.await(_ -> true, Duration.ofSeconds(60))) {
            throw new IOException("the API server does not answer: " + cluster.trouble());
        }
        ClusterState state = cluster.state();
        if (!state.pods().isEmpty()
                || !state.claims().isEmpty()
                || !state.volumes().isEmpty()) {
            throw new IOException("an earlier run has left pods " + state.pods().keySet() + ", claims "
                    + state.claims().keySet() + ", volumes " + state.volumes().keySet()
                    + ": lab/kube kubectl delete namespace " + SoakCluster.NAMESPACE);
        }
    }

    /** Prints a line now and then until the time is over, or no slot is alive. */
    private void progress(List<Thread> slots, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end && slots.stream().anyMatch(Thread::isAlive)) {
            long left = Math.max(1, Math.min(PROGRESS_SECONDS * 1_000_000_000L, end - System.nanoTime()));
            Thread.sleep(Duration.ofNanos(left));
            ClusterState state = cluster.state();
            say("lives %d, volumes %d, pods %d, kept %d, lost %d, torments %d, violations %d, longest wait %s%s"
                    .formatted(
                            tally.of("lives"),
                            state.volumes().size(),
                            state.pods().size(),
                            tally.of("kept"),
                            tally.of("lost"),
                            tally.of("torments"),
                            violations.count(),
                            steps.longest(),
                            cluster.trouble().isEmpty() ? "" : "; " + cluster.trouble()));
        }
    }

    private void conclude(LeftOverAudit audit) throws IOException {
        say("looking for what is left");
        for (String node : Machines.NODES) {
            decisions.look(node);
        }
        SortedSet<LeftOver> left = audit.left(REST);
        left.forEach(it -> violations.add("left: " + it));
        audit.blind()
                .forEach(it -> violations.add("blind: no look saw a " + it.words() + " while volumes were in use"));
        Map<String, Long> decided = decisions.totals();
        decided.forEach((decision, count) -> {
            if (count > 0 && !decision.equals("use") && !decision.equals("format")) {
                violations.add("device: " + count + " were left alone as " + decision);
            }
        });
        long formats = decided.getOrDefault("format", 0L);
        long most = tally.of("disks") + tally.of(TormentKind.NODE_PLUGIN.words());
        if (formats > most) {
            violations.add("device: " + formats + " were formatted, and " + tally.of("disks") + " were made");
        }
        FormatAudit noted = FormatAudit.of(since, tally.of("disks"));
        noted.wrong().forEach(it -> violations.add("mkfs: " + it));
        System.out.println();
        new SoakReport()
                .counts(tally)
                .times(steps.latencies())
                .decisions(decided, tally.of("disks"))
                .formats(noted.table())
                .leftOvers(left, audit.most())
                .lines()
                .forEach(System.out::println);
    }

    private void say(String what) {
        System.out.println(String.format(Locale.ROOT, "%7.0f s  %s", (System.nanoTime() - begin) / 1e9, what));
    }
}
