package dev.fairlead.adapter.freenas.service;

import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps calls from saying that a volume can be used while the box's service is off. The box is asked beside the work,
 * once a minute as long as the service runs, so that a call costs nothing for it. While it is off, the box is asked
 * again with the next call: a service that is restarted delays a call by its repetition, and no more.
 */
public final class ServiceWatch {
    /** The time for which an answer counts by which the service runs. */
    static final Duration RUNS = Duration.ofMinutes(1);

    /** The same of one by which it does not. */
    static final Duration OFF = Duration.ofSeconds(1);

    /** The time after which a box is asked again whose user may not ask. */
    static final Duration FORBIDDEN = Duration.ofMinutes(10);

    private static final Logger log = LoggerFactory.getLogger(ServiceWatch.class);

    private final TruenasApi api;
    private final BoxService service;
    private final InstantSource clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable Seen seen;

    /** Holds an answer. */
    private record Seen(Optional<String> trouble, Instant until) {}

    public ServiceWatch(TruenasApi api, BoxService service, InstantSource clock) {
        this.api = api;
        this.service = service;
        this.clock = clock;
    }

    /**
     * Throws {@code BackendUnavailable} if the box says that its service is off. If it does not say, nothing is thrown:
     * whether volumes are usable is not known then, and is no worse for it.
     */
    public void require(Work work) {
        trouble(work).ifPresent(what -> {
            throw new StorageException(new Failure.BackendUnavailable(api.connection(), what));
        });
    }

    private Optional<String> trouble(Work work) {
        Seen last = seen;
        if ((last == null || last.until().isBefore(clock.instant())) && asking.tryLock()) {
            try {
                last = ask(work);
                seen = last;
            } finally {
                asking.unlock();
            }
        }
        return last == null ? Optional.empty() : last.trouble();
    }

    private Seen ask(Work work) {
        try {
            Optional<String> trouble = service.trouble(api, work);
            return new Seen(trouble, clock.instant().plus(trouble.isPresent() ? OFF : RUNS));
        } catch (StorageException e) {
            log.atDebug()
                    .addKeyValue("request", work.requestId())
                    .addKeyValue("connection", api.connection())
                    .setCause(e)
                    .log("the box does not say whether its service runs");
            boolean forbidden = e.failure() instanceof Failure.RoleMissing;
            return new Seen(Optional.empty(), clock.instant().plus(forbidden ? FORBIDDEN : RUNS));
        }
    }
}
