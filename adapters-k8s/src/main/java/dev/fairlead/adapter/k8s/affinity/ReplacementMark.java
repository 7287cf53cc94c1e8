package dev.fairlead.adapter.k8s.affinity;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.fairlead.http.Json;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;

/** Marks a PersistentVolume that is being replaced, and keeps its storage from being deleted meanwhile. */
final class ReplacementMark {
    /** Names the ConfigMap of the intent. */
    static final String INTENT = "fairlead.dev/affinity-intent";

    /** Keeps the reclaim policy that a marked volume had before, so that a person can give it back. */
    static final String POLICY_BEFORE = "fairlead.dev/affinity-policy";

    /** Stands on a volume that is left retained since its claim was deleted; the value is its policy before. */
    static final String RETAINED = "fairlead.dev/affinity-retained";

    /** Stands for a moment on a volume whose replacement is given up before anything was done. */
    static final String WITHDRAWN = "fairlead.dev/affinity-withdrawn";

    static final String RETAIN = "Retain";

    /** The end of the annotation by which LINSTOR's csi-reclaim-controller leaves a volume alone. */
    private static final String SKIP = "/skip-reclaim";

    /** The finalizers that Kubernetes and the provisioner put on and take off as a volume's state asks for. */
    private static final Set<String> USUAL =
            Set.of("kubernetes.io/pv-protection", "external-provisioner.volume.kubernetes.io/finalizer");

    private ReplacementMark() {}

    static boolean isOn(VolumeObject volume, ReplacementIntent intent) {
        return intent.map().equals(volume.annotations().get(INTENT));
    }

    /** Returns the steps that protect the storage and mark the volume. */
    static JsonArray put(VolumeObject volume, ReplacementIntent intent) {
        VolumeSteps steps = VolumeSteps.on(volume).policy(RETAIN);
        if (!volume.driver().isEmpty()) {
            steps.annotate(volume.driver() + SKIP, "true");
        }
        return steps.annotate(INTENT, intent.map())
                .annotate(POLICY_BEFORE, intent.original().policy())
                .all();
    }

    /**
     * Returns the steps that take the mark away and give the volume the original's reclaim policy and finalizers again.
     *
     * @param retained whether the volume is to stay retained, whatever the original's policy was
     */
    static JsonArray remove(VolumeObject volume, ReplacementIntent intent, boolean retained) {
        VolumeObject original = intent.original();
        Set<String> finalizers = new LinkedHashSet<>(volume.finalizers());
        if (!volume.isBeingDeleted()) {
            finalizers.addAll(original.finalizers());
        }
        String skip = original.driver() + SKIP;
        VolumeSteps steps = VolumeSteps.on(volume)
                .policy(retained ? RETAIN : original.policy())
                .withoutAnnotation(INTENT)
                .withoutAnnotation(POLICY_BEFORE)
                .withoutAnnotation(WITHDRAWN)
                .finalizers(finalizers);
        if (retained) {
            steps.annotate(RETAINED, original.policy());
        }
        String before = original.annotations().get(skip);
        return before == null
                ? steps.withoutAnnotation(skip).all()
                : steps.annotate(skip, before).all();
    }

    /** Returns how a person ends a replacement of which nothing is recorded any more. */
    static String cure(VolumeObject volume) {
        String policy = volume.annotations().getOrDefault(POLICY_BEFORE, "it is to have");
        return "it has the mark of a replacement, and the ConfigMap "
                + volume.annotations().get(INTENT)
                + " is not there. Look whether it is as it should be; then set its reclaim policy to what "
                + "the annotation " + POLICY_BEFORE + " says (" + policy + "), and remove the annotations " + INTENT
                + ", "
                + POLICY_BEFORE + " and " + volume.driver() + SKIP;
    }

    /** Says whether somebody else has changed a marked volume since its intent was written. */
    static boolean isChangedByOthers(VolumeObject volume, ReplacementIntent intent) {
        return isContentChanged(volume, intent) || !foreign(volume).equals(foreign(intent.original()));
    }

    /** Says the same of a volume that is being deleted, which loses its finalizers one by one. */
    static boolean isContentChanged(VolumeObject volume, ReplacementIntent intent) {
        return !own(volume, intent).equals(own(intent.original(), intent));
    }

    private static Set<String> foreign(VolumeObject volume) {
        Set<String> foreign = new TreeSet<>(volume.finalizers());
        foreign.removeAll(USUAL);
        return foreign;
    }

    /** Returns what only people and programs other than those that look after volumes change. */
    private static JsonObject own(VolumeObject volume, ReplacementIntent intent) {
        JsonObject spec = Json.child(volume.raw(), "spec").deepCopy();
        spec.remove(VolumeObject.POLICY);
        JsonObject metadata = Json.child(volume.raw(), "metadata");
        JsonObject annotations = Json.child(metadata, "annotations").deepCopy();
        annotations.remove(INTENT);
        annotations.remove(POLICY_BEFORE);
        annotations.remove(WITHDRAWN);
        annotations.remove(intent.original().driver() + SKIP);
        JsonObject own = new JsonObject();
        own.add("spec", spec);
        own.add("annotations", annotations);
        own.add("labels", Json.child(metadata, "labels"));
        JsonArray owners = new JsonArray();
        Json.objects(metadata, "ownerReferences").forEach(owners::add);
        own.add("owners", owners);
        return own;
    }
}
