package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import dev.fairlead.adapter.k8s.affinity.SavedVolumeChoice.Step;
import dev.fairlead.adapter.k8s.api.ApiCalls;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.application.port.out.placement.SavedVolumeTaking;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Ends what LINSTOR's affinity controller has begun with a PersistentVolume. One that is there gets its reclaim policy
 * and mark put right, and nothing of it is deleted; one that is being deleted, or is gone, is made again by an intent
 * of Fairlead's own. Each change holds only for the version that was seen, and what came of it is read anew.
 */
public final class SavedVolumeWriter implements SavedVolumeTaking {
    private static final int MOST_TRIES = 5;

    private final IntentStore intents;
    private final VolumeCalls volumes;
    private final SavedVolumeChoice choice;

    /**
     * @param namespace the namespace of the ConfigMaps in which intents are kept
     * @param patience the patience with one call
     */
    public SavedVolumeWriter(ApiCalls api, String namespace, Duration patience) {
        this.intents = new IntentStore(api, namespace, patience);
        this.volumes = new VolumeCalls(api, patience);
        this.choice = new SavedVolumeChoice(intents, volumes);
    }

    @Override
    public Taken take(SavedVolume saved, List<KnownVolume> all, BooleanSupplier mayWrite) {
        Optional<ChangeOutcome> done = Optional.empty();
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Step next = choice.of(saved, all);
            Optional<Taken> end = ended(next, done);
            if (end.isPresent()) {
                return end.get();
            }
            if (!mayWrite.getAsBoolean()) {
                break;
            }
            Optional<Taken> taken = switch (next) {
                case Step.Change(VolumeObject seen, JsonArray steps, ChangeOutcome outcome) -> {
                    done = Optional.of(outcome);
                    yield refusal(seen.name(), volumes.change(seen, steps));
                }
                case Step.Creation creation -> made(creation);
                case Step.Kept _, Step.Nothing _ -> Optional.empty();
            };
            if (taken.isPresent()) {
                return taken.get();
            }
        }
        return new Taken.Kept(new ChangeOutcome(
                saved.resource(), Result.UNFINISHED, "it is being changed by others; what was kept of it stays"));
    }

    private static Optional<Taken> ended(Step next, Optional<ChangeOutcome> done) {
        return switch (next) {
            case Step.Kept(ChangeOutcome outcome) -> Optional.of(new Taken.Kept(outcome));
            case Step.Nothing(String volume, String why) ->
                Optional.of(new Taken.Done(done.orElseGet(() -> new ChangeOutcome(
                        volume,
                        Result.ABANDONED,
                        "what LINSTOR's affinity controller had kept of it was removed: " + why))));
            case Step.Change _, Step.Creation _ -> Optional.empty();
        };
    }

    /** Marks the object that is being deleted, or writes the intent by which it is made again. */
    private Optional<Taken> made(Step.Creation creation) {
        ReplacementIntent intent = creation.intent();
        String name = intent.original().name();
        Optional<String> refused = volumes.refusal(intent.replacement(), name);
        if (refused.isPresent()) {
            return kept(name, Result.BLOCKED, "the server would refuse to make it again: " + refused.get());
        }
        if (creation.seen().isPresent() && creation.mark().isPresent()) {
            return refusal(
                    name, volumes.change(creation.seen().get(), creation.mark().get()));
        }
        return switch (intents.write(intent)) {
            case WRITTEN, THERE_ALREADY ->
                Optional.of(new Taken.Begun(new ChangeOutcome(name, Result.UNFINISHED, "it is being made again")));
            case TOO_LONG ->
                kept(name, Result.BLOCKED, "its annotations and labels are too long to be kept in an intent");
        };
    }

    private static Optional<Taken> refusal(String volume, VolumeCalls.Effect effect) {
        return effect.refusal()
                .flatMap(why -> kept(volume, Result.BLOCKED, "the server refuses to have it put right: " + why));
    }

    private static Optional<Taken> kept(String volume, Result result, String why) {
        return Optional.of(new Taken.Kept(new ChangeOutcome(volume, result, why)));
    }

    @Override
    public String plan(SavedVolume saved, List<KnownVolume> all) {
        return switch (choice.of(saved, all)) {
            case Step.Kept(ChangeOutcome outcome) -> outcome.volume() + ": " + outcome.text();
            case Step.Nothing(String volume, String _) -> volume + ": " + saved.place() + " would be removed";
            case Step.Change(VolumeObject seen, JsonArray _, ChangeOutcome _) ->
                seen.name() + ": reclaim policy and mark would be put right, and " + saved.place() + " removed";
            case Step.Creation creation ->
                creation.intent().original().name() + ": it "
                        + (creation.seen().isPresent() ? "is being deleted" : "is gone")
                        + ", would be made again, and " + saved.place() + " removed";
        };
    }
}
