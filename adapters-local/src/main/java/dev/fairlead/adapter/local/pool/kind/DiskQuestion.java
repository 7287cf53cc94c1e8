package dev.fairlead.adapter.local.pool.kind;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

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
        return ask(key, most, question);
    }

    /**
     * Returns the answer.
     *
     * @param left the time of who asks, after which nothing is known of the disk yet
     */
    public <T> T ask(Object key, Duration left, Callable<T> question) throws IOException {
        if (vain.contains(key)) {
            throw new IOException("%s still gives no answer".formatted(key));
        }
        SharedAnswer<T> answer = new SharedAnswer<>(this, key);
        answer.ask(left.compareTo(most) < 0 ? left : most, question);
        try {
            return answer.within(left);
        } catch (SharedAnswer.SilenceException e) {
            vain.add(key);
            answer.afterwards(() -> vain.remove(key));
            throw e;
        }
    }

    /** Begins to ask; waits until few enough questions run. */
    <T> void begin(Object key, Duration left, Callable<T> question, CompletableFuture<T> answer) throws IOException {
        await(key, left);
        start(key, () -> {
            try {
                answer.complete(question.call());
            } catch (Exception | Error e) {
                answer.completeExceptionally(e);
            } finally {
                end(key);
            }
        });
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

    private void await(Object key, Duration most) throws IOException {
        long end = System.nanoTime() + most.toNanos();
        synchronized (running) {
            while (running.getOrDefault(key, 0) >= MOST_OF_ONE || running.size() >= MOST_OF_ALL) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new IOException("%s was not asked within %d s: too much is asked that gets no answer"
                            .formatted(key, most.toSeconds()));
                }
                try {
                    running.wait(left);
                } catch (InterruptedException e) {
                    throw SharedAnswer.interrupted(key, e);
                }
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
