package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumes;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Asks a storage on a thread of its own what another controller has kept there, one question at a time. A storage that
 * is silent keeps the volumes of others waiting for a moment at most: its answer counts in a later round.
 */
public final class SavedVolumeReader {
    /** The patience with a question in the round that asks it: a storage that is well has mostly answered by then. */
    private static final Duration BRIEF = Duration.ofMillis(300);

    private final SavedVolumes saved;
    private final InstantSource monotonic;
    private final ThreadFactory threads;
    private final Runnable answered;
    private final AtomicBoolean late = new AtomicBoolean();
    private @Nullable CompletableFuture<Answer> open;

    /**
     * @param monotonic a clock that never goes back
     * @param threads makes the thread of each question
     * @param answered is run when an answer has come that nobody waited for any more
     */
    public SavedVolumeReader(SavedVolumes saved, InstantSource monotonic, ThreadFactory threads, Runnable answered) {
        this.saved = saved;
        this.monotonic = monotonic;
        this.threads = threads;
        this.answered = answered;
    }

    /**
     * Holds an answer.
     *
     * @param all what is kept; empty if that is not known
     * @param failure why it is not known
     * @param asked when it was asked for: an answer that was long under way tells how things were then
     * @param took how long the storage has thought
     */
    record Answer(Optional<List<SavedVolume>> all, Optional<Failure> failure, Duration asked, Duration took) {}

    SavedVolumes storage() {
        return saved;
    }

    Duration now() {
        return Duration.ofMillis(monotonic.instant().toEpochMilli());
    }

    /** Says whether nothing was asked that has not been answered, and its answer taken. */
    boolean isFree() {
        return open == null;
    }

    /** Begins to ask; {@link #isFree} has to say that this may be. */
    void ask() {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        late.set(false);
        Duration asked = now();
        Thread question = threads.newThread(() -> {
            Optional<List<SavedVolume>> all = Optional.empty();
            // An error of the machine, too, ends the question: who is never answered is never asked again.
            Optional<Failure> failure = Optional.of(broken("an error of the program"));
            try {
                all = Optional.of(List.copyOf(saved.all()));
                failure = Optional.empty();
            } catch (StorageException e) {
                failure = Optional.of(e.failure());
            } catch (RuntimeException e) {
                failure = Optional.of(broken(e.getClass().getSimpleName()));
            } finally {
                answer.complete(new Answer(all, failure, asked, now().minus(asked)));
                if (late.get()) answered.run();
            }
        });
        question.start();
        open = answer; // not before: a thread that cannot be had would be waited for without an end
    }

    private static Failure broken(String detail) {
        return new Failure.NodeFault("reading what another controller has kept", detail);
    }

    /** Returns the answer if it has come already; empty otherwise. */
    Optional<Answer> heard() {
        return take(Duration.ZERO);
    }

    /** Returns the answer if it comes within a moment; empty otherwise. */
    Optional<Answer> briefly() {
        return take(BRIEF);
    }

    private Optional<Answer> take(Duration patience) {
        CompletableFuture<Answer> question = open;
        if (question == null) return Optional.empty();
        try {
            var _ = question.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            late.set(true);
            // It may have come before it was noted that it is late.
            if (!question.isDone()) return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // asking throws nothing
        }
        open = null;
        return Optional.of(question.join());
    }
}
