package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Reading;
import dev.fairlead.adapter.k8s.affinity.VolumeReplacement.Turn;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Changes the affinity of PersistentVolumes by the gentlest way that the server allows: set where none is set, changed
 * in the object that is there, or by a new object in its place.
 */
public final class AffinityWriter implements AffinityChanger {
    /** The part of a volume's time for which its claim is waited for. */
    private static final int SHARE_OF_WAITING = 10;

    /** The turns that one volume gets in one round; a replacement needs about ten. */
    private static final int MOST_TURNS = 60;

    private final IntentStore intents;
    private final VolumeCalls volumes;
    private final VolumeReplacement replacement;
    private final Backoff backoff;
    private final Duration perVolume;

    /**
     * @param namespace the namespace of the ConfigMaps in which intents are kept
     * @param drivers says of which CSI drivers volumes are changed
     * @param patience the patience with one call
     * @param perVolume the time after which a change that is not finished is left for later
     */
    public AffinityWriter(
            ApiCalls api,
            String namespace,
            Predicate<String> drivers,
            Duration patience,
            Duration perVolume,
            Backoff backoff) {
        this.intents = new IntentStore(api, namespace, patience);
        this.volumes = new VolumeCalls(api, patience);
        this.replacement = new VolumeReplacement(intents, volumes, drivers);
        this.backoff = backoff;
        this.perVolume = perVolume;
    }

    @Override
    public ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin) {
        try {
            return changed(change, mayBegin);
        } catch (StorageException e) {
            return unfinished(change.volume(), e);
        }
    }

    @Override
    public List<ChangeOutcome> resume(BooleanSupplier goOn) {
        List<ChangeOutcome> outcomes = new ArrayList<>();
        for (Reading reading : intents.all()) {
            if (!goOn.getAsBoolean()) {
                break;
            }
            outcomes.add(
                    switch (reading) {
                        case Reading.Known(ReplacementIntent intent) ->
                            // What is not deleted yet is withdrawn: only a plan of now says whether it may go on.
                            driven(intent.map(), intent.original().name(), _ -> false);
                        case Reading.Unknown unknown -> VolumeReplacement.blocked(unknown);
                    });
        }
        return outcomes;
    }

    @Override
    public List<ChangeOutcome> strays(List<KnownVolume> all) {
        List<ChangeOutcome> outcomes = new ArrayList<>();
        for (KnownVolume one : all) {
            Optional<String> map =
                    Optional.ofNullable(one.placed().annotations().get(ReplacementMark.INTENT));
            String name = one.placed().name();
            try {
                if (map.isPresent() && isStray(name, map.get())) {
                    volumes.read(name)
                            .filter(volume ->
                                    map.get().equals(volume.annotations().get(ReplacementMark.INTENT)))
                            .map(volume -> new ChangeOutcome(name, Result.BLOCKED, ReplacementMark.cure(volume)))
                            .ifPresent(outcomes::add);
                }
            } catch (StorageException e) {
                outcomes.add(unfinished(name, e));
            }
        }
        return outcomes;
    }

    /** Says whether the ConfigMap of a mark is not there; the mark was put by others if it is not of this volume. */
    private boolean isStray(String volume, String map) {
        return !map.equals(ReplacementIntent.mapName(volume))
                || intents.read(map).isEmpty();
    }

    private ChangeOutcome changed(AffinityChange change, Predicate<String> mayBegin) {
        Optional<VolumeObject> read = volumes.read(change.volume());
        Optional<String> other = read.map(volume -> difference(volume, change)).orElse(Optional.of("it is gone"));
        if (read.isEmpty() || other.isPresent()) {
            return new ChangeOutcome(change.volume(), Result.ABANDONED, other.orElse(""));
        }
        VolumeObject volume = read.get();
        if (!VolumeReplacement.isBound(volume)) {
            return new ChangeOutcome(change.volume(), Result.ABANDONED, "it is not bound to a claim any more");
        }
        if (volume.affinity().isUnset() || volumes.wouldChange(volume, change.to())) {
            volumes.change(volume, VolumeSteps.on(volume).affinity(change.to()).all());
            boolean done = volumes.read(change.volume())
                    .filter(now ->
                            now.uid().equals(change.uid()) && now.affinity().equals(change.to()))
                    .isPresent();
            return done
                    ? new ChangeOutcome(change.volume(), Result.IN_PLACE, "changed in place")
                    : new ChangeOutcome(change.volume(), Result.ABANDONED, "it was changed meanwhile");
        }
        return replaced(volume, change, mayBegin);
    }

    /** Returns what is no longer as the plan saw it. */
    private static Optional<String> difference(VolumeObject volume, AffinityChange change) {
        if (!volume.uid().equals(change.uid())) {
            return Optional.of("another PersistentVolume has its name");
        }
        if (volume.isBeingDeleted()) {
            return Optional.of("its deletion has begun");
        }
        if (volume.annotations().containsKey(ReplacementMark.INTENT)) {
            return Optional.of("it is being replaced already");
        }
        return volume.affinity().equals(change.from())
                ? Optional.empty()
                : Optional.of("its affinity was changed meanwhile");
    }

    private ChangeOutcome replaced(VolumeObject seen, AffinityChange change, Predicate<String> mayBegin) {
        Optional<VolumeObject> now = volumes.read(change.volume());
        boolean same = now.filter(volume ->
                        volume.uid().equals(seen.uid()) && volume.version().equals(seen.version()))
                .isPresent();
        if (!same) {
            return new ChangeOutcome(change.volume(), Result.ABANDONED, "it was changed meanwhile");
        }
        ReplacementIntent intent = ReplacementIntent.of(seen, change.to());
        Optional<String> refusal =
                volumes.refusal(intent.replacement(), seen.name()).or(() -> volumes.refusalOfDeletion(seen));
        if (refusal.isPresent()) {
            return new ChangeOutcome(
                    change.volume(), Result.BLOCKED, "the server would refuse its replacement: " + refusal.get());
        }
        return switch (intents.write(intent)) {
            case WRITTEN, THERE_ALREADY -> driven(intent.map(), change.volume(), mayBegin);
            case TOO_LONG ->
                new ChangeOutcome(
                        change.volume(),
                        Result.BLOCKED,
                        "its annotations and labels are too long to be kept in an intent (90000 characters at most)");
        };
    }

    /** Takes turns until the replacement has ended, or its time is over. */
    private ChangeOutcome driven(String map, String name, Predicate<String> mayBegin) {
        long end = System.nanoTime() + perVolume.toNanos();
        long waiting = 0;
        int idle = 0;
        Optional<String> refused = Optional.empty();
        ChangeOutcome last = new ChangeOutcome(name, Result.UNFINISHED, "it has only begun");
        for (int turns = 0;
                turns < MOST_TURNS
                        && System.nanoTime() < end
                        && !Thread.currentThread().isInterrupted();
                turns++) {
            try {
                switch (replacement.turn(map, volume -> mayBegin.test(volume.name()))) {
                    case Turn.Ended(ChangeOutcome outcome) -> {
                        return refused.isPresent() && outcome.result() == Result.ABANDONED
                                ? refused(name, refused.get())
                                : outcome;
                    }
                    case Turn.Change(boolean made, Optional<String> refusal) -> {
                        if (refused.isPresent() && refusal.isPresent()) {
                            return refused(name, refusal.get());
                        }
                        refused = refused.or(() -> refusal);
                        if (!made) {
                            rest(idle++, end);
                        }
                    }
                    case Turn.Waits(ChangeOutcome soFar) -> {
                        // A claim that takes longer holds up no other volume: the next round looks again.
                        long now = System.nanoTime();
                        waiting = waiting == 0 ? now : waiting;
                        if (now - waiting > perVolume.toNanos() / SHARE_OF_WAITING) {
                            return soFar;
                        }
                        last = soFar;
                        rest(idle++, end);
                    }
                }
            } catch (StorageException e) {
                last = unfinished(name, e);
                rest(idle++, end);
            }
        }
        return last;
    }

    private static ChangeOutcome refused(String volume, String why) {
        return new ChangeOutcome(volume, Result.BLOCKED, "the server refuses a step of its replacement: " + why);
    }

    private void rest(int attempt, long end) {
        Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
        Duration wait = backoff.after(attempt);
        try {
            Backoff.pause(wait.compareTo(left) < 0 ? wait : left);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static ChangeOutcome unfinished(String volume, StorageException thrown) {
        return new ChangeOutcome(
                volume,
                Result.UNFINISHED,
                thrown.failure().code() + " " + thrown.failure().message());
    }
}
