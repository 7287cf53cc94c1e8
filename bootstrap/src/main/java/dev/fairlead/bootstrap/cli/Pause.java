package dev.fairlead.bootstrap.cli;

import java.time.Duration;

/** Lets time go by. */
@FunctionalInterface
interface Pause {
    void of(Duration time) throws InterruptedException;
}
