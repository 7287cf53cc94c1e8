package dev.fairlead.adapter.local.pool.kind;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Holds the answer to one question to a disk, for all who want it. It is waited for by the time of {@link DiskQuestion}
 * since it was asked, whoever waits: one who comes later learns sooner that there is none.
 */
public final class SharedAnswer<T> {
    private final DiskQuestion question;
    private final Object key;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private volatile long since = System.nanoTime();

    /** @param key what is asked */
    public SharedAnswer(DiskQuestion question, Object key) {
        this.question = question;
        this.key = key;
    }

    /** Tells that a disk has not answered in time, and is still asked. */
    public static final class SilenceException extends IOException {
        private static final long serialVersionUID = 1L;

        private SilenceException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Asks, once, on a thread of its own. */
    public void ask(Callable<T> what) throws IOException {
        ask(question.most(), what);
    }

    /** @param left how long it is waited for that few enough questions run */
    public void ask(Duration left, Callable<T> what) throws IOException {
        try {
            question.begin(key, left, what, answer);
            since = System.nanoTime(); // not while others were asked
        } catch (IOException | RuntimeException | Error e) {
            answer.completeExceptionally(e); // nothing was asked, which others who wait learn too
            throw e;
        }
    }

    /**
     * Returns the answer.
     *
     * @param left how long it is waited for at most, if that is less
     */
    public T within(Duration left) throws IOException {
        Duration most = question.most().minusNanos(System.nanoTime() - since);
        boolean hurried = left.compareTo(most) < 0;
        try {
            return answer.get(Math.max(0, (hurried ? left : most).toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            if (hurried) { // it may answer yet
                throw new IOException("%s gave no answer in the time of the call".formatted(key), e);
            }
            throw new SilenceException(
                    "%s gave no answer within %d s"
                            .formatted(key, question.most().toSeconds()),
                    e);
        } catch (InterruptedException e) {
            throw interrupted(key, e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IOException("asking %s".formatted(key), e);
            }
        }
    }

    /** Runs an action once the question has been answered, however late. */
    public void afterwards(Runnable action) {
        var _ = answer.whenComplete((_, _) -> action.run());
    }

    static IOException interrupted(Object key, InterruptedException e) {
        Thread.currentThread().interrupt();
        return (IOException) new InterruptedIOException("interrupted while asking %s".formatted(key)).initCause(e);
    }
}
