package dev.fairlead.adapter.zfs.store;

import dev.fairlead.adapter.zfs.cli.Complaint;
import dev.fairlead.adapter.zfs.cli.DatasetType;
import dev.fairlead.adapter.zfs.cli.Rows;
import dev.fairlead.adapter.zfs.cli.Steps;
import dev.fairlead.adapter.zfs.dataset.DatasetName;
import dev.fairlead.adapter.zfs.dataset.Layout;
import dev.fairlead.adapter.zfs.dataset.SnapshotName;
import dev.fairlead.adapter.zfs.host.ZfsHost;
import dev.fairlead.adapter.zfs.host.ZfsHost.Outcome;
import dev.fairlead.adapter.zfs.host.ZfsSettings;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.digest.Digests;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.IdPolicy;
import dev.fairlead.domain.volume.NativeId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Takes snapshots of volumes as snapshots of their datasets. */
final class ZfsSnapshotStore implements SnapshotStore {
    private static final String DETACHED = "detachedSnapshots";

    /** What a shortened name needs at least, or it would be all digest. */
    private static final int LEAST_NAME = 32;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_:.][A-Za-z0-9_:.-]*");

    private final ZfsHost host;
    private final Layout layout;
    private final ZfsSettings settings;
    private final DetachedSnapshots detached;

    ZfsSnapshotStore(ZfsHost host, Layout layout, ZfsSettings settings) {
        this.host = host;
        this.layout = layout;
        this.settings = settings;
        this.detached = new DetachedSnapshots(host, layout);
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        DatasetName volume = layout.volume(request.source())
                .orElseThrow(() -> new StorageException(
                        new Failure.VolumeNotFound(request.source().value())));
        requireOurs(volume, request.source(), work);
        SnapshotName name = name(request, volume, maxIdBytes);
        if (isDetached(request)) {
            return takeDetached(request, volume, name.name(), work);
        }
        NativeId id = new NativeId(request.source() + "@" + name.name());
        Steps steps = new Steps()
                .then(host.zfs().snapshot(List.of(name), SnapshotProperties.of(request, settings)))
                .then(host.zfs().get(name.toString(), SnapshotProperties.ASKED));
        Outcome outcome = host.run("zfs snapshot", name.toString(), steps, work);
        if (outcome.failedAt(0, Complaint.ALREADY_EXISTS)) {
            return find(id, work)
                    .orElseThrow(() -> new StorageException(new Failure.NotOurs(id.value(), "the snapshot " + name)));
        }
        if (outcome.failedAt(0, Complaint.DOES_NOT_EXIST)) {
            throw new StorageException(
                    new Failure.VolumeNotFound(request.source().value()));
        }
        return Optional.ofNullable(host.rows(outcome, name.toString(), SnapshotProperties.ASKED)
                        .get(name.toString()))
                .map(rows -> new SnapshotProperties(name.toString(), id, request.source(), rows))
                .filter(SnapshotProperties::isManaged)
                .map(SnapshotProperties::snapshot)
                .orElseThrow(() -> host.untrue(name + " was taken, and is not there when it is read back"));
    }

    /** Nothing is taken of a dataset without the mark: what is not ours is not touched. */
    private void requireOurs(DatasetName volume, NativeId id, Work work) {
        boolean ours = host.get(volume.value(), VolumeProperties.ASKED, work)
                .map(rows -> new VolumeProperties(volume, rows))
                .filter(found -> found.isManaged() && found.isWhole())
                .isPresent();
        if (!ours) {
            throw new StorageException(new Failure.VolumeNotFound(id.value()));
        }
    }

    /** A copy of its own by send and receive, which a class may ask for. */
    private static boolean isDetached(SnapshotRequest request) {
        return Boolean.parseBoolean(request.parameters().getOrDefault(DETACHED, "false"));
    }

    private StoredSnapshot takeDetached(SnapshotRequest request, DatasetName volume, String name, Work work) {
        DatasetName dataset = layout.detached(request.source(), name)
                .orElseThrow(() -> new StorageException(new Failure.Unsupported(
                        DETACHED + ": true",
                        "give the connection a zfs.detachedSnapshotsDatasetParentName, or leave it out of the"
                                + " VolumeSnapshotClass")));
        return detached.take(
                volume,
                dataset,
                new NativeId(request.source() + "/" + name),
                SnapshotProperties.of(request, settings),
                work);
    }

    private static SnapshotName name(SnapshotRequest request, DatasetName volume, int maxIdBytes) {
        int room = Math.min(
                maxIdBytes - request.source().value().length() - 1,
                DatasetName.MAX_BYTES - volume.value().length() - 1);
        if (room < LEAST_NAME) {
            throw new StorageException(new Failure.InvalidRequest(
                    "name",
                    "leaves " + room + " bytes for the name of a snapshot of " + volume + " (expected: at least "
                            + LEAST_NAME + "; use a shorter parent dataset)"));
        }
        String text = IdPolicy.shorten(plain(request.name().value()), room);
        try {
            return volume.snapshot(text);
        } catch (IllegalArgumentException e) {
            throw new StorageException(
                    new Failure.InvalidRequest("name", "cannot be the name of a snapshot of " + volume), e);
        }
    }

    /** A name that ZFS takes; one that it does not, as CSI allows any, is told apart by its digest. */
    private static String plain(String name) {
        return NAME.matcher(name).matches() && name.chars().anyMatch(c -> c != '.')
                ? name
                : "s" + name.replaceAll("[^A-Za-z0-9]", "_") + "--"
                        + HexFormat.of().formatHex(Digests.sha256(name)).substring(0, 26);
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        return layout.snapshot(id).flatMap(place -> switch (place) {
            case Layout.Place.Snapshot snapshot -> look(id, snapshot, work).map(SnapshotProperties::snapshot);
            case Layout.Place.Detached copy -> detached.find(copy.name(), work);
        });
    }

    private Optional<SnapshotProperties> look(NativeId id, Layout.Place.Snapshot place, Work work) {
        String name = place.name().toString();
        return host.get(name, SnapshotProperties.ASKED, work)
                .map(rows -> new SnapshotProperties(name, id, place.volume(), rows))
                .filter(SnapshotProperties::isManaged);
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        return all(Optional.empty(), work).values().stream()
                .filter(snapshot -> snapshot.name().filter(name::equals).isPresent())
                .findFirst();
    }

    @Override
    public void delete(NativeId id, Work work) {
        layout.snapshot(id).ifPresent(place -> {
            switch (place) {
                case Layout.Place.Snapshot snapshot -> delete(id, snapshot, work);
                case Layout.Place.Detached copy -> detached.delete(id, copy.name(), work);
            }
        });
    }

    private void delete(NativeId id, Layout.Place.Snapshot place, Work work) {
        if (look(id, place, work).isEmpty()) {
            return;
        }
        SnapshotName name = place.name();
        // Where volumes were restored from it, it goes with the last of them; until then it is nobody's any more.
        Steps steps = new Steps().then(host.zfs().destroy(name, true));
        Outcome outcome = host.run("zfs destroy", name.toString(), steps, work);
        if (!outcome.succeeded() && outcome.complaint() != Complaint.DOES_NOT_EXIST) {
            throw host.failure("destroying " + name, outcome);
        }
        if (look(id, place, work).isPresent()) {
            throw host.untrue(name + " was destroyed, and is still there");
        }
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        boolean none = source.isPresent() && layout.volume(source.get()).isEmpty();
        return Pages.of(none ? new TreeMap<>() : all(source, work), page);
    }

    private SortedMap<String, StoredSnapshot> all(Optional<NativeId> source, Work work) {
        DatasetName top = source.flatMap(layout::volume).orElse(layout.parent());
        SortedMap<String, StoredSnapshot> found = detached.list(source, work);
        host.below(top, source.isPresent() ? 1 : 2, Set.of(DatasetType.SNAPSHOT), SnapshotProperties.ASKED, work)
                .forEach((text, rows) -> SnapshotName.of(text)
                        .flatMap(name -> properties(name, rows))
                        .filter(SnapshotProperties::isManaged)
                        .map(SnapshotProperties::snapshot)
                        .ifPresent(snapshot -> found.put(snapshot.id().value(), snapshot)));
        return found;
    }

    private Optional<SnapshotProperties> properties(SnapshotName name, Map<String, Rows.Property> rows) {
        return layout.snapshot(name)
                .flatMap(id -> layout.volume(name.dataset())
                        .map(volume -> new SnapshotProperties(name.toString(), id, volume, rows)));
    }
}
