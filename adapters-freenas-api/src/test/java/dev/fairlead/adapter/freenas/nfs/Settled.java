package dev.fairlead.adapter.freenas.nfs;

import dev.fairlead.adapter.freenas.store.dataset.PendingChanges;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes what remembers changes in a process that has been running for long. */
final class Settled {
    private Settled() {}

    static PendingChanges pending() {
        var begun = new AtomicBoolean();
        Instant now = Instant.now();
        return new PendingChanges(() -> begun.getAndSet(true) ? now : now.minus(Duration.ofHours(1)));
    }
}
