package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.KnownNodes;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.AffinityChange.Kind;
import dev.fairlead.domain.affinity.AffinityFinding;
import dev.fairlead.domain.affinity.ChangeDelay;
import dev.fairlead.domain.affinity.ChangeGroup;
import dev.fairlead.domain.affinity.ChangeRules;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.PlacementReading;
import dev.fairlead.domain.affinity.PlanDigest;
import dev.fairlead.domain.affinity.PlanLimit;
import dev.fairlead.domain.affinity.SteadyReading;
import dev.fairlead.domain.affinity.VolumePlacement;
import dev.fairlead.domain.affinity.WaitReason;
import dev.fairlead.domain.failure.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares the affinity of PersistentVolumes with the places of their data. It remembers what the sources said before
 * of those that differ, since some changes wait until the same has been said for a while. Not for use by several
 * threads.
 */
public final class AffinityPlanner {
    private final VolumeCatalog catalog;
    private final List<PlacementSource> sources;
    private final KnownNodes nodes;
    private final SourceRounds rounds;
    private final ChangeRules rules;
    private final HeldGroups held;
    private Map<String, SteadyReading> readings = new HashMap<>();
    private Map<String, AffinityChange> waiting = Map.of();
    private Optional<Duration> due = Optional.empty();

    /**
     * @param approvals the digests of what may be made although it is over the limit
     * @param rounds asks the sources for what is due
     */
    public AffinityPlanner(
            VolumeCatalog catalog,
            List<PlacementSource> sources,
            KnownNodes nodes,
            ChangeRules rules,
            PlanLimit limit,
            Set<PlanDigest> approvals,
            SourceRounds rounds) {
        this.catalog = catalog;
        this.rounds = rounds;
        this.sources = List.copyOf(sources);
        this.nodes = nodes;
        this.rules = rules;
        this.held = new HeldGroups(limit, approvals);
    }

    /**
     * Asks the sources and returns what would change. Nothing is planned by what was said in an earlier round.
     *
     * @param now the time on a clock that never goes back
     * @throws StorageException if the PersistentVolumes are not known
     */
    public AffinityPlan plan(Duration now) {
        Map<PlacementSource, List<KnownVolume>> bySource = bySource();
        bySource.forEach((source, volumes) ->
                source.living(volumes.size(), volumes.stream().map(KnownVolume::placed)));
        Map<PlacementSource, Map<String, TimedReading>> said = rounds.read(bySource, now);
        Set<String> fresh = new HashSet<>();
        Map<String, SteadyReading> next = new HashMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        TreeMap<String, VolumePlacement.Unknown> unknown = new TreeMap<>();
        List<Entry> entries = new ArrayList<>();
        Set<String> twins = twins(bySource.values());
        bySource.forEach((source, volumes) -> {
            counts.put(source.name(), volumes.size());
            Map<String, TimedReading> read = said.getOrDefault(source, Map.of());
            boolean silent = rounds.isSilent(source);
            fresh.addAll(read.keySet());
            List<Entry> planned = new ArrayList<>();
            for (KnownVolume volume : volumes) {
                TimedReading told = read.get(volume.placed().name());
                if (told == null) {
                    Optional<VolumePlacement.Unknown> why = keep(volume, next, silent);
                    why.ifPresent(before -> unknown.put(volume.placed().name(), before));
                    if (why.isEmpty()) notRead(source, volume).ifPresent(planned::add);
                    continue;
                }
                PlacementReading reading = twins.contains(volume.placed().name())
                        ? PlacementReading.unknown(
                                AffinityFinding.SHARED_HANDLE,
                                "another PersistentVolume has the same driver and handle")
                        : told.reading();
                SteadyReading steady = Optional.ofNullable(readings.get(volume.uid()))
                        .map(before -> before.then(reading, now))
                        .orElseGet(() -> SteadyReading.first(reading, now));
                next.put(volume.uid(), steady);
                if (reading.placement() instanceof VolumePlacement.Unknown why) {
                    unknown.put(volume.placed().name(), why);
                }
                // A late answer does not tell that things stayed so until now.
                entry(source, volume, steady, told.asked()).ifPresent(planned::add);
            }
            entries.addAll(planned);
        });
        readings = next;
        waiting = entries.stream()
                .map(Entry::change)
                .collect(Collectors.toMap(AffinityChange::uid, one -> one, (one, _) -> one));
        rounds.planned(bySource.values(), fresh, entries);
        entries.sort(Comparator.comparing(entry -> entry.change().volume()));
        AffinityPlan plan = held.limited(new AffinityPlan(entries, unknown, counts), () -> sizes(bySource));
        due = plan.entries().stream()
                .filter(entry -> entry.delay()
                        .filter(delay -> delay.reason() == WaitReason.SETTLING)
                        .isPresent())
                .flatMap(
                        entry -> Optional.ofNullable(readings.get(entry.change().uid())).stream())
                .map(steady -> steady.since().plus(rules.settle()))
                .min(Comparator.naturalOrder());
        return plan;
    }

    /** Returns when the first of those placements of the last plan will have settled that are waited for. */
    public Optional<Duration> due() {
        return due;
    }

    /** Returns when there is something to plan again, whatever happens or not; empty if nothing was planned so far. */
    Optional<Duration> next() {
        return Stream.concat(due.stream(), rounds.next().stream()).min(Comparator.naturalOrder());
    }

    /** Returns the group with which a volume is counted; empty if no source answers for it. */
    Optional<ChangeGroup> group(KnownVolume volume) {
        return source(volume).map(source -> group(source, volume));
    }

    private Optional<PlacementSource> source(KnownVolume volume) {
        return sources.stream()
                .filter(source -> source.answersFor(volume.placed()))
                .findFirst();
    }

    private Map<PlacementSource, List<KnownVolume>> bySource() {
        Map<PlacementSource, List<KnownVolume>> bySource = new LinkedHashMap<>();
        sources.forEach(source -> bySource.put(source, new ArrayList<>()));
        for (KnownVolume volume : catalog.volumes()) {
            source(volume).map(bySource::get).ifPresent(list -> list.add(volume));
        }
        return bySource;
    }

    /** Returns the names of volumes that share their storage with another, so that one of the two is wrong. */
    private static Set<String> twins(Iterable<List<KnownVolume>> all) {
        Map<String, Map<String, String>> first = new HashMap<>();
        Set<String> twins = new HashSet<>();
        for (List<KnownVolume> volumes : all) {
            for (KnownVolume volume : volumes) {
                PlacedVolume placed = volume.placed();
                String other = first.computeIfAbsent(placed.driver(), _ -> new HashMap<>())
                        .putIfAbsent(placed.handle(), placed.name());
                if (other != null) {
                    twins.add(other);
                    twins.add(placed.name());
                }
            }
        }
        return twins;
    }

    /** Keeps what was said of a volume that was not read now; returns why it is unknown, empty if it is known. */
    private Optional<VolumePlacement.Unknown> keep(
            KnownVolume volume, Map<String, SteadyReading> next, boolean silent) {
        SteadyReading before = readings.get(volume.uid());
        if (before == null) return Optional.of(new VolumePlacement.Unknown("its source has not answered yet"));
        if (silent) return Optional.of(new VolumePlacement.Unknown("its source does not answer any more"));
        next.put(volume.uid(), before);
        return before.reading().placement() instanceof VolumePlacement.Unknown why
                ? Optional.of(why)
                : Optional.empty();
    }

    /** Returns the change that waited for a volume that was not read now: it goes on to wait, and to count. */
    private Optional<Entry> notRead(PlacementSource source, KnownVolume volume) {
        return Optional.ofNullable(waiting.get(volume.uid()))
                .filter(change -> change.from().equals(volume.affinity()))
                .map(change -> new Entry(
                        change,
                        group(source, volume),
                        Optional.of(
                                new ChangeDelay(WaitReason.NOT_READ, "its source has not answered in this round"))));
    }

    private Optional<Entry> entry(PlacementSource source, KnownVolume volume, SteadyReading steady, Duration asked) {
        Optional<NodeAffinity> wanted = NodeAffinity.of(steady.reading().placement());
        Optional<AffinityChange> change = wanted.map(to -> new AffinityChange(
                        volume.placed().name(),
                        volume.uid(),
                        volume.affinity(),
                        to,
                        source.name(),
                        steady.reading().reason(),
                        steady.reading().explanation(volume.affinity(), to)))
                .filter(one -> one.kind() != Kind.SAME);
        return change.map(one ->
                new Entry(one, group(source, volume), withNode(one, rules.delay(one, steady, volume.use(), asked))));
    }

    /** Makes a change wait, too, after which no node could use the volume; that it settles is less than that. */
    private Optional<ChangeDelay> withNode(AffinityChange change, Optional<ChangeDelay> delay) {
        boolean asked = change.kind().takesAccess()
                && delay.filter(one -> one.reason() != WaitReason.SETTLING).isEmpty();
        return asked
                ? nodes.obstacle(change.to())
                        .map(why -> new ChangeDelay(WaitReason.UNKNOWN_NODE, why))
                        .or(() -> delay)
                : delay;
    }

    private static ChangeGroup group(PlacementSource source, KnownVolume volume) {
        return new ChangeGroup(source.name(), source.group(volume.placed()));
    }

    private static Map<ChangeGroup, Integer> sizes(Map<PlacementSource, List<KnownVolume>> bySource) {
        Map<ChangeGroup, Integer> sizes = new HashMap<>();
        bySource.forEach(
                (source, volumes) -> volumes.forEach(volume -> sizes.merge(group(source, volume), 1, Integer::sum)));
        return sizes;
    }
}
