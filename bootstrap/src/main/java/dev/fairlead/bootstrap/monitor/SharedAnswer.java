package dev.fairlead.bootstrap.monitor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes an answer once for all callers that ask while it is being computed, so that a thousand callers cost no more
 * than one.
 */
final class SharedAnswer {
    private final Supplier<HttpAnswer> finding;
    private final AtomicReference<@Nullable CompletableFuture<HttpAnswer>> running = new AtomicReference<>();

    SharedAnswer(Supplier<HttpAnswer> finding) {
        this.finding = finding;
    }

    HttpAnswer get() {
        var mine = new CompletableFuture<HttpAnswer>();
        CompletableFuture<HttpAnswer> theirs = running.compareAndExchange(null, mine);
        if (theirs != null) {
            return theirs.join();
        }
        try {
            HttpAnswer answer = finding.get();
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
