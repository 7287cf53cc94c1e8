package dev.fairlead.application.service.affinity;

import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.application.service.affinity.AffinityPlan.Held;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeGroup;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.WaitReason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Makes changes wait that are more than a source may make unexplained, until somebody approves them. Where one group of
 * the source's volumes is the cause, that group waits and the others go on. Not for use by several threads.
 */
final class HeldGroups {
    private final PlanLimit limit;
    private final Set<PlanDigest> approvals;
    private final Set<AffinityChange> approved = new HashSet<>();

    /**
     * The groups that wait: one stays here while it is over its own share, or its turn would come with the next look.
     */
    private final Set<ChangeGroup> held = new HashSet<>();

    /** @param approvals the digests of what may be made although it is over the limit */
    HeldGroups(PlanLimit limit, Set<PlanDigest> approvals) {
        this.limit = limit;
        this.approvals = Set.copyOf(approvals);
    }

    /**
     * Returns the same plan, in which what is over the limit waits.
     *
     * @param counted counts the volumes of each group; most plans need no such count
     */
    AffinityPlan limited(AffinityPlan plan, Supplier<Map<ChangeGroup, Integer>> counted) {
        Map<ChangeGroup, List<AffinityChange>> groups = new HashMap<>();
        Map<String, List<AffinityChange>> sources = new HashMap<>();
        for (Entry entry : plan.entries()) {
            groups.computeIfAbsent(entry.group(), _ -> new ArrayList<>()).add(entry.change());
            sources.computeIfAbsent(entry.group().source(), _ -> new ArrayList<>())
                    .add(entry.change());
        }
        approve(plan.changes());
        sources.values().forEach(this::approve);
        groups.values().forEach(this::approve);
        held.retainAll(groups.keySet());
        boolean calm = held.isEmpty()
                && sources.entrySet().stream()
                        .allMatch(one -> counted(one.getValue())
                                <= limit.of(plan.volumes().getOrDefault(one.getKey(), 0)));
        if (calm) return plan;
        Map<ChangeGroup, Integer> sizes = counted.get();
        Map<ChangeGroup, Held> waiting = new HashMap<>();
        sources.forEach((source, changes) -> {
            int volumes = plan.volumes().getOrDefault(source, 0);
            if (isOver(source, groups, sizes, volumes)) {
                Held whole = new Held(source, Optional.empty(), counted(changes), volumes, PlanDigest.of(changes));
                groups.keySet().stream()
                        .filter(group -> group.source().equals(source))
                        .forEach(group -> waiting.put(group, whole));
            }
        });
        for (ChangeGroup group : held) {
            List<AffinityChange> changes = groups.getOrDefault(group, List.of());
            waiting.putIfAbsent(
                    group,
                    new Held(
                            group.source(),
                            Optional.of(group.name()),
                            counted(changes),
                            sizes.getOrDefault(group, 0),
                            PlanDigest.of(changes)));
        }
        List<Entry> entries = plan.entries().stream()
                .map(entry -> Optional.ofNullable(waiting.get(entry.group()))
                        .filter(_ -> counts(entry.change()))
                        .map(why -> new Entry(
                                entry.change(), entry.group(), Optional.of(stopped(entry.delay(), delay(why)))))
                        .orElse(entry))
                .toList();
        List<Held> all = waiting.values().stream()
                .distinct()
                .sorted(Comparator.comparing(Held::source)
                        .thenComparing(one -> one.group().orElse("")))
                .toList();
        return new AffinityPlan(entries, plan.unknown(), plan.volumes(), plan.notes(), all);
    }

    /**
     * Holds the groups of a source that are the cause of too many changes.
     *
     * @return whether what is left is too much, too
     */
    private boolean isOver(
            String source,
            Map<ChangeGroup, List<AffinityChange>> groups,
            Map<ChangeGroup, Integer> sizes,
            int volumes) {
        Map<ChangeGroup, Long> counts = new HashMap<>();
        groups.forEach((group, changes) -> {
            if (group.source().equals(source)) counts.put(group, counted(changes));
        });
        Set<ChangeGroup> large = new HashSet<>();
        counts.forEach((group, count) -> {
            if (count > limit.of(sizes.getOrDefault(group, 0))) large.add(group);
        });
        held.removeIf(group -> group.source().equals(source) && !large.contains(group));
        counts.forEach((group, count) -> {
            if (count > limit.of(volumes)) held.add(group);
        });
        if (rest(counts) > limit.of(volumes)) held.addAll(large);
        return rest(counts) > limit.of(volumes);
    }

    private long rest(Map<ChangeGroup, Long> counts) {
        return counts.entrySet().stream()
                .filter(one -> !held.contains(one.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private void approve(Collection<AffinityChange> changes) {
        if (!approvals.isEmpty() && approvals.contains(PlanDigest.of(changes))) {
            changes.forEach(change -> approved.add(essence(change)));
        }
    }

    private long counted(Collection<AffinityChange> changes) {
        return changes.stream().filter(this::counts).count();
    }

    /** Says whether a change needs an approval if there are too many: nothing explains it, and it has none. */
    private boolean counts(AffinityChange change) {
        return change.lostNode().isEmpty() && !approved.contains(essence(change));
    }

    private ChangeDelay delay(Held why) {
        return new ChangeDelay(
                WaitReason.BREAKER,
                "more volumes of " + why.group().orElse("the source " + why.source())
                        + " would change than may change unexplained (" + why.changes() + " of " + why.volumes()
                        + "; " + limit.percent() + " %, at least " + limit.least()
                        + (why.group().isPresent() ? "); others go on" : "), and no group of them alone is the cause")
                        + "; approve it with --approve " + why.digest());
    }

    /**
     * Returns why a change over the limit waits: what is about the one volume goes first, and settling is named too.
     */
    private static ChangeDelay stopped(Optional<ChangeDelay> own, ChangeDelay limit) {
        return own.map(delay -> delay.reason() == WaitReason.SETTLING
                        ? new ChangeDelay(limit.reason(), limit.text() + "; besides, " + delay.text())
                        : delay)
                .orElse(limit);
    }

    /** Returns what an approval is about: the change, whatever its reason. */
    private static AffinityChange essence(AffinityChange change) {
        return new AffinityChange(
                change.volume(), change.uid(), change.from(), change.to(), change.source(), "", Optional.empty());
    }
}
