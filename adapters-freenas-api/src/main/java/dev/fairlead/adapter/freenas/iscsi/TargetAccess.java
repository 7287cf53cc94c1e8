package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets nodes reach a target, and shuts them out of it. A box takes an empty list of initiators, and a group that was
 * deleted, for everybody: so nobody is said by a target without any way to it.
 */
record TargetAccess(TargetCalls targets, InitiatorGroups groups) {
    private static final int MOST_ROUNDS = 5;

    /**
     * Lets exactly these nodes reach a target, by these ways, and reads it back until it stays so: what another call
     * has set late is set right.
     */
    void letIn(JsonObject target, List<TargetGroup> ways, Set<String> nodes, Work work) {
        set(target, ways, nodes, false, work);
    }

    /**
     * Lets only these nodes reach a target, and changes it though its row is right: that says what was asked for, and
     * not what the box has loaded, as a reload may have failed, or been cut.
     */
    void revoke(JsonObject target, List<TargetGroup> ways, Set<String> nodes, Work work) {
        set(target, ways, nodes, true, work);
    }

    private void set(JsonObject target, List<TargetGroup> ways, Set<String> nodes, boolean always, Work work) {
        String name = TargetCalls.name(target);
        boolean closes = nodes.isEmpty() || ways.isEmpty();
        Optional<Long> group = closes ? Optional.empty() : groups.newest(name, nodes, work);
        JsonObject seen = target;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<TargetGroup> wanted = wanted(ways, group);
            boolean isSo =
                    TargetCalls.groups(seen).equals(wanted) && (closes || group.isPresent()) && !(always && round == 0);
            if (!isSo) {
                // A group is given to a target once: others may have begun to delete one that was given before.
                group = closes ? Optional.empty() : Optional.of(groups.make(name, nodes, work));
                targets.setGroups(seen, wanted(ways, group), work);
            } else if (!groups.deleteOlder(name, group, () -> isStill(target, wanted, work), work)) {
                return;
            }
            seen = again(target, work);
        }
        throw targets.rows()
                .unavailable("the initiators of target " + name + " were changed by others again and again");
    }

    private static List<TargetGroup> wanted(List<TargetGroup> ways, Optional<Long> group) {
        return group.map(id -> sorted(ways.stream().map(way -> way.onlyFor(id))))
                .orElse(List.of());
    }

    private boolean isStill(JsonObject target, List<TargetGroup> wanted, Work work) {
        return TargetCalls.groups(again(target, work)).equals(wanted);
    }

    /** Opens a target by these ways; what an administrator has set otherwise stays. */
    void open(JsonObject target, List<TargetGroup> configured, Work work) {
        List<TargetGroup> ways = sorted(configured.stream());
        List<TargetGroup> there = TargetCalls.groups(target);
        boolean leave = there.equals(ways)
                || (there.size() == ways.size() && !groups.areAmong(TargetCalls.name(target), there, work));
        if (leave) {
            return;
        }
        targets.setGroups(target, ways, work);
        if (!TargetCalls.groups(again(target, work)).equals(ways)) {
            throw targets.rows()
                    .unavailable("target " + TargetCalls.name(target) + " was opened, and reads back differently");
        }
        boolean _ =
                groups.deleteOlder(TargetCalls.name(target), Optional.empty(), () -> isStill(target, ways, work), work);
    }

    private static List<TargetGroup> sorted(Stream<TargetGroup> ways) {
        return ways.sorted(Comparator.comparingLong(TargetGroup::portal)).toList();
    }

    private JsonObject again(JsonObject target, Work work) {
        return targets.target(ExportRows.id(target), work)
                .filter(seen -> TargetCalls.name(seen).equals(TargetCalls.name(target)))
                .orElseThrow(
                        () -> targets.rows().unavailable("target " + TargetCalls.name(target) + " went meanwhile"));
    }
}
