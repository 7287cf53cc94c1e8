package dev.fairlead.adapter.node.block;

import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import java.time.Duration;

/**
 * Goes on for a call that has ended: nobody waits for it, so it is not cancelled, and each attempt has a time of its
 * own.
 */
record RetryWork(Work work, Duration attempt) implements ForwardingWork {
    static RetryWork of(Work work, Duration attempt) {
        return work instanceof RetryWork again ? again : new RetryWork(work.finishing(), attempt);
    }

    @Override
    public Duration left() {
        return attempt;
    }

    @Override
    public Work finishing() {
        return this;
    }
}
