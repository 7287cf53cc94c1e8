package dev.fairlead.adapter.local.pool.hostpath;

import dev.fairlead.adapter.local.directory.tree.DirectoryFailures;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.volume.CreateRequest;
import dev.fairlead.domain.volume.HostpathName;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the volumes that kubevirt's hostpath-provisioner made in a pool, and makes none: a new volume is one of the
 * pool's own.
 */
public final class HostpathStore implements VolumeStore {
    private final VolumeStore volumes;
    private final HostpathFolders folders;
    private final HostpathSnapshotStore snapshots;
    private final Optional<HostpathSnapshotFolders> theirs;
    private final DirectoryFailures failures;

    /**
     * @param volumes keeps the folders of that program as volumes
     * @param theirs the snapshots that the program took; empty if it took none
     */
    public HostpathStore(
            VolumeStore volumes,
            HostpathFolders folders,
            Optional<HostpathSnapshotFolders> theirs,
            DirectoryFailures failures) {
        this.volumes = volumes;
        this.folders = folders;
        this.theirs = theirs;
        this.snapshots = new HostpathSnapshotStore(volumes.snapshots().orElseThrow(), theirs, failures);
        this.failures = failures;
    }

    /** Returns whether that program made a volume of this name in the pool. */
    public boolean holds(String name) {
        return failures.during("looking for volume " + name, () -> folders.holds(name));
    }

    /** Returns whether a snapshot of its volumes has this id, whoever took it. */
    public boolean holdsSnapshot(String id) {
        return failures.during(
                "looking for snapshot " + id,
                () -> (folders.layout().snapshots().accepts(id)
                                && folders.layout().snapshots().isFolder(id))
                        || (theirs.isPresent() && theirs.get().holds(id)));
    }

    /** Throws if it cannot be told whether the volume of a name is gone. */
    public void proveAbsence(NativeId id, Work work) {
        if (HostpathName.isName(id.value())) {
            var _ = volumes.find(id, work);
        }
    }

    /** Throws if it cannot be told whether the snapshot of a name is gone. */
    public void proveSnapshotAbsence(NativeId id, Work work) {
        var _ = snapshots.find(id, work);
    }

    @Override
    public Set<VolumeMedium.Kind> media() {
        return volumes.media();
    }

    @Override
    public Birth plan(CreateRequest request, NativeId suggested) {
        throw new IllegalStateException("a new volume of another program: " + suggested);
    }

    @Override
    public Creation create(Birth birth, Work work) {
        throw new IllegalStateException("a new volume of another program: " + birth.id());
    }

    @Override
    public Optional<StoredVolume> find(NativeId id, Work work) {
        return volumes.find(id, work);
    }

    @Override
    public Optional<VolumeMedium> placeOf(NativeId id, Work work) {
        return volumes.placeOf(id, work);
    }

    @Override
    public StoredVolume expand(NativeId id, CapacityRange range, Work work) {
        return volumes.expand(id, range, work);
    }

    @Override
    public DeletionCheck deletionCheck(NativeId id, OnDependents policy, Work work) {
        return volumes.deletionCheck(id, policy, work);
    }

    @Override
    public void delete(NativeId id, OnDependents policy, Work work) {
        volumes.delete(id, policy, work);
    }

    @Override
    public void note(NativeId id, Map<String, String> notes, Work work) {
        volumes.note(id, notes, work);
    }

    @Override
    public Page<StoredVolume> list(PageRequest page, Work work) {
        Page<StoredVolume> some = volumes.list(page, work);
        List<StoredVolume> found = new ArrayList<>(notMadeAnew(some));
        while (some.more() && found.size() < page.size()) { // who puts pages together takes a short one for the last
            Optional<String> last = Optional.of(some.items().getLast().id().value());
            some = volumes.list(new PageRequest(last, page.size() - found.size()), work);
            found.addAll(notMadeAnew(some));
        }
        return new Page<>(found, some.more());
    }

    /** Returns those of the program's volumes that Fairlead has not made anew. */
    private List<StoredVolume> notMadeAnew(Page<StoredVolume> some) {
        return some.items().stream()
                .filter(volume -> holds(volume.id().value()))
                .toList();
    }

    @Override
    public Room room(Map<String, String> parameters, Work work) {
        return volumes.room(parameters, work);
    }

    @Override
    public boolean advisorySize(NativeId id) {
        return true;
    }

    @Override
    public Optional<SnapshotStore> snapshots() {
        return Optional.of(snapshots);
    }

    @Override
    public boolean busy() {
        return volumes.busy();
    }

    @Override
    public void close() {
        volumes.close();
    }
}
