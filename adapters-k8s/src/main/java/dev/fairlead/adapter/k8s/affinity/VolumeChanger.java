package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Reading;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.adapter.k8s.api.TimedCalls;
import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.application.port.work.Backoff;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Changes PersistentVolumes. Their affinity is changed by the gentlest way that the server allows: set where none is
 * set, changed in the object that is there, or by a new object in its place. What else cannot be changed, such as their
 * CSI source, a rule says, and it takes a new object.
 */
public final class VolumeChanger implements AffinityChanger {
    private final IntentStore intents;
    private final VolumeCalls volumes;
    private final ReplacementTurns turns;
    private final TimedCalls timed;

    /**
     * @param namespace the namespace of the ConfigMaps in which intents are kept
     * @param drivers says of which CSI drivers volumes are changed
     * @param patience the patience with one call
     * @param perVolume the time after which a change that is not finished is left for later
     * @param listener is told how long volumes are away, and of claims that are Lost
     */
    public VolumeChanger(
            ApiCalls api,
            String namespace,
            Predicate<String> drivers,
            Duration patience,
            Duration perVolume,
            Backoff backoff,
            ReplacementListener listener) {
        this(
                new TimedCalls(api, perVolume),
                timed -> new IntentStore(timed, namespace, patience),
                patience,
                perVolume,
                intent -> intent.becomes().isEmpty()
                        && !intent.original().driver().isEmpty()
                        && drivers.test(intent.original().driver())
                        && !intent.original().handle().isEmpty(),
                backoff,
                listener);
    }

    private VolumeChanger(
            TimedCalls timed,
            Function<TimedCalls, IntentStore> intents,
            Duration patience,
            Duration perVolume,
            Predicate<ReplacementIntent> ours,
            Backoff backoff,
            ReplacementListener listener) {
        this.timed = timed;
        this.intents = intents.apply(timed);
        this.volumes = new VolumeCalls(timed, patience);
        this.turns = new ReplacementTurns(
                new VolumeReplacement(this.intents, volumes, ours, listener), timed, backoff, perVolume);
    }

    /**
     * Returns one that replaces volumes by what a rule makes of them, in the same steps.
     *
     * @param rule returns the {@code spec} and {@code annotations} that a PersistentVolume is to get; empty if it is
     *     not to be changed. What an intent asks for has to be the same.
     */
    public static VolumeChanger byRule(
            ApiCalls api,
            String namespace,
            Function<JsonObject, Optional<JsonObject>> rule,
            Duration patience,
            Duration perVolume,
            Backoff backoff) {
        return new VolumeChanger(
                new TimedCalls(api, perVolume),
                timed -> new IntentStore(timed, namespace, patience, ReplacementIntent.SOURCE_LABEL),
                patience,
                perVolume,
                intent -> intent.becomes().isPresent()
                        && intent.becomes().equals(rule.apply(intent.original().raw())),
                backoff,
                ReplacementListener.NONE);
    }

    /**
     * Replaces a volume by what the rule makes of it.
     *
     * @param uid the object that was planned for; another one of the same name is left alone
     */
    public ChangeOutcome replace(String name, String uid, Function<JsonObject, Optional<JsonObject>> rule) {
        timed.begin();
        try {
            Optional<VolumeObject> read =
                    volumes.read(name).filter(volume -> volume.uid().equals(uid));
            Optional<JsonObject> becomes = read.flatMap(volume -> rule.apply(volume.raw()));
            boolean free = read.filter(volume -> volume.isBound()
                            && !volume.isBeingDeleted()
                            && !volume.annotations().containsKey(ReplacementMark.INTENT))
                    .isPresent();
            return free && becomes.isPresent()
                    ? begun(read.get(), ReplacementIntent.of(read.get(), becomes.get()), _ -> true)
                    : new ChangeOutcome(
                            name, Result.ABANDONED, AffinityFinding.CHANGED_MEANWHILE, "it was changed meanwhile");
        } catch (StorageException e) {
            return ReplacementTurns.unfinished(name, e);
        } finally {
            timed.over();
        }
    }

    @Override
    public ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin) {
        timed.begin();
        try {
            return changed(change, mayBegin);
        } catch (StorageException e) {
            return ReplacementTurns.unfinished(change.volume(), e);
        } finally {
            timed.over();
        }
    }

    @Override
    public List<ChangeOutcome> resume(BooleanSupplier goOn) {
        List<ChangeOutcome> outcomes = new ArrayList<>();
        List<Reading> all = intents.all();
        turns.keep(all.stream().map(Reading::map).collect(Collectors.toSet()));
        for (Reading reading : all) {
            if (!goOn.getAsBoolean()) {
                break;
            }
            outcomes.add(
                    switch (reading) {
                        case Reading.Known(ReplacementIntent intent) -> resumed(intent);
                        case Reading.Unknown unknown -> VolumeReplacement.blocked(unknown);
                    });
        }
        return outcomes;
    }

    /**
     * Goes on with a replacement that was begun. What is not deleted yet is withdrawn: only a plan of now says whether
     * it may go on. One that did not get on before is not waited for any more, and what the server refuses is tried
     * less and less often, so that it keeps nobody else waiting.
     */
    private ChangeOutcome resumed(ReplacementIntent intent) {
        Optional<ChangeOutcome> resting = turns.resting(intent.map());
        if (resting.isPresent()) {
            return resting.get();
        }
        boolean patient = !turns.hasFailed(intent.map());
        timed.begin();
        try {
            ChangeOutcome outcome = turns.take(intent.map(), intent.original().name(), _ -> false, patient);
            boolean refused = outcome.result() == Result.BLOCKED;
            if (patient || refused) {
                turns.rests(intent.map(), outcome, refused);
            }
            return outcome;
        } finally {
            timed.over();
        }
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
                            .map(volume -> new ChangeOutcome(
                                    name,
                                    Result.BLOCKED,
                                    AffinityFinding.UNUSABLE_INTENT,
                                    ReplacementMark.cure(volume)))
                            .ifPresent(outcomes::add);
                }
            } catch (StorageException e) {
                outcomes.add(ReplacementTurns.unfinished(name, e));
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
            return abandoned(change, AffinityFinding.CHANGED_MEANWHILE, other.orElse(""));
        }
        VolumeObject volume = read.get();
        if (volume.annotations().containsKey(ReplacementMark.INTENT)) {
            return abandoned(change, AffinityFinding.ANOTHER_AT_WORK, "it is being replaced already");
        }
        if (!volume.isBound()) {
            return abandoned(change, AffinityFinding.CHANGED_MEANWHILE, "it is not bound to a claim any more");
        }
        VolumeCalls.Effect trial = volume.affinity().isUnset()
                ? new VolumeCalls.Effect(true, Optional.empty())
                : volumes.trial(volume, change.to());
        if (trial.refusal().isPresent()) {
            return ReplacementTurns.refused(
                    change.volume(), "would refuse its change", trial.refusal().get());
        }
        if (trial.done()) {
            Optional<String> refusal = volumes.change(
                            volume, VolumeSteps.on(volume).affinity(change.to()).all())
                    .refusal();
            if (refusal.isPresent()) {
                return ReplacementTurns.refused(change.volume(), "refuses its change", refusal.get());
            }
            boolean done = volumes.read(change.volume())
                    .filter(now ->
                            now.uid().equals(change.uid()) && now.affinity().equals(change.to()))
                    .isPresent();
            return done
                    ? new ChangeOutcome(change.volume(), Result.IN_PLACE, "changed in place")
                    : abandoned(change, AffinityFinding.CHANGED_MEANWHILE, "it was changed meanwhile");
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
            return abandoned(change, AffinityFinding.CHANGED_MEANWHILE, "it was changed meanwhile");
        }
        return begun(seen, ReplacementIntent.of(seen, change.to()), mayBegin);
    }

    private ChangeOutcome begun(VolumeObject seen, ReplacementIntent intent, Predicate<String> mayBegin) {
        Optional<String> refusal =
                volumes.refusal(intent.replacement(), seen.name()).or(() -> volumes.refusalOfDeletion(seen));
        if (refusal.isPresent()) {
            return ReplacementTurns.refused(seen.name(), "would refuse its replacement", refusal.get());
        }
        return switch (intents.write(intent)) {
            case WRITTEN, THERE_ALREADY -> turns.take(intent.map(), seen.name(), mayBegin, true);
            case TOO_LONG ->
                new ChangeOutcome(
                        seen.name(),
                        Result.BLOCKED,
                        AffinityFinding.UNREADABLE,
                        "its annotations and labels are too long to be kept in an intent (90000 characters at most)");
        };
    }

    private static ChangeOutcome abandoned(AffinityChange change, AffinityFinding finding, String why) {
        return new ChangeOutcome(change.volume(), Result.ABANDONED, finding, why);
    }
}
