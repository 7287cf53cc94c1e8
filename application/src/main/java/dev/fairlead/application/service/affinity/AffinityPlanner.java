package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.PlacementSource;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.application.service.affinity.AffinityPlan.Entry;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.AffinityChange.Kind;
import dev.fairlead.domain.affinity.ChangeDelay;
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

/**
 * Compares the affinity of PersistentVolumes with the places of their data. It remembers what the sources said before,
 * since some changes wait until the same has been said for a while. Not for use by several threads.
 */
public final class AffinityPlanner {
    private final VolumeCatalog catalog;
    private final List<PlacementSource> sources;
    private final ChangeRules rules;
    private final PlanLimit limit;
    private final Optional<PlanDigest> approval;
    private final Set<AffinityChange> approved = new HashSet<>();
    private Map<String, SteadyReading> readings = new HashMap<>();

    /** @param approval the digest of a plan that may be made although it is over the limit */
    public AffinityPlanner(
            VolumeCatalog catalog,
            List<PlacementSource> sources,
            ChangeRules rules,
            PlanLimit limit,
            Optional<PlanDigest> approval) {
        this.catalog = catalog;
        this.sources = List.copyOf(sources);
        this.rules = rules;
        this.limit = limit;
        this.approval = approval;
    }

    /**
     * Asks the sources and returns what would change.
     *
     * @param now the time on a clock that never goes back
     * @throws StorageException if the PersistentVolumes are not known
     */
    public AffinityPlan plan(Duration now) {
        Map<PlacementSource, List<KnownVolume>> bySource = bySource();
        Map<String, SteadyReading> next = new HashMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        TreeMap<String, String> unknown = new TreeMap<>();
        List<Entry> entries = new ArrayList<>();
        Set<String> twins = twins(bySource.values());
        bySource.forEach((source, volumes) -> {
            counts.put(source.name(), volumes.size());
            Map<String, PlacementReading> read = read(source, volumes);
            List<Entry> planned = new ArrayList<>();
            for (KnownVolume volume : volumes) {
                PlacementReading reading = twins.contains(volume.placed().name())
                        ? PlacementReading.unknown("another PersistentVolume has the same driver and handle")
                        : read.getOrDefault(
                                volume.placed().name(), PlacementReading.unknown("the source says nothing of it"));
                SteadyReading steady = Optional.ofNullable(readings.get(volume.uid()))
                        .map(before -> before.then(reading, now))
                        .orElseGet(() -> SteadyReading.first(reading, now));
                next.put(volume.uid(), steady);
                if (reading.placement() instanceof VolumePlacement.Unknown(String why)) {
                    unknown.put(volume.placed().name(), why);
                }
                entry(source, volume, steady, now).ifPresent(planned::add);
            }
            entries.addAll(planned);
        });
        readings = next;
        entries.sort(Comparator.comparing(entry -> entry.change().volume()));
        return limited(new AffinityPlan(entries, unknown, counts));
    }

    private Map<PlacementSource, List<KnownVolume>> bySource() {
        Map<PlacementSource, List<KnownVolume>> bySource = new LinkedHashMap<>();
        sources.forEach(source -> bySource.put(source, new ArrayList<>()));
        for (KnownVolume volume : catalog.volumes()) {
            sources.stream()
                    .filter(source -> source.answersFor(volume.placed()))
                    .findFirst()
                    .map(bySource::get)
                    .ifPresent(list -> list.add(volume));
        }
        return bySource;
    }

    /** Returns the names of volumes that share their storage with another, so that one of the two is wrong. */
    private static Set<String> twins(Iterable<List<KnownVolume>> all) {
        Map<String, String> first = new HashMap<>();
        Set<String> twins = new HashSet<>();
        for (List<KnownVolume> volumes : all) {
            for (KnownVolume volume : volumes) {
                PlacedVolume placed = volume.placed();
                String other = first.putIfAbsent(placed.driver() + "\n" + placed.handle(), placed.name());
                if (other != null) {
                    twins.add(other);
                    twins.add(placed.name());
                }
            }
        }
        return twins;
    }

    /** Returns the readings; if the source cannot answer, all are unknown, and why. */
    private static Map<String, PlacementReading> read(PlacementSource source, List<KnownVolume> volumes) {
        if (volumes.isEmpty()) {
            return Map.of();
        }
        try {
            return source.read(volumes.stream().map(KnownVolume::placed).toList());
        } catch (StorageException e) {
            return unknown(volumes, e.failure().code() + " " + e.failure().message());
        } catch (RuntimeException e) {
            // What one volume says of itself must not stop the changes of all others.
            return unknown(
                    volumes,
                    "its source " + source.name() + " broke: " + e.getClass().getSimpleName());
        }
    }

    private static Map<String, PlacementReading> unknown(List<KnownVolume> volumes, String why) {
        Map<String, PlacementReading> unknown = new HashMap<>();
        volumes.forEach(volume -> unknown.put(volume.placed().name(), PlacementReading.unknown(why)));
        return unknown;
    }

    private Optional<Entry> entry(PlacementSource source, KnownVolume volume, SteadyReading steady, Duration now) {
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
        return change.map(one -> new Entry(one, rules.delay(one, steady, volume.use(), now)));
    }

    /** Makes the changes of a source wait that are more than may be made unexplained and that nobody has approved. */
    private AffinityPlan limited(AffinityPlan plan) {
        if (approval.filter(plan.digest()::equals).isPresent()) {
            approved.addAll(
                    plan.changes().stream().map(AffinityPlanner::essence).toList());
        }
        Set<String> stopped = new HashSet<>();
        plan.volumes().forEach((source, count) -> {
            List<AffinityChange> changes = plan.changes().stream()
                    .filter(change -> change.source().equals(source) && !approved.contains(essence(change)))
                    .toList();
            if (limit.isExceeded(changes, count)) {
                stopped.add(source);
            }
        });
        List<Entry> entries = plan.entries().stream()
                .map(entry -> stopped.contains(entry.change().source()) && !isFree(entry.change())
                        ? new Entry(entry.change(), Optional.of(stopped(entry.delay(), tooMany(plan))))
                        : entry)
                .toList();
        return new AffinityPlan(entries, plan.unknown(), plan.volumes());
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

    private boolean isFree(AffinityChange change) {
        return change.lostNode().isPresent() || approved.contains(essence(change));
    }

    private ChangeDelay tooMany(AffinityPlan plan) {
        return new ChangeDelay(
                WaitReason.BREAKER,
                "the plan changes more volumes of one source than may change unexplained (" + limit.percent()
                        + " %, at least " + limit.least() + "); approve it with --approve " + plan.digest());
    }

    /** Returns what an approval is about: the change, whatever its reason. */
    private static AffinityChange essence(AffinityChange change) {
        return new AffinityChange(
                change.volume(), change.uid(), change.from(), change.to(), change.source(), "", Optional.empty());
    }
}
