package dev.fairlead.adapter.linstor.policy;

import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.domain.affinity.AffinityFinding;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Finds the policy that holds for a volume: of the PersistentVolume's override annotations, else of the volume's
 * attributes, else of its class.
 *
 * @param policy empty if none can be read, and then nothing is known of the volume
 * @param origin where it comes from, or why there is none, in words
 * @param finding what is wrong if there is none
 */
public record PolicyChoice(Optional<AccessPolicy> policy, String origin, AffinityFinding finding) {
    private static final String OVERRIDE = "override.piraeus.io";
    private static final String USES_ATTRIBUTES = "linstor.csi.linbit.com/uses-volume-context";
    private static final String ATTRIBUTE = "linstor.csi.linbit.com/remote-access-policy";
    private static final String NAMESPACE = "linstor.csi.linbit.com/";
    private static final String PARAMETER = "allowremotevolumeaccess";
    /** The greatest number of overriding annotations that are read: each is a text of 16 KiB at most. */
    private static final int MOST = 64;

    private static final String LAYERS = "layerlist";

    /** The layers by which a node without a replica reads a volume over the network. */
    private static final List<String> REMOTE = List.of("drbd", "nvme");

    private static final Pattern SPACES = Pattern.compile("[\\s,]+");

    /** Returns the policy of a volume. */
    public static PolicyChoice of(PlacedVolume volume) {
        Map<String, String> overrides = new TreeMap<>(volume.annotations());
        overrides.keySet().removeIf(key -> !key.equals(OVERRIDE) && !key.startsWith(OVERRIDE + "/"));
        if (!overrides.isEmpty()) return united(overrides);
        if (volume.attributes().containsKey(USES_ATTRIBUTES)) {
            String text = volume.attributes().getOrDefault(ATTRIBUTE, "");
            return read(text, "the volume's attribute " + ATTRIBUTE);
        }
        return volume.classParameters()
                .map(PolicyChoice::ofClass)
                .orElseGet(() -> new PolicyChoice(
                        Optional.empty(),
                        "its StorageClass " + volume.storageClass().orElse("(none)")
                                + " is gone, cannot be read or is not LINSTOR's",
                        AffinityFinding.CLASS_MISSING));
    }

    /** Unites what several annotations allow: each was set by somebody who needs the volume there. */
    private static PolicyChoice united(Map<String, String> overrides) {
        String origin = overrides.size() == 1
                ? "the annotation " + overrides.keySet().iterator().next()
                : "the union of the annotations " + String.join(", ", overrides.keySet());
        if (overrides.size() > MOST) {
            return none(
                    overrides.size() + " annotations " + OVERRIDE + " are too many (expected: " + MOST + " at most)");
        }
        Optional<AccessPolicy> all = Optional.empty();
        for (Map.Entry<String, String> each : overrides.entrySet()) {
            Optional<AccessPolicy> one = AccessPolicy.parse(each.getValue());
            if (one.isEmpty()) return none("the annotation " + each.getKey() + " has no policy that can be read");
            all = all.map(before -> before.or(one.get())).or(() -> one);
        }
        return all.map(policy -> found(policy, origin)).orElseGet(() -> none(origin));
    }

    private static PolicyChoice ofClass(Map<String, String> parameters) {
        Map<String, String> plain = new TreeMap<>();
        parameters.forEach((key, value) -> {
            String small = key.toLowerCase(Locale.ROOT);
            plain.put(small.startsWith(NAMESPACE) ? small.substring(NAMESPACE.length()) : small, value);
        });
        if (plain.containsKey(PARAMETER)) {
            return read(plain.getOrDefault(PARAMETER, ""), "the class's parameter allowRemoteVolumeAccess");
        }
        // Without the parameter, layers decide; without these, LINSTOR's driver takes DRBD.
        List<String> layers = List.of(
                SPACES.split(plain.getOrDefault(LAYERS, "drbd storage").strip().toLowerCase(Locale.ROOT)));
        boolean remote = layers.stream().anyMatch(REMOTE::contains);
        return found(
                remote ? AccessPolicy.ANYWHERE : AccessPolicy.LOCAL, "the class's layers " + String.join(" ", layers));
    }

    private static PolicyChoice read(String text, String origin) {
        return AccessPolicy.parse(text)
                .map(policy -> found(policy, origin))
                .orElseGet(() -> none(origin + " has no policy that can be read"));
    }

    private static PolicyChoice none(String why) {
        return new PolicyChoice(Optional.empty(), why, AffinityFinding.UNREADABLE);
    }

    private static PolicyChoice found(AccessPolicy policy, String origin) {
        return new PolicyChoice(Optional.of(policy), origin, AffinityFinding.UNREADABLE);
    }
}
