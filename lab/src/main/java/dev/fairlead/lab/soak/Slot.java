package dev.fairlead.lab.soak;

import dev.fairlead.lab.report.Violations;
import dev.fairlead.lab.soak.audit.Machines;
import dev.fairlead.lab.soak.cluster.SoakCluster;
import dev.fairlead.lab.soak.record.RecordCheck;
import dev.fairlead.lab.soak.record.RecordText;
import dev.fairlead.lab.soak.record.WriterLog;
import dev.fairlead.lab.soak.record.WriterScript;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/**
 * Lets one volume after the other live: claimed, written by a pod, grown, read and written by a pod on the other node,
 * sometimes by a third on the first one again, and deleted. What is left when a step fails stays as it is, to be seen.
 */
final class Slot implements Runnable {
    private static final long SMALL = 64L << 20;
    private static final long LARGE = 128L << 20;
    /** The least growth that a pod has to see, in KiB: a file system keeps something of a disk for itself. */
    private static final long GROWTH = 40L << 10;
    /** The most that a file system's size differs from one look to another, in KiB. */
    private static final long SLACK = 4L << 10;

    private final int number;
    private final Protocol protocol;
    private final SoakCluster cluster;
    private final StepClock steps;
    private final Tally tally;
    private final Violations violations;
    private final AtomicBoolean ending;
    private final RandomGenerator random;

    Slot(
            int number,
            SoakCluster cluster,
            StepClock steps,
            Tally tally,
            Violations violations,
            AtomicBoolean ending,
            long seed) {
        this.number = number;
        this.protocol = Protocol.ofSlot(number);
        this.cluster = cluster;
        this.steps = steps;
        this.tally = tally;
        this.violations = violations;
        this.ending = ending;
        // Not java.util.Random, which begins alike for seeds that are near each other: all pods went to one node.
        this.random = new SplittableRandom(seed * 1000 + number);
    }

    /** Holds what is known of a volume that was written to: how many records it keeps, and its size as a pod saw it. */
    private record Known(long kept, long kibibytes) {}

    @Override
    public void run() {
        try {
            for (int life = 1; !ending.get(); life++) {
                live(protocol.words().toLowerCase(Locale.ROOT).replace("-", "") + "-" + number + "-" + life);
                tally.add("lives, " + protocol.words(), 1);
                tally.add("lives", 1);
            }
        } catch (RuntimeException e) {
            tally.add("slots that ended early", 1);
            violations.add(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private void live(String name) {
        steps.take(
                LifeStep.BOUND,
                protocol,
                name,
                () -> cluster.makeClaim(name, protocol.storageClass(), SMALL),
                state -> state.bound(name));
        String volume = cluster.state().volumeOf(name);
        tally.add(protocol.isDisk() ? "disks" : "shares", 1);
        String here = Machines.NODES.get(random.nextInt(Machines.NODES.size()));
        String there = Machines.NODES.get(1 - Machines.NODES.indexOf(here));

        Known first = stay(name, name + "-a", here, new Known(0, 0), 0);
        steps.take(
                LifeStep.GROWN, protocol, name, () -> cluster.grow(name, LARGE), state -> state.holds(volume, LARGE));
        Known second = stay(name, name + "-b", there, first, first.kibibytes() + GROWTH);
        if (random.nextBoolean()) {
            Known _ = stay(name, name + "-c", here, second, second.kibibytes() - SLACK);
        }
        steps.take(LifeStep.GONE, protocol, name, () -> cluster.deleteClaim(name), state -> state.gone(name, volume));
    }

    /** Lets a pod read what is there and write more, and takes it away. */
    private Known stay(String claim, String pod, String node, Known before, long kibibytes) {
        boolean first = before.kept() == 0;
        steps.take(
                LifeStep.RUNNING,
                protocol,
                pod,
                () -> cluster.makePod(pod, node, claim, first),
                state -> state.runs(pod));
        tally.add("pods", 1);
        if (!first) {
            tally.add("moves", 1);
        }
        long batches = ending.get() ? 1 : 2 + random.nextInt(4);
        long wanted = before.kept() + batches * WriterScript.BATCH;
        steps.look(LifeStep.KEPT, protocol, pod, () -> {
            WriterLog log = cluster.log(pod);
            return log.whole() && log.kept() >= wanted && log.kibibytes() >= kibibytes && log.kibibytes() > 0;
        });
        WriterLog log = cluster.log(pod);
        compare(claim, pod, log, before);
        tally.add("kept", log.kept() - before.kept());
        tally.add("restarts of pods", cluster.state().restartsOf(pod));
        steps.take(
                LifeStep.AWAY,
                protocol,
                pod,
                () -> cluster.deletePod(pod),
                state -> !state.pods().containsKey(pod));
        return new Known(log.kept(), log.kibibytes());
    }

    private void compare(String claim, String pod, WriterLog log, Known before) {
        RecordCheck check = RecordCheck.of(new RecordText(claim), log.found(), before.kept());
        tally.add("read again", check.last());
        tally.add("lost", check.lost());
        tally.add("torn", check.torn());
        tally.add("wrong", check.wrong().size());
        if (check.lost() > 0) {
            violations.add("lost: " + pod + " found the records up to " + check.last() + ", and " + before.kept()
                    + " were said to be kept");
        }
        check.wrong().forEach(line -> violations.add("wrong: " + pod + " found " + line));
    }
}
