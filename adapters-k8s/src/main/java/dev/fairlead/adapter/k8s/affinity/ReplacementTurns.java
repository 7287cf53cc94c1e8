package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.adapter.k8s.affinity.VolumeReplacement.Turn;
import dev.fairlead.adapter.k8s.api.TimedCalls;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.application.port.work.RetryTimes;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Takes turns at the replacement of one volume until it has ended, or its time is over. */
final class ReplacementTurns {
    /** The code of what the server refuses. */
    static final String REFUSED = "FL-KUBE-002";

    /** The part of a volume's time for which its claim is waited for. */
    private static final int SHARE_OF_WAITING = 10;

    /** The turns that one volume gets in one round; a replacement needs about ten. */
    private static final int MOST_TURNS = 60;

    /** The time for which a replacement is left alone that is refused, after the first time. */
    private static final Duration REST = Duration.ofSeconds(1);

    private static final Duration LONGEST_REST = Duration.ofSeconds(30);

    private static final String STEP = "refuses a step of its replacement";

    private final RetryTimes<ChangeOutcome> stuck = new RetryTimes<>();
    private final VolumeReplacement replacement;
    private final TimedCalls timed;
    private final Backoff backoff;
    private final Duration perVolume;

    /** @param perVolume the time after which a change that is not finished is left for later */
    ReplacementTurns(VolumeReplacement replacement, TimedCalls timed, Backoff backoff, Duration perVolume) {
        this.replacement = replacement;
        this.timed = timed;
        this.backoff = backoff;
        this.perVolume = perVolume;
    }

    /** Returns what came of the last turns if the replacement is to be left alone for now. */
    Optional<ChangeOutcome> resting(String map) {
        return stuck.resting(map, now());
    }

    /** Forgets all replacements but these. */
    void keep(Set<String> maps) {
        stuck.keep(maps);
    }

    /** Says whether a replacement did not get on before. */
    boolean hasFailed(String map) {
        return stuck.hasFailed(map);
    }

    /** Notes that a replacement did not get on; what the server refuses is left alone for longer each time. */
    void rests(String map, ChangeOutcome outcome, boolean refused) {
        stuck.failed(map, outcome, refused ? REST : Duration.ZERO, LONGEST_REST, now());
    }

    /**
     * Takes turns until the replacement has ended, or its time is over.
     *
     * @param patient whether to wait within that time if it does not get on
     */
    ChangeOutcome take(String map, String name, Predicate<String> mayBegin, boolean patient) {
        long waiting = 0;
        int idle = 0;
        Optional<String> refused = Optional.empty();
        ChangeOutcome last = new ChangeOutcome(name, Result.UNFINISHED, "it has only begun");
        for (int turns = 0;
                turns < MOST_TURNS
                        && timed.left().isPositive()
                        && !Thread.currentThread().isInterrupted();
                turns++) {
            try {
                switch (replacement.turn(map, volume -> mayBegin.test(volume.name()))) {
                    case Turn.Ended(ChangeOutcome outcome) -> {
                        return refused.isPresent() && outcome.result() == Result.ABANDONED
                                ? refused(name, STEP, refused.get())
                                : outcome;
                    }
                    case Turn.Change(boolean made, Optional<String> refusal) -> {
                        if (refused.isPresent() && refusal.isPresent()) {
                            return refused(name, STEP, refusal.get());
                        }
                        refused = refused.or(() -> refusal);
                        if (!made) {
                            rest(idle++);
                        }
                    }
                    case Turn.Waits(ChangeOutcome soFar) -> {
                        // A claim that takes longer holds up no other volume: the next round looks again.
                        long now = System.nanoTime();
                        waiting = waiting == 0 ? now : waiting;
                        if (!patient || now - waiting > perVolume.toNanos() / SHARE_OF_WAITING) {
                            return soFar;
                        }
                        last = soFar;
                        rest(idle++);
                    }
                }
            } catch (StorageException e) {
                last = unfinished(name, e);
                if (!patient) {
                    rests(map, last, true);
                    return last;
                }
                rest(idle++);
            }
        }
        return last;
    }

    static ChangeOutcome refused(String volume, String what, String why) {
        return new ChangeOutcome(volume, Result.BLOCKED, REFUSED + " the server " + what + ": " + why);
    }

    private void rest(int attempt) {
        Duration left = timed.left();
        Duration wait = backoff.after(attempt);
        try {
            Backoff.pause(wait.compareTo(left) < 0 ? wait : left);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    static ChangeOutcome unfinished(String volume, StorageException thrown) {
        return new ChangeOutcome(
                volume,
                Result.UNFINISHED,
                thrown.failure().code() + " " + thrown.failure().message());
    }

    private static Duration now() {
        return Duration.ofNanos(System.nanoTime());
    }
}
