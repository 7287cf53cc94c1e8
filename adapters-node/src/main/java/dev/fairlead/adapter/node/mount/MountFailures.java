package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.out.node.Mounter.Filesystem;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.FinalCodes;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps how mounts have failed for whose end nobody waited any more. The next call for the same is told it and mounts
 * nothing; else one that takes longer than its callers wait would be begun again and again, and its reason never told.
 */
final class MountFailures {
    /** The time for which it is kept. Callers ask more often, and the device may have been used elsewhere later. */
    static final Duration KEPT = Duration.ofMinutes(5);

    private final Map<Path, Kept> unheard = new ConcurrentHashMap<>();
    private final InstantSource clock;

    MountFailures(InstantSource clock) {
        this.clock = clock;
    }

    private record Kept(String source, StorageException failure, Instant at) {}

    /** Mounts something. */
    @FunctionalInterface
    interface Attempt {
        void run() throws IOException;
    }

    /** Throws what was kept of a mount at the target; else mounts, and keeps how that fails if nobody waits for it. */
    void orElse(Filesystem filesystem, Path target, Work wanting, Attempt attempt) throws IOException {
        Instant oldest = clock.instant().minus(KEPT);
        Optional<Kept> kept = Optional.ofNullable(unheard.remove(target))
                .filter(it ->
                        it.source().equals(filesystem.source()) && !it.at().isBefore(oldest));
        if (kept.isPresent()) {
            throw new StorageException(
                    kept.get().failure().failure(), kept.get().failure());
        }
        try {
            attempt.run();
        } catch (StorageException failed) {
            if (FinalCodes.isFinal(failed.failure()) && !isHeard(wanting)) {
                unheard.put(target, new Kept(filesystem.source(), failed, clock.instant()));
            }
            throw failed;
        }
    }

    void forget(Path target) {
        unheard.remove(target);
    }

    private static boolean isHeard(Work wanting) {
        try {
            wanting.checkCancelled();
            return true;
        } catch (StorageException _) {
            return false;
        }
    }
}
