package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;

/**
 * Asks one source for all of its volumes by one reader, and beside that for a few by another: over thousands of volumes
 * a look takes seconds, and what a hint names need not wait for its end. What was asked for later is what counts: a
 * look tells nothing of a volume that is asked for while it is under way.
 */
final class SourceReaders {
    private final SourceReader look;
    private final SourceReader few;
    private final Duration longestRest;
    private Duration rested = Duration.ZERO;

    /** The time of looks that tell something: that of the last one, or longer if those before it took longer. */
    private Duration usual = Duration.ZERO;

    private boolean lookBegun;
    private boolean fewBegun;
    private boolean putOff;

    /**
     * @param longestRest the longest time between the end of a look and the next that is not due by itself
     * @param answered is run when an answer has come that nobody waited for any more
     */
    SourceReaders(PlacementSource source, Duration longestRest, Runnable answered, ThreadFactory threads) {
        this.longestRest = longestRest;
        this.look = new SourceReader(source, answered, threads);
        this.few = new SourceReader(source, answered, threads);
    }

    /** Returns what has been answered since the last round. */
    Map<String, TimedReading> heard(List<KnownVolume> volumes, Duration now) {
        lookBegun = false;
        fewBegun = false;
        putOff = false;
        return taken(volumes, now, Duration.ZERO, Duration.ZERO, new CompletableFuture<>());
    }

    /**
     * Begins to ask for all, unless a look is under way, or the storage rests from one.
     *
     * @param due whether the time for the next look has come, so that the storage does not rest
     */
    boolean look(List<KnownVolume> volumes, boolean due, Duration now) {
        if (!look.isFree()) return false;
        if (!due && now.compareTo(rested) < 0) {
            putOff = true;
            return false;
        }
        look.ask(volumes, now);
        lookBegun = true;
        return true;
    }

    /** Begins to ask for a few, unless some are asked for already. */
    boolean ask(List<KnownVolume> volumes, Duration now) {
        if (!few.isFree()) return false;
        look.outdate(volumes.stream().map(volume -> volume.placed().name()).collect(Collectors.toUnmodifiableSet()));
        few.ask(volumes, now);
        fewBegun = true;
        return true;
    }

    /** Says whether the look under way will tell of this volume. */
    boolean isLookingAt(KnownVolume volume) {
        return look.isAsking(volume);
    }

    boolean hasAskedForFew() {
        return fewBegun;
    }

    /** Waits for what was asked for in this round, and returns what is answered; a look is waited for until the cut. */
    Map<String, TimedReading> answers(
            List<KnownVolume> volumes, Duration now, Duration forFew, Duration forLook, CompletableFuture<Void> cut) {
        // Who was waited for in an earlier round is not waited for again.
        return taken(volumes, now, fewBegun ? forFew : Duration.ZERO, lookBegun ? forLook : Duration.ZERO, cut);
    }

    private Map<String, TimedReading> taken(
            List<KnownVolume> volumes, Duration now, Duration forFew, Duration forLook, CompletableFuture<Void> cut) {
        boolean fewFirst = few.isBefore(look);
        SourceReader.Answer ofFew = few.take(forFew, new CompletableFuture<>());
        SourceReader.Answer ofAll = look.take(forLook, cut);
        if (!ofAll.asked().isEmpty()) {
            rested = now.plus(ofAll.took().compareTo(longestRest) < 0 ? ofAll.took() : longestRest);
            if (!ofAll.failed()) usual = usual(ofAll.took());
            if (fewFirst) few.outdate(ofAll.asked().keySet());
        }
        Map<String, TimedReading> readings = new HashMap<>((fewFirst ? ofFew : ofAll).about(volumes));
        readings.putAll((fewFirst ? ofAll : ofFew).about(volumes));
        return readings;
    }

    /** Returns when a look that was put off in this round may begin; empty if none was. */
    Optional<Duration> next() {
        return Optional.of(rested).filter(_ -> putOff);
    }

    private Duration usual(Duration took) {
        Duration mean = usual.plus(took).dividedBy(2);
        return took.compareTo(mean) < 0 ? mean : took;
    }

    /**
     * Says whether a look has been under way for longer than this, and for more than twice as long as looks take: a
     * storage that is slow is not silent.
     */
    boolean isSilent(Duration longest) {
        Duration twice = usual.multipliedBy(2);
        return look.isSilent(twice.compareTo(longest) < 0 ? longest : twice);
    }
}
