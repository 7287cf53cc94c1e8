package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.in.node.ReportHealth;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.node.ForgottenStaging;
import dev.fairlead.application.service.node.JournalReconciler;
import dev.fairlead.bootstrap.serving.process.Repetition;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from time to time, on a node, for what calls that were cut have left attached, at the health of what is staged,
 * and for volumes that kubelet has staged and forgotten. Each look is on a thread of its own, so storage that hangs
 * delays neither the start nor a call, and one look that fails is none of the others.
 */
final class StagingWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StagingWatch.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final Duration AT_START = Duration.ofSeconds(1);

    private final ForgottenStaging forgotten;
    private final JournalReconciler journal;
    private final AttachmentEvents news;
    private final ReportHealth health;
    private final VolumeEvents healthNews;
    private final WorkFactory works;
    private final Repetition sweep;
    private final Repetition reconciliation;
    private final Repetition measuring;
    private final Repetition disks;

    StagingWatch(
            ForgottenStaging forgotten,
            JournalReconciler journal,
            AttachmentEvents news,
            ReportHealth health,
            VolumeEvents healthNews,
            Runnable pools,
            WorkFactory works,
            ThreadFactory threads) {
        this.forgotten = forgotten;
        this.journal = journal;
        this.news = news;
        this.health = health;
        this.healthNews = healthNews;
        this.works = works;
        this.sweep = new Repetition("looking for forgotten staging", INTERVAL, this::sweep, threads);
        this.reconciliation =
                new Repetition("comparing the journal with the mounts", AT_START, INTERVAL, this::reconcile, threads);
        this.measuring = new Repetition("looking at the staged volumes", AT_START, INTERVAL, this::measure, threads);
        this.disks = new Repetition("looking at where pools lie", AT_START, INTERVAL, pools, threads);
    }

    void start() {
        sweep.start();
        reconciliation.start();
        measuring.start();
        disks.start();
    }

    @Override
    public void close() {
        Repetition.close(List.of(sweep, reconciliation, measuring, disks));
    }

    private void reconcile() {
        try {
            news.found(journal.look(work("comparing the journal with the mounts")));
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("reason", e.failure().message())
                    .log("comparing the journal with the mounts; it is tried again");
        }
    }

    private void measure() {
        try {
            healthNews.found(health.ofAll(work("looking at the staged volumes")));
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("reason", e.failure().message())
                    .log("looking at the staged volumes; it is tried again");
        }
    }

    private void sweep() {
        try {
            forgotten
                    .unmount(work("unmounting forgotten staging"))
                    .forEach(path -> log.atWarn()
                            .addKeyValue("path", path)
                            .log("unmounted: kubelet had staged it and forgotten it, and its volume is deleted"));
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("reason", e.failure().message())
                    .log("looking for forgotten staging; it is tried again");
        }
    }

    private Work work(String what) {
        return works.begin(UUID.randomUUID().toString(), what, Optional.empty(), () -> false);
    }
}
