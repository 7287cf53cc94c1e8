package dev.fairlead.adapter.freenas.iscsi;

import com.google.gson.JsonObject;
import dev.fairlead.adapter.freenas.export.ExportRows;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.StorageException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets nodes reach a target, and shuts them out of it. A box takes an empty list of initiators, and a group that was
 * deleted, for everybody: so nobody is said by a target without any way to it.
 */
record TargetAccess(TargetCalls targets, InitiatorGroups groups) {
    private static final int MOST_ROUNDS = 5;

    /** The most groups of one target that are kept since a call that was cut may give them late. */
    private static final int MOST_UNSEEN = 2;

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
        Set<String> wanted = ways.isEmpty() ? Set.of() : nodes;
        Set<Long> given = new HashSet<>();
        JsonObject seen = target;
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<JsonObject> known = groups.all(name, work);
            List<TargetGroup> there = TargetCalls.groups(seen);
            InitiatorGroups.named(known, there).forEach(group -> given.add(ExportRows.id(group)));
            if ((always && round == 0) || !isSo(there, ways, wanted, known)) {
                if (wanted.isEmpty()) {
                    targets.setGroups(seen, List.of(), work);
                } else {
                    dropOldest(name, known, there, given, work);
                    give(seen, ways, wanted, work);
                }
            } else if (!retire(name, known, there, given, wanted, work)) {
                if (round == 0 && !there.isEmpty()) {
                    targets.setGroups(seen, there, work); // the row may be right, and its load was cut
                }
                return;
            }
            seen = again(target, work);
        }
        throw targets.rows()
                .unavailable("the initiators of target " + name + " were changed by others again and again");
    }

    /** Gives a new group of these nodes to a target. If the box refuses that, the group is of no use to anybody. */
    private void give(JsonObject target, List<TargetGroup> ways, Set<String> nodes, Work work) {
        long group = groups.make(TargetCalls.name(target), nodes, work);
        targets.setGroups(target, onlyFor(group, ways), () -> takeBack(TargetCalls.name(target), group, work), work);
    }

    private void takeBack(String target, long group, Work work) {
        Work rest = work.finishing();
        try {
            boolean _ = delete(
                    target,
                    groups.all(target, rest).stream()
                            .filter(row -> ExportRows.id(row) == group)
                            .toList(),
                    rest);
        } catch (StorageException _) {
            work.checkEnding(); // the refusal is what the caller is told; the group stays among those not seen
        }
    }

    /** Deletes the oldest groups that no call was seen to give, so that calls which fail again and again leave few. */
    private void dropOldest(
            String target, List<JsonObject> known, List<TargetGroup> there, Set<Long> given, Work work) {
        List<JsonObject> unseen = new ArrayList<>(known);
        unseen.removeAll(InitiatorGroups.named(known, there));
        unseen.removeIf(group -> given.contains(ExportRows.id(group)));
        List<JsonObject> over = unseen.subList(0, Math.max(0, unseen.size() - MOST_UNSEEN));
        if (!over.isEmpty()) {
            List<JsonObject> before = targets.targets(work);
            deleteUnnamed(over, before, target, work);
            closeThoseOpened(before, work);
        }
    }

    private static List<TargetGroup> onlyFor(long group, List<TargetGroup> ways) {
        return sorted(ways.stream().map(way -> way.onlyFor(group)));
    }

    /** Says whether a target has these ways, all of them for one group of ours that is of these nodes. */
    private static boolean isSo(
            List<TargetGroup> there, List<TargetGroup> ways, Set<String> nodes, List<JsonObject> known) {
        if (nodes.isEmpty() || there.isEmpty()) {
            return nodes.isEmpty() && there.isEmpty();
        }
        return there.getFirst()
                .initiator()
                .filter(group -> there.equals(onlyFor(group, ways)) && InitiatorGroups.isOf(known, group, nodes))
                .isPresent();
    }

    /**
     * Deletes the groups that the target was seen to name and names no more, and the oldest of the others if many calls
     * were cut; keeps the rest to the nodes that the target lets in. Returns whether there was anything to do.
     */
    private boolean retire(
            String target,
            List<JsonObject> known,
            List<TargetGroup> there,
            Set<Long> given,
            Set<String> nodes,
            Work work) {
        List<JsonObject> idle = new ArrayList<>(known);
        idle.removeAll(InitiatorGroups.named(known, there));
        List<JsonObject> over = new ArrayList<>();
        List<JsonObject> unseen = new ArrayList<>();
        idle.forEach(group -> (given.contains(ExportRows.id(group)) ? over : unseen).add(group));
        int tooMany = Math.max(0, unseen.size() - MOST_UNSEEN);
        over.addAll(unseen.subList(0, tooMany));
        boolean kept = groups.keepTo(nodes, unseen.subList(tooMany, unseen.size()), target, work);
        boolean deleted = delete(target, over, work);
        return kept || deleted;
    }

    /** Opens a target by these ways; what an administrator has set otherwise stays. */
    void open(JsonObject target, List<TargetGroup> configured, Work work) {
        String name = TargetCalls.name(target);
        List<TargetGroup> ways = sorted(configured.stream());
        List<TargetGroup> there = TargetCalls.groups(target);
        if (there.equals(ways)) {
            targets.setGroups(target, ways, work);
            return;
        }
        List<JsonObject> given = InitiatorGroups.named(groups.all(name, work), there);
        if (there.size() == ways.size() && given.isEmpty()) {
            return;
        }
        targets.setGroups(target, ways, work);
        if (!TargetCalls.groups(again(target, work)).equals(ways)) {
            throw targets.rows().unavailable("target " + name + " was opened, and reads back differently");
        }
        boolean _ = delete(name, given, work);
    }

    /** Deletes groups that no call gives to a target any more; one that any target names stays. */
    private boolean delete(String target, List<JsonObject> over, Work work) {
        if (over.isEmpty()) {
            return false;
        }
        List<JsonObject> named = named(targets.targets(work), over);
        over.stream().filter(group -> !named.contains(group)).forEach(group -> groups.delete(group, target, work));
        return named.size() < over.size();
    }

    private static List<JsonObject> named(List<JsonObject> all, List<JsonObject> over) {
        return InitiatorGroups.named(
                over,
                all.stream().flatMap(each -> TargetCalls.groups(each).stream()).toList());
    }

    /**
     * Deletes the groups of a target that is gone. A group stays that another target names, such as this one under the
     * name that an administrator has given it; and all of them, if there is a target of that name again.
     */
    void forget(String target, Work work) {
        List<JsonObject> over = groups.all(target, work);
        if (over.isEmpty()) {
            return;
        }
        List<JsonObject> before = targets.targets(work);
        if (before.stream().anyMatch(each -> TargetCalls.name(each).equals(target))) {
            return;
        }
        deleteUnnamed(over, before, target, work);
        closeThoseOpened(before, work);
    }

    private void deleteUnnamed(List<JsonObject> over, List<JsonObject> all, String target, Work work) {
        List<JsonObject> named = named(all, over);
        over.stream().filter(group -> !named.contains(group)).forEach(group -> groups.delete(group, target, work));
    }

    /**
     * Closes the targets that had ways for some, and let everybody in by them since: they were given a deleted group.
     */
    private void closeThoseOpened(List<JsonObject> before, Work work) {
        for (JsonObject now : targets.targets(work)) {
            boolean wasForSome = before.stream()
                    .filter(each -> ExportRows.id(each) == ExportRows.id(now))
                    .anyMatch(each -> !TargetCalls.groups(each).isEmpty() && !isOpen(each));
            if (wasForSome && isOpen(now)) {
                targets.setGroups(
                        now,
                        TargetCalls.groups(now).stream()
                                .filter(way -> way.initiator().isPresent())
                                .toList(),
                        work);
                throw targets.rows()
                        .unavailable("target " + TargetCalls.name(now) + " was given a group of initiators while it"
                                + " was deleted, and was shut again");
            }
        }
    }

    private static boolean isOpen(JsonObject target) {
        return TargetCalls.groups(target).stream()
                .anyMatch(way -> way.initiator().isEmpty());
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
