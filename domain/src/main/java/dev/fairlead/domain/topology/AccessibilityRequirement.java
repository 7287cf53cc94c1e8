package dev.fairlead.domain.topology;

import java.util.List;

/**
 * Says where a volume is wanted (CSI {@code TopologyRequirement}): reachable from at least one of {@code requisite},
 * and rather from the first of {@code preferred} than from the next. If both are empty, it may be anywhere.
 */
public record AccessibilityRequirement(List<TopologySegment> requisite, List<TopologySegment> preferred) {
    public static final AccessibilityRequirement NONE = new AccessibilityRequirement(List.of(), List.of());

    public AccessibilityRequirement {
        requisite = List.copyOf(requisite);
        preferred = List.copyOf(preferred);
    }

    public boolean isNone() {
        return requisite.isEmpty() && preferred.isEmpty();
    }
}
