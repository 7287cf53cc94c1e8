package dev.fairlead.bootstrap.monitor;

import java.time.Duration;

/**
 * Holds the limits of what callers of the HTTP endpoint may take of this process.
 *
 * @param connections how many are open at once
 * @param headBytes how long the head of a request may be
 * @param request how long a request may take to come in
 * @param answer how long its answer may take, until the caller has it and closes
 */
record HttpLimits(int connections, int headBytes, Duration request, Duration answer) {
    /** kubelet and Prometheus open one connection each, for milliseconds, and send a few hundred bytes. */
    static final HttpLimits USUAL = new HttpLimits(64, 8192, Duration.ofSeconds(5), Duration.ofSeconds(15));
}
