package dev.fairlead.adapter.k8s.affinity;

import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Reading;
import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Stage;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
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

    private final IntentStore intents;
    private final VolumeCalls volumes;

    VolumeReplacement(IntentStore intents, VolumeCalls volumes) {
        this.intents = intents;
        this.volumes = volumes;
    }

    /** Says what one turn came to. */
    sealed interface Turn {
        record Ended(ChangeOutcome outcome) implements Turn {}

        /** A change was tried; the next turn sees what came of it. */
        record Change() implements Turn {}

        /** Something else has to happen first. */
        record Waits(ChangeOutcome soFar) implements Turn {}
    }

    /** @param mayBegin says whether an object that is still untouched may be replaced now */
    Turn turn(String map, Predicate<VolumeObject> mayBegin) {
        Optional<Reading> read = intents.read(map);
        return switch (read.orElse(new Reading.Unknown(map, "it is gone"))) {
            case Reading.Unknown(String name, String why)
            when read.isPresent() ->
                new Turn.Ended(
                        new ChangeOutcome(name, Result.BLOCKED, "the intent " + name + " cannot be used: " + why));
            case Reading.Unknown(String name, String _) ->
                new Turn.Ended(new ChangeOutcome(name, Result.ABANDONED, "the intent is gone; another has ended it"));
            case Reading.Known(ReplacementIntent intent) -> turn(intent, mayBegin);
        };
    }

    private Turn turn(ReplacementIntent intent, Predicate<VolumeObject> mayBegin) {
        Optional<VolumeObject> live = volumes.read(intent.original().name());
        if (live.isEmpty()) {
            return absent(intent);
        }
        VolumeObject volume = live.get();
        if (!volume.uid().equals(intent.original().uid())) {
            return intent.stage() == Stage.DELETING && volume.isSameStorageAs(intent.original())
                    ? successor(intent, volume)
                    : blocked(intent, "another PersistentVolume, of uid " + volume.uid() + ", has its name");
        }
        boolean marked = ReplacementMark.isOn(volume, intent);
        if (volume.isBeingDeleted()) {
            return marked ? terminating(intent, volume) : abandoned(intent, "somebody is deleting it");
        }
        return marked ? protectedOne(intent, volume) : untouched(intent, volume, mayBegin);
    }

    private Turn absent(ReplacementIntent intent) {
        if (intent.stage() == Stage.PREPARED) {
            return abandoned(intent, "somebody deleted it before Fairlead did anything");
        }
        volumes.create(intent.original().name(), intent.replacement());
        return new Turn.Change();
    }

    private Turn untouched(ReplacementIntent intent, VolumeObject volume, Predicate<VolumeObject> mayBegin) {
        if (intent.stage() == Stage.DELETING) {
            return isClaimGone(volume)
                    ? ended(intent, Result.RETAINED, KEPT)
                    : blocked(intent, "somebody took the mark of its replacement away");
        }
        if (volume.annotations().containsKey(ReplacementMark.WITHDRAWN)) {
            volumes.change(
                    volume,
                    VolumeSteps.on(volume)
                            .withoutAnnotation(ReplacementMark.WITHDRAWN)
                            .all());
            return new Turn.Change();
        }
        if (!volume.version().equals(intent.original().version())) {
            boolean kept = !volume.policy().equals(intent.original().policy()) && isClaimGone(volume);
            return kept ? ended(intent, Result.RETAINED, KEPT) : abandoned(intent, "it was changed meanwhile");
        }
        boolean goesOn = mayBegin.test(volume) && !isClaimGone(volume);
        // A change that a dead predecessor sent may still be on its way, and would find the version that it names: to
        // withdraw the intent, that version is taken away by a write that means nothing.
        volumes.change(
                volume,
                goesOn
                        ? ReplacementMark.put(volume, intent)
                        : VolumeSteps.on(volume)
                                .annotate(ReplacementMark.WITHDRAWN, intent.map())
                                .all());
        return new Turn.Change();
    }

    private Turn protectedOne(ReplacementIntent intent, VolumeObject volume) {
        if (isClaimGone(volume)) {
            volumes.change(volume, ReplacementMark.remove(volume, intent, true));
            return retained(intent, volume.name());
        }
        if (intent.stage() == Stage.PREPARED && ReplacementMark.isChangedByOthers(volume, intent)) {
            volumes.change(volume, ReplacementMark.remove(volume, intent, false));
            return new Turn.Change();
        }
        if (intent.stage() == Stage.PREPARED) {
            intents.beginDeletion(intent);
            return new Turn.Change();
        }
        volumes.delete(volume);
        return new Turn.Change();
    }

    private Turn terminating(ReplacementIntent intent, VolumeObject volume) {
        if (intent.stage() == Stage.PREPARED) {
            // Somebody deletes what Fairlead has only marked: that deletion gets its reclaim policy back.
            volumes.change(volume, ReplacementMark.remove(volume, intent, false));
            return new Turn.Change();
        }
        if (volumes.change(volume, VolumeSteps.on(volume).withoutFinalizers().all())) {
            // At once, since claims count as Lost while there is no volume; a volume that is there stays.
            volumes.create(volume.name(), intent.replacement());
        }
        return new Turn.Change();
    }

    private Turn successor(ReplacementIntent intent, VolumeObject volume) {
        if (!ReplacementMark.isOn(volume, intent)) {
            return ended(intent, Result.REPLACED, "replaced on purpose, no data is lost");
        }
        if (volume.isBeingDeleted()) {
            // Somebody deletes the new one: that is theirs to decide, and it stays retained.
            volumes.change(volume, ReplacementMark.remove(volume, intent, true));
            return new Turn.Change();
        }
        Optional<ClaimReference> claim = volume.claim();
        VolumeCalls.Claim state = claim.map(volumes::read).orElse(VolumeCalls.Claim.BOUND);
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
        volumes.change(volume, ReplacementMark.remove(volume, intent, false));
        return new Turn.Change();
    }

    /** Ends an intent once the volume has lost its mark, which the next turn sees. */
    private Turn retained(ReplacementIntent intent, String name) {
        boolean free = volumes.read(name)
                .filter(volume -> ReplacementMark.isOn(volume, intent))
                .isEmpty();
        return free ? ended(intent, Result.RETAINED, KEPT) : new Turn.Change();
    }

    private boolean isClaimGone(VolumeObject volume) {
        return volume.claim()
                .filter(claim -> volumes.read(claim) == VolumeCalls.Claim.GONE)
                .isPresent();
    }

    private Turn abandoned(ReplacementIntent intent, String why) {
        return ended(intent, Result.ABANDONED, why);
    }

    private Turn ended(ReplacementIntent intent, Result result, String why) {
        return intents.remove(intent)
                ? new Turn.Ended(new ChangeOutcome(intent.original().name(), result, why))
                : new Turn.Change();
    }

    private static Turn blocked(ReplacementIntent intent, String why) {
        return new Turn.Ended(new ChangeOutcome(intent.original().name(), Result.BLOCKED, why));
    }
}
