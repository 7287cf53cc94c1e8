package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Asks one source on a thread of its own, one question at a time. A source that takes long keeps nobody else waiting:
 * its answer counts in a later round.
 */
final class SourceReader {
    private final PlacementSource source;
    private final Runnable answered;
    private final ThreadFactory threads;
    private final AtomicBoolean late = new AtomicBoolean();
    private final Set<String> outdated = new HashSet<>();
    private @Nullable CompletableFuture<Answer> open;
    private Map<String, KnownVolume> asked = Map.of();
    private long askedAt;

    /**
     * @param answered is run when an answer has come that nobody waited for any more
     * @param threads makes the thread of each question
     */
    SourceReader(PlacementSource source, Runnable answered, ThreadFactory threads) {
        this.source = source;
        this.threads = threads;
        this.answered = answered;
    }

    /**
     * Holds an answer.
     *
     * @param asked the volumes as they were when they were asked for, by their names
     * @param readings what the source says of each
     * @param time the time of the round in which they were asked for
     * @param took how long the source has thought
     * @param failed whether the source could not answer, so that all of them are unknown
     */
    record Answer(
            Map<String, KnownVolume> asked,
            Map<String, PlacementReading> readings,
            Duration time,
            Duration took,
            boolean failed) {
        private static final Answer NONE = new Answer(Map.of(), Map.of(), Duration.ZERO, Duration.ZERO, false);

        /** Returns what this says of these volumes, but for those that are not the very ones that were asked for. */
        Map<String, TimedReading> about(List<KnownVolume> volumes) {
            Map<String, TimedReading> about = new HashMap<>();
            for (KnownVolume volume : volumes) {
                String name = volume.placed().name();
                if (isSame(asked.get(name), volume)) {
                    about.put(name, new TimedReading(Objects.requireNonNull(readings.get(name)), time));
                }
            }
            return about;
        }
    }

    private static boolean isSame(@Nullable KnownVolume before, KnownVolume volume) {
        return before != null
                && before.uid().equals(volume.uid())
                && before.placed().equals(volume.placed());
    }

    /** Says whether nothing was asked that has not been answered, and its answer taken. */
    boolean isFree() {
        return open == null;
    }

    /** Says whether the answer to the question at hand will tell of this volume as it is now. */
    boolean isAsking(KnownVolume volume) {
        String name = volume.placed().name();
        return !isFree() && isSame(asked.get(name), volume) && !outdated.contains(name);
    }

    /** Says whether the question at hand was asked before that of another reader. */
    boolean isBefore(SourceReader other) {
        return !isFree() && !other.isFree() && askedAt - other.askedAt < 0;
    }

    /** Leaves these out of the answer to the question at hand: of them something newer is told, or soon will be. */
    void outdate(Set<String> names) {
        if (!isFree()) outdated.addAll(names);
    }

    /** Says whether the source still thinks about an earlier question. */
    boolean isBusy() {
        CompletableFuture<Answer> question = open;
        return question != null && !question.isDone();
    }

    /** Says whether the source has been thinking for longer than this. */
    boolean isSilent(Duration longest) {
        return isBusy() && System.nanoTime() - askedAt > longest.toNanos();
    }

    /**
     * Begins to ask for these volumes; {@link #isFree} has to say that this may be.
     *
     * @param now the time of the round
     */
    void ask(List<KnownVolume> volumes, Duration now) {
        if (volumes.isEmpty()) return;
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long began = System.nanoTime();
        askedAt = began;
        late.set(false);
        outdated.clear();
        Map<String, KnownVolume> byName = new HashMap<>();
        volumes.forEach(volume -> byName.put(volume.placed().name(), volume));
        asked = byName;
        Thread question = threads.newThread(() -> {
            // An error of the machine, too, ends the question: who is never answered is never asked again.
            Said said = new Said(unknown(volumes, "its source " + source.name() + " broke"), true);
            try {
                said = read(volumes);
            } finally {
                answer.complete(new Answer(
                        byName, said.readings(), now, Duration.ofNanos(System.nanoTime() - began), said.failed()));
                if (late.get()) answered.run();
            }
        });
        question.start();
        open = answer; // not before: a thread that cannot be had would be waited for without an end
    }

    /**
     * Returns what the source has answered, if it does in time; nothing otherwise.
     *
     * @param patience how long to wait for it
     * @param cut ends the wait, once it is done
     */
    Answer take(Duration patience, CompletableFuture<Void> cut) {
        CompletableFuture<Answer> question = open;
        if (question == null) return Answer.NONE;
        try {
            var _ = CompletableFuture.anyOf(question, cut).get(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // as if it had been cut
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Answer.NONE;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // reading throws nothing
        }
        if (!question.isDone()) {
            late.set(true);
            if (question.isDone()) answered.run(); // it came before it was noted that it is late
            return Answer.NONE;
        }
        open = null;
        asked = Map.of();
        Answer answer = question.join();
        answer.asked().keySet().removeAll(outdated);
        outdated.clear();
        return answer;
    }

    private static Map<String, PlacementReading> unknown(List<KnownVolume> volumes, String why) {
        PlacementReading unknown = PlacementReading.unknown(why);
        Map<String, PlacementReading> readings = new HashMap<>();
        volumes.forEach(volume -> readings.put(volume.placed().name(), unknown));
        return readings;
    }

    private record Said(Map<String, PlacementReading> readings, boolean failed) {}

    /** Returns a reading for each; if the source cannot answer, all are unknown, and why. */
    private Said read(List<KnownVolume> volumes) {
        String why;
        try {
            Map<String, PlacementReading> said =
                    source.read(volumes.stream().map(KnownVolume::placed).toList());
            Map<String, PlacementReading> readings = unknown(volumes, "the source says nothing of it");
            readings.replaceAll((name, none) -> said.getOrDefault(name, none));
            return new Said(readings, false);
        } catch (StorageException e) {
            why = e.failure().code() + " " + e.failure().message();
        } catch (RuntimeException e) {
            // What one volume says of itself must not stop the changes of all others.
            why = "its source " + source.name() + " broke: " + e.getClass().getSimpleName();
        }
        return new Said(unknown(volumes, why), true);
    }
}
