package dev.fairlead.bootstrap.monitor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes an answer once for all callers that ask while it is being computed, so that a thousand callers cost no more
 * than one.
 */
final class SharedMonitorAnswer {
    private final Supplier<MonitorAnswer> finding;
    private final AtomicReference<@Nullable CompletableFuture<MonitorAnswer>> running = new AtomicReference<>();

    SharedMonitorAnswer(Supplier<MonitorAnswer> finding) {
        this.finding = finding;
    }

    MonitorAnswer get() {
        var mine = new CompletableFuture<MonitorAnswer>();
        CompletableFuture<MonitorAnswer> theirs = running.compareAndExchange(null, mine);
        if (theirs != null) {
            return theirs.join();
        }
        try {
            MonitorAnswer answer = finding.get();
            mine.complete(answer);
            return answer;
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            running.set(null);
        }
    }
}
