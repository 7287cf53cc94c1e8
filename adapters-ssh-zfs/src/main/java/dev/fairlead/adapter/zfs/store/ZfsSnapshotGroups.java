package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.host.StepsOutcome;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.store.snapshot.SnapshotCatalogue;
import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.snapshot.GroupRequest;
import dev.fairlead.domain.snapshot.GroupShape;
import dev.fairlead.domain.snapshot.StoredGroup;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.zfs.dataset.DatasetLayout;
import dev.fairlead.zfs.dataset.DatasetName;
import dev.fairlead.zfs.dataset.DatasetType;
import dev.fairlead.zfs.dataset.SnapshotName;
import dev.fairlead.zfs.property.PeerProperties;
import dev.fairlead.zfs.settings.ZfsSettings;
import dev.fairlead.zfs.snapshot.GroupMark;
import dev.fairlead.zfs.snapshot.SnapshotNaming;
import dev.fairlead.zfs.snapshot.SnapshotProperties;
import dev.fairlead.zfs.volume.VolumeProperties;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Takes snapshots of several volumes with one {@code zfs snapshot}, which ZFS does in one transaction group: all of
 * them or none, at one instant, with the mark of their group.
 */
final class ZfsSnapshotGroups implements SnapshotGroups {
    /** The most volumes of a group; a command line has room for that many with the longest possible names. */
    static final int MOST = 100;

    /** The number of steps that one round trip has room for. */
    private static final int AT_ONCE = 50;

    private static final String KIND = "zfs snapshot";

    private final ZfsHost host;
    private final DatasetLayout layout;
    private final DatasetType type;
    private final ZfsSettings settings;
    private final SnapshotCatalogue catalogue;

    ZfsSnapshotGroups(ZfsHost host, DatasetLayout layout, DatasetType type, ZfsSettings settings) {
        this.host = host;
        this.type = type;
        this.layout = layout;
        this.settings = settings;
        this.catalogue = new SnapshotCatalogue(host, layout);
    }

    private static NativeId idOf(CsiName name, int maxIdBytes) {
        return SnapshotNaming.group(name, maxIdBytes);
    }

    @Override
    public StoredGroup take(GroupRequest request, int maxIdBytes, Work work) {
        Rows.requireUnambiguous(request.name());
        Map<NativeId, DatasetName> volumes = volumes(request);
        refuse(request, volumes.values());
        NativeId id = idOf(request.name(), maxIdBytes);
        List<SnapshotProperties> there = catalogue.ofGroup(id, work);
        if (there.isEmpty()) {
            requireOurs(volumes, work);
            cut(request, id, names(request, volumes, maxIdBytes), work);
            there = catalogue.ofGroup(id, work);
        }
        tellSources(id, there, work);
        return group(id, there)
                .orElseThrow(() -> host.untrue("the snapshots of " + id + " were taken, and are not there"));
    }

    private Map<NativeId, DatasetName> volumes(GroupRequest request) {
        Map<NativeId, DatasetName> volumes = new TreeMap<>();
        request.sources()
                .forEach(source -> volumes.put(source, layout.volume(source).orElseThrow(() -> notFound(source))));
        return volumes;
    }

    private static void refuse(GroupRequest request, Collection<DatasetName> volumes) {
        if (ZfsSnapshotStore.isDetached(request.parameters())) {
            throw new StorageException(new Failure.Unsupported(
                    "detached snapshots of several volumes, which would be copied one after the other",
                    "leave " + ZfsSnapshotStore.DETACHED + " out of the VolumeGroupSnapshotClass"));
        }
        if (volumes.size() > MOST) {
            throw new StorageException(new Failure.InvalidRequest(
                    "source_volume_ids",
                    "name " + volumes.size() + " volumes (expected: at most " + MOST + " of one instant)"));
        }
        refusePools(volumes);
    }

    /** Throws if the volumes are in several pools, since ZFS takes snapshots at one instant only within a pool. */
    static void refusePools(Collection<DatasetName> volumes) {
        var pools = new TreeSet<>(volumes.stream().map(DatasetName::pool).toList());
        if (pools.size() > 1) {
            throw new StorageException(new Failure.Unsupported(
                    "a group snapshot of volumes in the pools " + pools + ", which have no instant in common",
                    "select the volumes of one pool only"));
        }
    }

    private void requireOurs(Map<NativeId, DatasetName> volumes, Work work) {
        Steps steps = new Steps().then(host.zfs().getEach(volumes.values(), VolumeProperties.ASKED));
        StepsOutcome outcome = host.run("zfs get", top(), steps, work);
        if (outcome.failedFirst(Complaint.DOES_NOT_EXIST)) {
            throw missing(volumes, outcome, work);
        }
        var rows = host.rows(outcome, top(), VolumeProperties.ASKED);
        volumes.forEach((id, name) -> {
            var volume = new VolumeProperties(name, rows.getOrDefault(name.value(), Map.of()));
            if (!volume.isManaged() || !volume.isWhole() || !volume.isOf(type)) {
                throw notFound(id);
            }
        });
    }

    private StorageException missing(Map<NativeId, DatasetName> volumes, StepsOutcome outcome, Work work) {
        return volumes.entrySet().stream()
                .filter(volume -> host.get(volume.getValue().value(), List.of("type"), work)
                        .isEmpty())
                .findFirst()
                .map(volume -> notFound(volume.getKey()))
                .orElseGet(() -> host.failure("looking at the volumes of a group", outcome));
    }

    private static List<SnapshotName> names(GroupRequest request, Map<NativeId, DatasetName> volumes, int maxIdBytes) {
        return volumes.entrySet().stream()
                .map(volume -> SnapshotNaming.name(request.name(), volume.getKey(), volume.getValue(), maxIdBytes))
                .toList();
    }

    private void cut(GroupRequest request, NativeId id, List<SnapshotName> names, Work work) {
        var mark = new GroupMark(id, GroupShape.of(request));
        Steps steps = new Steps().then(host.zfs().snapshot(names, SnapshotProperties.of(request, mark, settings)));
        names.stream()
                .limit(AT_ONCE)
                .forEach(name -> layout.volume(name.dataset())
                        .ifPresent(volume -> steps.then(source(name.toString(), volume.value()))));
        StepsOutcome outcome = host.run(KIND, target(id), steps, work);
        if (outcome.succeeded()) {
            return;
        }
        if (outcome.failedFirst(Complaint.ALREADY_EXISTS)) {
            if (catalogue.ofGroup(id, work).isEmpty()) { // if there are any, another controller was quicker
                throw taken(id, names, outcome);
            }
        } else if (outcome.failedFirst(Complaint.DOES_NOT_EXIST)) {
            throw new StorageException(new Failure.VolumeNotFound(names.stream()
                    .map(SnapshotName::dataset)
                    .filter(volume -> outcome.said().contains("'" + volume))
                    .flatMap(volume -> layout.volume(volume).stream())
                    .map(NativeId::value)
                    .collect(Collectors.joining(", "))));
        } else {
            throw host.failure("taking the snapshots of " + id, outcome);
        }
    }

    /** Returns the failure if ZFS took none of the snapshots because one of their names is in use. */
    private StorageException taken(NativeId id, List<SnapshotName> names, StepsOutcome outcome) {
        String there = names.stream()
                .filter(name -> outcome.said().contains("'" + name + "'"))
                .flatMap(name -> layout.snapshot(name).stream())
                .map(NativeId::value)
                .collect(Collectors.joining(", "));
        return new StorageException(
                new Failure.SnapshotConflict(there, "it has the name that a snapshot of group " + id + " is to have"));
    }

    /**
     * Notes its volume on each snapshot, for democratic-csi. The values differ, so they are set after the snapshots are
     * taken; a call that finds some missing adds them.
     */
    private void tellSources(NativeId id, List<SnapshotProperties> snapshots, Work work) {
        List<SnapshotProperties> left =
                snapshots.stream().filter(snapshot -> !snapshot.hasSource()).toList();
        for (int from = 0; from < left.size(); from += AT_ONCE) {
            Steps steps = new Steps();
            left.subList(from, Math.min(from + AT_ONCE, left.size()))
                    .forEach(snapshot ->
                            steps.then(source(snapshot.name(), snapshot.volume().value())));
            StepsOutcome outcome = host.run("zfs set", target(id), steps, work);
            if (!outcome.succeeded()) {
                throw host.failure("marking the snapshots of " + id, outcome);
            }
        }
    }

    private List<String> source(String snapshot, String volume) {
        return host.zfs().set(snapshot, Map.of(PeerProperties.SNAPSHOT_SOURCE, volume));
    }

    private String target(NativeId id) {
        return top() + "@" + id;
    }

    private String top() {
        return layout.parents().usual().value();
    }

    @Override
    public Optional<StoredGroup> findByName(CsiName name, int maxIdBytes, Work work) {
        return find(idOf(name, maxIdBytes), work);
    }

    @Override
    public Optional<StoredGroup> find(NativeId id, Work work) {
        List<SnapshotProperties> there = catalogue.ofGroup(id, work);
        if (there.isEmpty()) {
            catalogue.proveAbsence(id, work);
        }
        return group(id, there);
    }

    private static Optional<StoredGroup> group(NativeId id, List<SnapshotProperties> snapshots) {
        return snapshots.stream()
                .findFirst()
                .flatMap(SnapshotProperties::group)
                .map(mark -> new StoredGroup(
                        id,
                        mark.shape(),
                        snapshots.stream().map(SnapshotProperties::snapshot).toList()));
    }

    @Override
    public void delete(NativeId id, Work work) {
        int before = Integer.MAX_VALUE;
        for (var left = catalogue.ofGroup(id, work); !left.isEmpty(); left = catalogue.ofGroup(id, work)) {
            if (left.size() >= before) {
                throw host.untrue("snapshots of " + id + " were destroyed, and are still there");
            }
            before = left.size();
            destroy(id, left.stream().limit(AT_ONCE).toList(), work);
        }
        if (before == Integer.MAX_VALUE) {
            catalogue.proveAbsence(id, work);
        }
    }

    private void destroy(NativeId id, List<SnapshotProperties> snapshots, Work work) {
        Steps steps = new Steps();
        // Deferred, as for a single one: if volumes were restored from it, it disappears with the last of them.
        snapshots.stream()
                .flatMap(snapshot -> SnapshotName.of(snapshot.name()).stream())
                .forEach(name -> steps.then(host.zfs().destroy(name, true)));
        StepsOutcome outcome = host.run("zfs destroy", target(id), steps, work);
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying the snapshots of " + id, outcome);
        }
    }

    private static StorageException notFound(NativeId volume) {
        return new StorageException(new Failure.VolumeNotFound(volume.value()));
    }
}
