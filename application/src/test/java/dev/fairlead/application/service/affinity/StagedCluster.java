package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumeUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Volumes of a cluster, and what is changed there. */
final class StagedCluster implements VolumeCatalog, AffinityChanger {
    static final VolumeUse IDLE = new VolumeUse(false, Optional.empty(), "Bound", List.of());

    private final Map<String, KnownVolume> volumes = new TreeMap<>();
    private final List<String> changed = new ArrayList<>();
    private final Set<String> refused = new TreeSet<>();
    private int resumed;

    void add(String name, String handle, VolumeUse use, String... hosts) {
        PlacedVolume placed = new PlacedVolume(
                name, "org.example.csi", handle, Map.of(), Map.of(), Optional.empty(), Optional.empty());
        NodeAffinity affinity = hosts.length == 0
                ? NodeAffinity.UNSET
                : NodeAffinity.of(StagedSource.segments(hosts)).orElseThrow();
        volumes.put(name, new KnownVolume(placed, "uid-" + name, affinity, use));
    }

    void refuse(String name) {
        refused.add(name);
    }

    List<String> changed() {
        return List.copyOf(changed);
    }

    int resumed() {
        return resumed;
    }

    @Override
    public List<KnownVolume> volumes() {
        return List.copyOf(volumes.values());
    }

    @Override
    public Optional<KnownVolume> volume(String name) {
        return Optional.ofNullable(volumes.get(name));
    }

    @Override
    public ChangeOutcome change(AffinityChange change, Predicate<String> mayBegin) {
        if (!mayBegin.test(change.volume())) {
            return new ChangeOutcome(change.volume(), ChangeOutcome.Result.ABANDONED, "not now");
        }
        if (refused.contains(change.volume())) {
            return new ChangeOutcome(change.volume(), ChangeOutcome.Result.BLOCKED, "refused");
        }
        changed.add(change.volume());
        KnownVolume before = Objects.requireNonNull(volumes.get(change.volume()));
        volumes.put(change.volume(), new KnownVolume(before.placed(), before.uid(), change.to(), before.use()));
        return new ChangeOutcome(change.volume(), ChangeOutcome.Result.REPLACED, "");
    }

    @Override
    public List<ChangeOutcome> strays(List<KnownVolume> all) {
        return List.of();
    }

    @Override
    public List<ChangeOutcome> resume(BooleanSupplier goOn) {
        resumed++;
        return List.of();
    }
}
