package dev.fairlead.application.service.affinity;

import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeGroup;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.VolumePlacement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Says what would change now.
 *
 * @param entries the changes, by the volumes' names
 * @param unknown of which volumes nothing can be said, and why, by their names
 * @param volumes the number of volumes of each source
 * @param notes what comes before all changes
 * @param held what is more than may be changed without an approval, and waits for one
 */
public record AffinityPlan(
        List<Entry> entries,
        SortedMap<String, VolumePlacement.Unknown> unknown,
        Map<String, Integer> volumes,
        List<Note> notes,
        List<Held> held) {
    public AffinityPlan {
        entries = List.copyOf(entries);
        volumes = Map.copyOf(volumes);
        notes = List.copyOf(notes);
        held = List.copyOf(held);
    }

    public AffinityPlan(
            List<Entry> entries, SortedMap<String, VolumePlacement.Unknown> unknown, Map<String, Integer> volumes) {
        this(entries, unknown, volumes, List.of(), List.of());
    }

    /**
     * Holds what has to be said besides changes of affinity.
     *
     * @param changes whether something would be done
     * @param told false if it says why that cannot be told
     */
    public record Note(String text, boolean changes, boolean told) {
        public Note(String text, boolean changes) {
            this(text, changes, true);
        }

        /** Returns a note that it cannot be told whether something would be done, and why. */
        public static Note untold(String why) {
            return new Note(why, false, false);
        }
    }

    /** Returns the same plan with these notes. */
    public AffinityPlan noted(List<Note> all) {
        return new AffinityPlan(entries, unknown, volumes, all, held);
    }

    /**
     * Says that a group of volumes, or a source as a whole, has more changes than may be made unexplained.
     *
     * @param group the name of the group; empty if it is the source as a whole
     * @param changes the number of changes that nothing explains and that are not approved
     * @param volumes the number of volumes of which they are
     * @param digest names these changes, for an approval
     */
    public record Held(String source, Optional<String> group, long changes, int volumes, PlanDigest digest) {}

    /**
     * Holds one change of the plan.
     *
     * @param group the volumes with which it is counted
     * @param delay why it waits; empty if it is made at once
     */
    public record Entry(AffinityChange change, ChangeGroup group, Optional<ChangeDelay> delay) {}

    public List<AffinityChange> changes() {
        return entries.stream().map(Entry::change).toList();
    }

    public PlanDigest digest() {
        return PlanDigest.of(changes());
    }
}
