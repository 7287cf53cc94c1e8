package dev.fairlead.bootstrap.cli;

import java.time.Duration;

/** Waits for a time. */
@FunctionalInterface
interface Pause {
    void of(Duration time) throws InterruptedException;
}
