package dev.fairlead.adapter.local.pool.kind;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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
 * @param running how many questions about each thing run now; guarded by itself
 */
public record DiskQuestion(ThreadFactory threads, Duration most, Set<Object> vain, Map<Object, Integer> running) {
    /** The most questions about one thing that run at once: what is asked while a disk dies takes no more threads. */
    private static final int MOST_OF_ONE = 8;

    /** The most questions of all that run at once. */
    private static final int MOST_OF_ALL = 256;

    public DiskQuestion(ThreadFactory threads, Duration most) {
        this(threads, most, ConcurrentHashMap.newKeySet(), new HashMap<>());
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
        try {
            begin(key);
            start(key, () -> {
                try {
                    answer.complete(question.call());
                } catch (Exception | Error e) {
                    answer.completeExceptionally(e);
                } finally {
                    end(key);
                }
            });
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

    private void start(Object key, Runnable question) {
        boolean started = false;
        try {
            threads.newThread(question).start();
            started = true;
        } finally {
            if (!started) { // no thread could be had
                end(key);
            }
        }
    }

    /** Waits until few enough questions run. */
    private void begin(Object key) throws IOException, InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        synchronized (running) {
            while (running.getOrDefault(key, 0) >= MOST_OF_ONE || running.size() >= MOST_OF_ALL) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new IOException("%s was not asked within %d s: too much is asked that gets no answer"
                            .formatted(key, most.toSeconds()));
                }
                running.wait(left);
            }
            running.merge(key, 1, Integer::sum);
        }
    }

    private void end(Object key) {
        synchronized (running) {
            running.computeIfPresent(key, (_, count) -> count > 1 ? count - 1 : null);
            running.notifyAll();
        }
    }
}
