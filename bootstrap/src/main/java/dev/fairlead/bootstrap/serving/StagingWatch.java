package dev.fairlead.bootstrap.serving;

import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.application.service.node.ForgottenStaging;
import dev.fairlead.bootstrap.serving.process.Repetition;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks from time to time, on a node, for volumes that kubelet has staged and forgotten. */
final class StagingWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StagingWatch.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final ForgottenStaging forgotten;
    private final WorkFactory works;
    private final Repetition repetition;

    StagingWatch(ForgottenStaging forgotten, WorkFactory works, ThreadFactory threads) {
        this.forgotten = forgotten;
        this.works = works;
        this.repetition = new Repetition(INTERVAL, this::look, threads);
    }

    void start() {
        repetition.start();
    }

    @Override
    public void close() {
        repetition.close();
    }

    private void look() {
        try {
            var work = works.begin(
                    UUID.randomUUID().toString(), "unmounting forgotten staging", Optional.empty(), () -> false);
            forgotten
                    .unmount(work)
                    .forEach(path -> log.atWarn()
                            .addKeyValue("path", path)
                            .log("unmounted: kubelet had staged it and forgotten it, and its volume is deleted"));
        } catch (StorageException e) {
            log.atWarn()
                    .addKeyValue("reason", e.failure().message())
                    .log("looking for forgotten staging; it is tried again");
        }
    }
}
