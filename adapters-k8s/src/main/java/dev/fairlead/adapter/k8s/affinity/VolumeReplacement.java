package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Reading;
import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Stage;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.ReplacementListener;
import dev.fairlead.domain.affinity.AffinityFinding;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Replaces a PersistentVolume by a new one of the same name, one step at a time.
 *
 * <p>Each turn reads the intent and the PersistentVolume, and makes the one change that follows from the two; it trusts
 * no answer to an earlier change. So it may be cut anywhere, and whoever leads next goes on. What the new object
 * becomes follows from the intent alone.
 *
 * <p>The order: the object is marked and retained; the intent notes that it will be deleted; it is deleted, and its
 * finalizers are taken away; the new one is created, marked and retained; once its claim is bound, mark and retention
 * go; the intent goes last. The storage is therefore retained whenever a claim may be deleted unseen.
 */
final class VolumeReplacement {
    private static final String KEPT = "its claim was deleted meanwhile; the volume is kept (policy Retain)";

    private static final String CHANGED = "it was changed meanwhile, or its replacement was withdrawn";

    private final IntentStore intents;
    private final VolumeCalls volumes;
    private final Predicate<ReplacementIntent> ours;
    private final AbsentVolumes absent;

    /** @param ours says which intents may be followed; whoever writes ConfigMaps could ask for anything otherwise */
    VolumeReplacement(
            IntentStore intents, VolumeCalls volumes, Predicate<ReplacementIntent> ours, ReplacementListener listener) {
        this.intents = intents;
        this.volumes = volumes;
        this.ours = ours;
        this.absent = new AbsentVolumes(listener);
    }

    /** Says what one turn came to. */
    sealed interface Turn {
        record Ended(ChangeOutcome outcome) implements Turn {}

        /**
         * A change was tried; the next turn sees what came of it.
         *
         * @param made whether the server took it
         * @param refusal why the server refuses it; empty if it does not
         */
        record Change(boolean made, Optional<String> refusal) implements Turn {}

        /** Something else has to happen first. */
        record Waits(ChangeOutcome soFar) implements Turn {}
    }

    /** @param mayBegin says whether an object that is not deleted yet may be replaced now */
    Turn turn(String map, Predicate<VolumeObject> mayBegin) {
        Optional<Reading> read = intents.read(map);
        return switch (read.orElse(new Reading.Unknown(map, map, "it is gone"))) {
            case Reading.Unknown unknown when read.isPresent() -> new Turn.Ended(blocked(unknown));
            case Reading.Unknown unknown ->
                new Turn.Ended(new ChangeOutcome(
                        unknown.volume(),
                        Result.ABANDONED,
                        AffinityFinding.ANOTHER_AT_WORK,
                        "the intent is gone; another has ended it"));
            case Reading.Known(ReplacementIntent intent) ->
                ours.test(intent) && intent.original().claim().isPresent()
                        ? turn(intent, mayBegin)
                        : blocked(
                                intent,
                                AffinityFinding.UNUSABLE_INTENT,
                                "the ConfigMap " + intent.map()
                                        + " is about no bound volume that this process looks after, or asks for what it"
                                        + " does not do");
        };
    }

    static ChangeOutcome blocked(Reading.Unknown intent) {
        return new ChangeOutcome(
                intent.volume(),
                Result.BLOCKED,
                AffinityFinding.UNUSABLE_INTENT,
                "the ConfigMap " + intent.map() + " cannot be used: " + intent.why());
    }

    private Turn turn(ReplacementIntent intent, Predicate<VolumeObject> mayBegin) {
        Optional<VolumeObject> live = volumes.read(intent.original().name());
        if (live.isEmpty()) {
            return absent(intent);
        }
        VolumeObject volume = live.get();
        if (!volume.uid().equals(intent.original().uid())) {
            return intent.stage() == Stage.DELETING && intent.isSuccessor(volume)
                    ? successor(intent, volume)
                    : blocked(
                            intent,
                            AffinityFinding.UNUSABLE_INTENT,
                            "another PersistentVolume, of uid " + volume.uid() + ", has its name");
        }
        boolean marked = ReplacementMark.isOn(volume, intent);
        if (volume.isBeingDeleted() && (marked || intent.stage() == Stage.PREPARED)) {
            return marked ? terminating(intent, volume) : abandoned(intent, "somebody is deleting it");
        }
        return marked ? protectedOne(intent, volume, mayBegin) : untouched(intent, volume, mayBegin);
    }

    private Turn absent(ReplacementIntent intent) {
        if (intent.stage() == Stage.PREPARED) {
            boolean needed = intent.original()
                    .claim()
                    .filter(claim -> volumes.read(claim) != VolumeCalls.Claim.GONE)
                    .isPresent();
            return needed
                    ? blocked(
                            intent,
                            AffinityFinding.CHANGED_MEANWHILE,
                            "it is gone, and its claim is still there; the ConfigMap " + intent.map()
                                    + " has the object in data.original")
                    : abandoned(intent, "somebody deleted it before Fairlead did anything");
        }
        absent.away(intent.original().name(), System.nanoTime());
        created(intent);
        return changed(true);
    }

    private Turn untouched(ReplacementIntent intent, VolumeObject volume, Predicate<VolumeObject> mayBegin) {
        if (intent.stage() == Stage.DELETING) {
            if (isClaimGone(volume) && volume.policy().equals(ReplacementMark.RETAIN)) {
                return ended(intent, Result.RETAINED, KEPT);
            }
            boolean asBefore = !volume.isBeingDeleted()
                    && volume.policy().equals(intent.original().policy());
            return asBefore
                    ? changed(intents.note(intent.prepared()))
                    : blocked(
                            intent,
                            AffinityFinding.CHANGED_MEANWHILE,
                            "somebody took the mark of its replacement away");
        }
        if (volume.annotations().containsKey(ReplacementMark.WITHDRAWN)) {
            return changed(volumes.change(
                    volume,
                    VolumeSteps.on(volume)
                            .withoutAnnotation(ReplacementMark.WITHDRAWN)
                            .all()));
        }
        if (!volume.version().equals(intent.original().version())) {
            boolean kept = !volume.policy().equals(intent.original().policy()) && isClaimGone(volume);
            return kept ? ended(intent, Result.RETAINED, KEPT) : abandoned(intent, CHANGED);
        }
        boolean goesOn = volume.isBound() && mayBegin.test(volume) && !isClaimGone(volume);
        // A change that a dead predecessor sent may still be on its way, and would find the version that it names: to
        // withdraw the intent, that version is taken away by a write that means nothing.
        return changed(goesOn ? volumes.change(volume, ReplacementMark.put(volume, intent)) : withdraw(intent, volume));
    }

    private Turn protectedOne(ReplacementIntent intent, VolumeObject volume, Predicate<VolumeObject> mayBegin) {
        if (isClaimGone(volume)) {
            volumes.change(volume, ReplacementMark.remove(volume, intent, true));
            return retained(intent, volume.name());
        }
        boolean goesOn = !volume.annotations().containsKey(ReplacementMark.WITHDRAWN)
                && !ReplacementMark.isChangedByOthers(volume, intent)
                && volume.isBound()
                && mayBegin.test(volume);
        if (!goesOn) {
            return givenUp(intent, volume);
        }
        if (!volume.version().equals(intent.deletes())) {
            return changed(intents.note(intent.deleting(volume.version())));
        }
        VolumeCalls.Effect deletion = volumes.delete(volume);
        if (deletion.refusal().isPresent()) {
            withdraw(intent, volume);
        }
        return changed(deletion);
    }

    /**
     * Takes back, one per turn, what was done to a volume that is still there: the step that was noted, then the mark.
     */
    private Turn givenUp(ReplacementIntent intent, VolumeObject volume) {
        if (intent.stage() == Stage.PREPARED) {
            return changed(volumes.change(volume, ReplacementMark.remove(volume, intent, false)));
        }
        // As for the mark: a deletion that is on its way would find the version that it names.
        return volume.version().equals(intent.deletes())
                ? changed(withdraw(intent, volume))
                : changed(intents.note(intent.prepared()));
    }

    private VolumeCalls.Effect withdraw(ReplacementIntent intent, VolumeObject volume) {
        return volumes.change(
                volume,
                VolumeSteps.on(volume)
                        .annotate(ReplacementMark.WITHDRAWN, intent.map())
                        .all());
    }

    private Turn terminating(ReplacementIntent intent, VolumeObject volume) {
        if (intent.stage() == Stage.PREPARED) {
            // Somebody deletes what Fairlead has only marked: that deletion gets its reclaim policy back.
            return changed(volumes.change(volume, ReplacementMark.remove(volume, intent, false)));
        }
        if (ReplacementMark.isContentChanged(volume, intent)) {
            return blocked(
                    intent,
                    AffinityFinding.CHANGED_MEANWHILE,
                    "it was changed after its deletion had begun, and the ConfigMap " + intent.map()
                            + " would bring back what it was before");
        }
        long before = System.nanoTime();
        VolumeCalls.Effect freed = volumes.change(
                volume, VolumeSteps.on(volume).withoutFinalizers().all());
        if (freed.done()) {
            // At once, since claims count as Lost while there is no volume; a volume that is there stays.
            absent.away(volume.name(), before);
            created(intent);
        }
        return changed(freed);
    }

    private void created(ReplacementIntent intent) {
        volumes.create(intent.original().name(), intent.replacement());
        absent.back(intent.original().name());
    }

    private Turn successor(ReplacementIntent intent, VolumeObject volume) {
        if (!ReplacementMark.isOn(volume, intent)) {
            return ended(intent, Result.REPLACED, "replaced on purpose, no data is lost");
        }
        if (volume.isBeingDeleted()) {
            // Somebody deletes the new one: that is theirs to decide, and it stays retained.
            return changed(volumes.change(volume, ReplacementMark.remove(volume, intent, true)));
        }
        Optional<ClaimReference> claim = volume.claim();
        VolumeCalls.Claim state = claim.map(volumes::read).orElse(VolumeCalls.Claim.BOUND);
        absent.seen(volume.name(), state);
        if (state == VolumeCalls.Claim.GONE) {
            volumes.change(volume, ReplacementMark.remove(volume, intent, true));
            return retained(intent, volume.name());
        }
        boolean ready = claim.isPresent()
                ? state == VolumeCalls.Claim.BOUND && volume.phase().equals("Bound")
                : volume.phase().equals("Available");
        if (!ready) {
            return new Turn.Waits(new ChangeOutcome(
                    volume.name(), Result.UNFINISHED, "it is there again; its claim is not bound again yet"));
        }
        return changed(volumes.change(volume, ReplacementMark.remove(volume, intent, false)));
    }

    /** Ends an intent once the volume has lost its mark, which the next turn sees. */
    private Turn retained(ReplacementIntent intent, String name) {
        boolean free = volumes.read(name)
                .filter(volume -> ReplacementMark.isOn(volume, intent))
                .isEmpty();
        return free ? ended(intent, Result.RETAINED, KEPT) : changed(false);
    }

    private static Turn changed(boolean made) {
        return new Turn.Change(made, Optional.empty());
    }

    private static Turn changed(VolumeCalls.Effect effect) {
        return new Turn.Change(effect.done(), effect.refusal());
    }

    private boolean isClaimGone(VolumeObject volume) {
        return volume.claim()
                .filter(claim -> volumes.read(claim) == VolumeCalls.Claim.GONE)
                .isPresent();
    }

    private Turn abandoned(ReplacementIntent intent, String why) {
        return ended(intent, Result.ABANDONED, Optional.of(AffinityFinding.CHANGED_MEANWHILE), why);
    }

    private Turn ended(ReplacementIntent intent, Result result, String why) {
        return ended(intent, result, Optional.empty(), why);
    }

    private Turn ended(ReplacementIntent intent, Result result, Optional<AffinityFinding> finding, String why) {
        if (!intents.remove(intent)) {
            return changed(false);
        }
        absent.ended(intent.original().name());
        return new Turn.Ended(new ChangeOutcome(intent.original().name(), result, finding, why));
    }

    private static Turn blocked(ReplacementIntent intent, AffinityFinding finding, String why) {
        return new Turn.Ended(new ChangeOutcome(intent.original().name(), Result.BLOCKED, finding, why));
    }
}
