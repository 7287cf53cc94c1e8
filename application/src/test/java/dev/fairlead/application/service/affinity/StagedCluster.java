package dev.fairlead.application.service.affinity;

import dev.fairlead.application.port.out.placement.AffinityChanger;
import dev.fairlead.application.port.out.placement.ChangeOutcome;
import dev.fairlead.application.port.out.placement.KnownVolume;
import dev.fairlead.application.port.out.placement.PlacedVolume;
import dev.fairlead.application.port.out.placement.VolumeCatalog;
import dev.fairlead.domain.affinity.AffinityChange;
import dev.fairlead.domain.affinity.NodeAffinity;
import dev.fairlead.domain.affinity.VolumeUse;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
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
    private final List<String> tried = new ArrayList<>();
    private final Set<String> refused = new TreeSet<>();
    private final Set<String> stopping = new TreeSet<>();
    private final Set<String> late = new TreeSet<>();
    private final Set<String> held = new TreeSet<>();
    private final Set<String> sticking = new TreeSet<>();
    private final Set<String> open = new TreeSet<>();
    private int resumed;

    void add(String name, String handle, VolumeUse use, String... hosts) {
        add(name, handle, use, "org.example.csi", List.of(hosts));
    }

    void add(String name, String handle, VolumeUse use, String driver, List<String> hosts) {
        add(name, handle, use, driver, hosts, Optional.empty());
    }

    /** Adds a volume of a class, whose handle is its name. */
    void addOfClass(String name, String storageClass, String... hosts) {
        add(name, name, IDLE, "org.example.csi", List.of(hosts), Optional.of(storageClass));
    }

    private void add(
            String name,
            String handle,
            VolumeUse use,
            String driver,
            List<String> hosts,
            Optional<String> storageClass) {
        PlacedVolume placed =
                new PlacedVolume(name, driver, handle, Map.of(), Map.of(), storageClass, Optional.empty());
        NodeAffinity affinity = hosts.isEmpty()
                ? NodeAffinity.UNSET
                : NodeAffinity.of(StagedSource.segments(hosts.toArray(String[]::new)))
                        .orElseThrow();
        volumes.put(name, new KnownVolume(placed, "uid-" + name, affinity, use));
    }

    void refuse(String name) {
        refused.add(name);
    }

    /** Says that something else has to be done with the volume first. */
    void hold(String name) {
        held.add(name);
    }

    /** Lets the claim of a volume stay unbound once that is replaced. */
    void stick(String name) {
        sticking.add(name);
    }

    /** Lets the claim of a volume be bound again. */
    void unstick(String name) {
        sticking.remove(name);
    }

    /** Returns the volumes whose replacement has begun and not ended. */
    Set<String> open() {
        return Set.copyOf(open);
    }

    /** Lets somebody change the volume between each plan and its change. */
    void beLate(String name) {
        late.add(name);
    }

    void stopAt(String name) {
        stopping.add(name);
    }

    List<String> changed() {
        return List.copyOf(changed);
    }

    /** Returns the volumes of which a change was asked for, in order. */
    List<String> tried() {
        return List.copyOf(tried);
    }

    void allow(String name) {
        refused.remove(name);
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
        if (stopping.contains(change.volume())) {
            throw new StorageException(new Failure.OtherControllerAlive("it renews"));
        }
        tried.add(change.volume());
        if (late.contains(change.volume()) || !mayBegin.test(change.volume())) {
            return new ChangeOutcome(change.volume(), ChangeOutcome.Result.ABANDONED, "not now");
        }
        if (refused.contains(change.volume())) {
            return new ChangeOutcome(change.volume(), ChangeOutcome.Result.BLOCKED, "refused");
        }
        if (sticking.contains(change.volume())) {
            open.add(change.volume());
            return new ChangeOutcome(change.volume(), ChangeOutcome.Result.UNFINISHED, "its claim is not bound");
        }
        changed.add(change.volume());
        KnownVolume before = Objects.requireNonNull(volumes.get(change.volume()));
        volumes.put(change.volume(), new KnownVolume(before.placed(), before.uid(), change.to(), before.use()));
        return new ChangeOutcome(change.volume(), ChangeOutcome.Result.REPLACED, "");
    }

    @Override
    public Optional<ChangeOutcome> obstacle(AffinityChange change) {
        return Optional.of(change.volume())
                .filter(held::contains)
                .map(name -> new ChangeOutcome(name, ChangeOutcome.Result.ABANDONED, "something else comes first"));
    }

    @Override
    public List<ChangeOutcome> strays(List<KnownVolume> all) {
        return List.of();
    }

    @Override
    public List<ChangeOutcome> resume(BooleanSupplier goOn) {
        resumed++;
        List<ChangeOutcome> outcomes = open.stream()
                .map(name -> sticking.contains(name)
                        ? new ChangeOutcome(name, ChangeOutcome.Result.UNFINISHED, "its claim is not bound")
                        : new ChangeOutcome(name, ChangeOutcome.Result.REPLACED, "done"))
                .toList();
        open.retainAll(sticking);
        return outcomes;
    }
}
