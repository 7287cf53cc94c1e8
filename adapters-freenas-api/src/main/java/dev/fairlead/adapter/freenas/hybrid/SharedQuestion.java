package dev.fairlead.adapter.freenas.hybrid;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets one caller ask what several want to know at the same time, and gives its answer to the others. */
final class SharedQuestion<K> {
    private static final Duration LOOK_UP = Duration.ofMillis(200);

    /** Holds the questions that are being asked, each with the failure that it ends with, if any. */
    private final ConcurrentMap<K, CompletableFuture<Optional<Failure>>> asked = new ConcurrentHashMap<>();

    /**
     * Asks the question, or waits for the caller who does so already and ends as that one does. If its work was
     * cancelled or its time was up, that says nothing to others, and one of them asks. Work that has to be finished
     * waits though its own time is up, as it would ask.
     *
     * @param question throws a {@code StorageException} if it fails
     */
    void ask(K about, Runnable question, Work work) {
        boolean answered = false;
        while (!answered) {
            var mine = new CompletableFuture<Optional<Failure>>();
            CompletableFuture<Optional<Failure>> others = asked.putIfAbsent(about, mine);
            answered = others == null ? answer(about, question, mine, work) : isAnswered(others, work);
        }
    }

    private boolean answer(K about, Runnable question, CompletableFuture<Optional<Failure>> mine, Work work) {
        Optional<Failure> failure = Optional.of(new Failure.Cancelled("a question that was not asked"));
        try {
            question.run();
            failure = Optional.empty();
        } catch (StorageException e) {
            if (work.left().isPositive()) {
                failure = Optional.of(e.failure());
            } // otherwise the answer may have come in time for somebody with more of it
            throw e;
        } finally {
            asked.remove(about, mine);
            mine.complete(failure);
        }
        return true;
    }

    /** Waits for an answer, and returns whether it says anything to this caller. */
    private static boolean isAnswered(CompletableFuture<Optional<Failure>> others, Work work) {
        while (true) {
            work.checkCancelled();
            work.checkEnding();
            try {
                Optional<Failure> failure = others.get(LOOK_UP.toMillis(), TimeUnit.MILLISECONDS);
                if (failure.isEmpty()) {
                    return true;
                }
                if (failure.get() instanceof Failure.Cancelled || failure.get() instanceof Failure.TimedOut) {
                    return false;
                }
                throw new StorageException(failure.get());
            } catch (TimeoutException _) {
                // The question has a bound of its own.
            } catch (ExecutionException | CancellationException _) {
                return false;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new StorageException(new Failure.Cancelled(work.what()));
            }
        }
    }
}
