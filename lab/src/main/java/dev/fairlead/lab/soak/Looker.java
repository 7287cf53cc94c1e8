package dev.fairlead.lab.soak;

import dev.fairlead.lab.soak.audit.DeviceDecisions;
import dev.fairlead.lab.soak.audit.LeftOverAudit;
import dev.fairlead.lab.soak.audit.Machines;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Looks at the machines every few minutes while volumes are in use; a look that a torment comes between is no matter.
 */
final class Looker implements Runnable {
    private static final int SECONDS = 150;
    private static final int TRIES = 5;

    private final LeftOverAudit audit;
    private final DeviceDecisions decisions;
    private final Consumer<String> say;
    private final CountDownLatch ended = new CountDownLatch(1);

    Looker(LeftOverAudit audit, DeviceDecisions decisions, Consumer<String> say) {
        this.audit = audit;
        this.decisions = decisions;
        this.say = say;
    }

    /** Ends the looks; the last one is done when the thread ends. */
    void end() {
        ended.countDown();
    }

    @Override
    public void run() {
        try {
            while (!ended.await(SECONDS, TimeUnit.SECONDS)) {
                var _ = looked();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
        for (int i = 0; i < TRIES && !looked(); i++) {
            StepClock.pause(5);
        }
    }

    private boolean looked() {
        try {
            for (String node : Machines.NODES) {
                decisions.look(node);
            }
            audit.look();
            return true;
        } catch (IOException | RuntimeException e) {
            say.accept("not looked at: " + e.toString().lines().findFirst().orElse(""));
            return false;
        }
    }
}
