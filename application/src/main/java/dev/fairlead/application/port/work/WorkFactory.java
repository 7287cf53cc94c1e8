package dev.fairlead.application.port.work;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Makes the work of a call. */
@FunctionalInterface
public interface WorkFactory {
    /**
     * @param requestId for the logs
     * @param what the RPC and its subject, in words that a second caller may read
     * @param patience the time until the caller gives up; empty if it did not say
     * @param cancelled whether the caller has gone
     */
    Work begin(String requestId, String what, Optional<Duration> patience, BooleanSupplier cancelled);
}
