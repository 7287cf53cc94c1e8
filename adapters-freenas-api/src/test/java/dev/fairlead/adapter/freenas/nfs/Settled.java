package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.adapter.freenas.late.LateCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes what remembers changes in a process that has been running for long. */
final class Settled {
    private Settled() {}

    static LateCalls pending() {
        var begun = new AtomicBoolean();
        Instant now = Instant.now();
        var pending = new LateCalls(() -> begun.get() ? now : now.minus(Duration.ofHours(1)));
        boolean _ = pending.mayChange(new LateCalls.ChangeTarget("", "")); // which it begins with
        begun.set(true);
        return pending;
    }
}
