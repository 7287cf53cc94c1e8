package dev.fairlead.lab.soak;

import dev.fairlead.lab.report.Violations;
import dev.fairlead.lab.soak.audit.DeviceDecisions;
import dev.fairlead.lab.soak.audit.Machines;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Torments the machines by a plan until it is told to end, and undoes each torment before the next one. */
final class Tormentor implements Runnable {
    private final TormentPlan plan;
    private final Machines machines;
    private final DeviceDecisions decisions;
    private final Tally tally;
    private final Violations violations;
    private final Consumer<String> say;
    private final CountDownLatch ended = new CountDownLatch(1);

    Tormentor(
            TormentPlan plan,
            Machines machines,
            DeviceDecisions decisions,
            Tally tally,
            Violations violations,
            Consumer<String> say) {
        this.plan = plan;
        this.machines = machines;
        this.decisions = decisions;
        this.tally = tally;
        this.violations = violations;
        this.say = say;
    }

    void end() {
        ended.countDown();
    }

    @Override
    public void run() {
        try {
            for (TormentPlan.Next next = plan.next();
                    !ended.await(next.seconds(), TimeUnit.SECONDS);
                    next = plan.next()) {
                torment(next);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void torment(TormentPlan.Next next) {
        say.accept("torment: " + next);
        try {
            if (played(next)) {
                tally.add(next.kind().words(), 1);
                tally.add("torments", 1);
                say.accept("it is over");
            } else {
                say.accept("it was not running");
            }
        } catch (IOException | RuntimeException e) {
            violations.add("torment: " + next + " could not be played or undone: " + e.getMessage());
        }
    }

    private boolean played(TormentPlan.Next next) throws IOException {
        switch (next.kind()) {
            case NODE_PLUGIN -> {
                look(next.node());
                boolean killed = machines.killNodePlugin(next.node());
                if (killed) {
                    decisions.killed(next.node());
                }
                return killed;
            }
            case CONTROLLER -> {
                return machines.killController();
            }
            case NODE_CUT -> {
                machines.cut(next.node());
                StepClock.pause(15);
                machines.heal(next.node());
            }
            case STORAGE_POWER -> {
                machines.stopStorage();
                StepClock.pause(10);
                machines.startStorage();
            }
            case STORAGE_SLOW -> {
                machines.slowStorage();
                StepClock.pause(20);
                machines.healStorage();
            }
        }
        return true;
    }

    /** Counts what a driver has decided before it is killed, if it answers. */
    private void look(String node) {
        try {
            decisions.look(node);
        } catch (IOException e) {
            say.accept("the metrics of " + node + " were not read before: "
                    + e.toString().lines().findFirst().orElse(""));
        }
    }
}
