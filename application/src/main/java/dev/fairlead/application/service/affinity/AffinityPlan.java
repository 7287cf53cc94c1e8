package dev.fairlead.application.service.affinity;

import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.PlanDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Says what would change now.
 *
 * @param entries the changes, by the volumes' names
 * @param unknown why nothing can be said of a volume, by its name
 * @param volumes the number of volumes of each source
 */
public record AffinityPlan(List<Entry> entries, SortedMap<String, String> unknown, Map<String, Integer> volumes) {
    public AffinityPlan {
        entries = List.copyOf(entries);
        volumes = Map.copyOf(volumes);
    }

    /**
     * Holds one change of the plan.
     *
     * @param delay why it waits; empty if it is made at once
     */
    public record Entry(AffinityChange change, Optional<ChangeDelay> delay) {}

    public List<AffinityChange> changes() {
        return entries.stream().map(Entry::change).toList();
    }

    public PlanDigest digest() {
        return PlanDigest.of(changes());
    }
}
