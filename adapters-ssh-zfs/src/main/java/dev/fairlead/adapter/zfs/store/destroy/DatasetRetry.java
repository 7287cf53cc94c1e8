package dev.fairlead.adapter.zfs.store.destroy;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.zfs.dataset.DatasetName;
import java.time.Duration;

/**
 * Destroys a dataset again while a program still uses it, for a few seconds.
 *
 * <p>A file server keeps files open for a moment after its last client has gone: nfsd closes what it has cached every
 * two seconds. What is in use for longer is left to the caller's next attempt.
 */
final class DatasetRetry {
    private static final Duration MOST = Duration.ofSeconds(6);
    private static final Backoff BETWEEN = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(2));

    private final ZfsHost host;

    DatasetRetry(ZfsHost host) {
        this.host = host;
    }

    /**
     * Returns the steps that destroy the dataset, and prove that it is gone by failing for that reason and no other.
     */
    Steps destroy(DatasetName name) {
        return new Steps()
                .then(RemovalPart.DATASET, host.zfs().destroy(name))
                .then(RemovalPart.ABSENCE, host.zfs().exists(name.value()));
    }

    /**
     * Returns the last outcome.
     *
     * @param checks the checks that have to succeed each time before the dataset is destroyed
     */
    StepsOutcome whileBusy(StepsOutcome first, DatasetName name, Steps checks, Work work) {
        StepsOutcome outcome = first;
        long end = System.nanoTime() + MOST.toNanos();
        for (int attempt = 0; outcome.failedIn(RemovalPart.DATASET, Complaint.BUSY); attempt++) {
            Duration pause = BETWEEN.after(attempt);
            if (pause.compareTo(work.left()) > 0 || System.nanoTime() + pause.toNanos() > end) {
                return outcome;
            }
            work.checkEnding();
            Backoff.pause(pause, work);
            outcome = host.run(
                    DatasetRemoval.KIND, name.value(), new Steps().and(checks).and(destroy(name)), work);
        }
        return outcome;
    }
}
