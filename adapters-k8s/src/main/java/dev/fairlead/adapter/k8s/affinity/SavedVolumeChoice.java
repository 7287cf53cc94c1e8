package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.fairlead.adapter.k8s.affinity.ReplacementIntent.Stage;
import dev.fairlead.adapter.k8s.takeover.OtherFields;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.ChangeOutcome.Result;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.SavedVolume;
import dev.fairlead.http.Json;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds out what has to be done to a PersistentVolume of which LINSTOR's affinity controller has kept something. */
final class SavedVolumeChoice {
    private static final String UNREADABLE = "FL-AFF-012 what LINSTOR's affinity controller has kept is no record: ";
    private static final String OTHERS =
            "FL-AFF-013 what LINSTOR's affinity controller has kept is not of this volume: ";
    private static final String UNCLAIMED =
            "FL-AFF-014 it is gone, and was not bound to a claim; create it by hand from ";

    private final IntentStore intents;
    private final VolumeCalls volumes;

    SavedVolumeChoice(IntentStore intents, VolumeCalls volumes) {
        this.intents = intents;
        this.volumes = volumes;
    }

    /** Says what is to be done next. */
    sealed interface Step {
        /** Leaves what was kept where it is, and does nothing else. */
        record Kept(ChangeOutcome outcome) implements Step {}

        /** Nothing is left to do. */
        record Nothing(String volume, String why) implements Step {}

        /** The object that is there is changed; nothing of it is deleted. */
        record Change(VolumeObject seen, JsonArray steps, ChangeOutcome outcome) implements Step {}

        /**
         * The object is made again by an intent.
         *
         * @param seen the object that is being deleted; empty if it is gone
         * @param mark the steps that mark it first; empty if it is gone or has its mark
         */
        record Creation(ReplacementIntent intent, Optional<VolumeObject> seen, Optional<JsonArray> mark)
                implements Step {}
    }

    Step of(SavedVolume kept, List<KnownVolume> all) {
        Optional<SavedObject> read = SavedObject.read(kept.text());
        if (read.isEmpty()) {
            return blocked(shownName(kept, all), UNREADABLE + kept.place());
        }
        SavedObject saved = read.get();
        Optional<String> wrong = difference(kept, saved, all);
        if (wrong.isPresent()) {
            return blocked(shownName(kept, all), OTHERS + kept.place() + " " + wrong.get());
        }
        String map = ReplacementIntent.mapName(saved.name());
        if (intents.read(map).isPresent()) {
            return new Step.Kept(
                    new ChangeOutcome(saved.name(), Result.UNFINISHED, "the ConfigMap " + map + " is ended first"));
        }
        Optional<VolumeObject> live = volumes.read(saved.name());
        if (live.isEmpty()) {
            return absent(kept, saved);
        }
        if (!saved.isAbout(live.get())) {
            return blocked(
                    saved.name(),
                    OTHERS + kept.place() + " is about another volume or claim than the PersistentVolume "
                            + saved.name());
        }
        return live.get().isBeingDeleted() ? terminating(saved, live.get()) : there(saved, live.get());
    }

    private static Step blocked(String volume, String why) {
        return new Step.Kept(new ChangeOutcome(volume, Result.BLOCKED, why));
    }

    /** Returns the name of the volume that people know, whatever was kept of it. */
    private static String shownName(SavedVolume kept, List<KnownVolume> all) {
        return all.stream()
                .filter(volume -> volume.placed().driver().equals(kept.driver())
                        && kept.handles().contains(volume.placed().handle()))
                .map(volume -> volume.placed().name())
                .findFirst()
                .orElse(kept.resource());
    }

    private static Optional<String> difference(SavedVolume kept, SavedObject saved, List<KnownVolume> all) {
        VolumeObject object = saved.object();
        if (!object.driver().equals(kept.driver()) || !kept.handles().contains(object.handle())) {
            return Optional.of("names the volume " + object.handle() + " of the driver " + object.driver());
        }
        return all.stream()
                .filter(volume -> volume.placed().driver().equals(object.driver())
                        && volume.placed().handle().equals(object.handle())
                        && !volume.placed().name().equals(saved.name()))
                .findFirst()
                .map(other -> "names the PersistentVolume " + saved.name() + ", and "
                        + other.placed().name() + " has the same volume");
    }

    private Step absent(SavedVolume kept, SavedObject saved) {
        if (saved.object().claim().isEmpty()) {
            return blocked(saved.name(), UNCLAIMED + kept.place());
        }
        return new Step.Creation(intent(saved.whole(), ""), Optional.empty(), Optional.empty());
    }

    /** Returns the step for an object that is being deleted; the other controller retains one before it begins that. */
    private Step terminating(SavedObject saved, VolumeObject live) {
        if (!live.policy().equals(ReplacementMark.RETAIN)) {
            return new Step.Nothing(live.name(), "somebody is deleting it, and it was not retained for a replacement");
        }
        if (live.claim().isEmpty()) {
            return new Step.Nothing(live.name(), "somebody is deleting it, and no claim is bound to it");
        }
        String policy = policy(saved, live);
        VolumeObject original = original(saved, live, policy);
        Optional<JsonArray> mark = Optional.empty();
        String map = ReplacementIntent.mapName(live.name());
        if (!map.equals(live.annotations().get(ReplacementMark.INTENT))) {
            mark = Optional.of(VolumeSteps.on(live)
                    .annotate(live.driver() + SavedObject.SKIP, "true")
                    .annotate(ReplacementMark.INTENT, map)
                    .annotate(ReplacementMark.POLICY_BEFORE, policy)
                    .all());
        }
        return new Step.Creation(intent(original, live.version()), Optional.of(live), mark);
    }

    /**
     * Returns an intent of an object whose deletion has begun already, or that is gone; its affinity stays as it is,
     * since only a plan of now says what it is to be.
     */
    private static ReplacementIntent intent(VolumeObject original, String version) {
        JsonElement affinity = Json.child(original.raw(), "spec").get("nodeAffinity");
        return new ReplacementIntent(
                ReplacementIntent.mapName(original.name()),
                "",
                "",
                Stage.DELETING,
                version,
                original,
                Optional.ofNullable(affinity)
                        .filter(JsonElement::isJsonObject)
                        .map(JsonElement::getAsJsonObject)
                        .filter(field -> !field.isEmpty()),
                Optional.empty());
    }

    /** Returns the object that is there as it was before: it has fields that the other controller does not keep. */
    private static VolumeObject original(SavedObject saved, VolumeObject live, String policy) {
        JsonObject original = live.raw().deepCopy();
        JsonObject metadata = Json.child(original, "metadata");
        JsonObject annotations = Json.child(metadata, "annotations");
        annotations.remove(ReplacementMark.INTENT);
        annotations.remove(ReplacementMark.POLICY_BEFORE);
        if (!saved.isMarked()) {
            annotations.remove(live.driver() + SavedObject.SKIP);
        }
        Set<String> finalizers = new LinkedHashSet<>(live.finalizers());
        finalizers.addAll(saved.object().finalizers());
        JsonArray list = new JsonArray();
        finalizers.forEach(list::add);
        metadata.add("finalizers", list);
        Json.child(original, "spec").addProperty(VolumeObject.POLICY, policy);
        return new VolumeObject(original);
    }

    private Step there(SavedObject saved, VolumeObject live) {
        if (live.annotations().containsKey(ReplacementMark.INTENT)) {
            return blocked(live.name(), ReplacementMark.cure(live));
        }
        String policy = policy(saved, live);
        boolean changes = !policy.equals(live.policy());
        boolean marked = SavedObject.isMarked(live) && !saved.isMarked();
        if (!changes && !marked) {
            return new Step.Nothing(live.name(), "nothing else was left to do");
        }
        boolean retained = changes
                && live.claim()
                        .filter(claim -> volumes.read(claim) == VolumeCalls.Claim.GONE)
                        .isPresent();
        VolumeSteps steps = VolumeSteps.on(live);
        if (retained) {
            steps.annotate(ReplacementMark.RETAINED, policy);
        } else if (changes) {
            steps.policy(policy);
        }
        if (marked) {
            steps.withoutAnnotation(live.driver() + SavedObject.SKIP);
        }
        ChangeOutcome outcome = retained
                ? new ChangeOutcome(
                        live.name(),
                        Result.RETAINED,
                        "its claim was deleted while LINSTOR's affinity controller replaced it; the volume is kept"
                                + " (policy Retain)")
                : new ChangeOutcome(
                        live.name(),
                        Result.IN_PLACE,
                        "what LINSTOR's affinity controller had begun was taken back: it has the policy " + policy
                                + (marked ? " and no mark any more" : ""));
        return new Step.Change(live, steps.all(), outcome);
    }

    /**
     * Returns the reclaim policy that the object is to have: what was kept, if the other controller has retained the
     * object; else what it has.
     */
    private static String policy(SavedObject saved, VolumeObject live) {
        boolean retainedByOther = live.policy().equals(ReplacementMark.RETAIN)
                && !live.annotations().containsKey(ReplacementMark.RETAINED)
                && (SavedObject.isMarked(live) || hasSetPolicy(live));
        return retainedByOther ? saved.policy() : live.policy();
    }

    /** Says whether the other controller was the last to set the policy; before its version 1.4.2 it had no mark. */
    private static boolean hasSetPolicy(VolumeObject live) {
        return Json.objects(Json.child(live.raw(), "metadata"), "managedFields").stream()
                .filter(entry -> Json.text(entry, "manager")
                        .filter(OtherFields.MANAGER::equals)
                        .isPresent())
                .anyMatch(entry ->
                        Json.child(Json.child(entry, "fieldsV1"), "f:spec").has("f:" + VolumeObject.POLICY));
    }
}
