package dev.fairlead.adapter.local.pool.kind;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the kernel something of a disk, which may never answer, and waits for a time at most. What was asked in vain is
 * asked again only once that has ended, so that a dead disk takes few threads.
 *
 * @param threads makes a platform thread for each question
 * @param most how long an answer is waited for
 * @param vain what is asked in vain now
 */
public record DiskQuestion(ThreadFactory threads, Duration most, Set<Object> vain) {
    public DiskQuestion(ThreadFactory threads, Duration most) {
        this(threads, most, ConcurrentHashMap.newKeySet());
    }

    /**
     * Returns the answer.
     *
     * @param key what is asked, of which nothing else is asked while it does not answer
     */
    public <T> T ask(Object key, Callable<T> question) throws IOException {
        if (vain.contains(key)) {
            throw new IOException("%s still gives no answer".formatted(key));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        threads.newThread(() -> {
                    try {
                        answer.complete(question.call());
                    } catch (Exception | Error e) {
                        answer.completeExceptionally(e);
                    }
                })
                .start();
        try {
            return answer.get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            vain.add(key);
            var _ = answer.whenComplete((_, _) -> vain.remove(key));
            throw new IOException("%s gave no answer within %d s".formatted(key, most.toSeconds()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (IOException) new InterruptedIOException("interrupted while asking %s".formatted(key)).initCause(e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IOException("asking %s".formatted(key), e);
            }
        }
    }
}
