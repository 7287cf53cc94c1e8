package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.SnapshotGroups;
import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.page.Page;
import dev.fairlead.domain.page.PageRequest;
import dev.fairlead.domain.snapshot.SnapshotRequest;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.CsiName;
import dev.fairlead.domain.volume.NativeId;
import java.util.Optional;

/** Passes every call on to another store's snapshots; a subclass changes what it is about. */
public class ForwardingSnapshots implements SnapshotStore {
    private final SnapshotStore sound;

    protected ForwardingSnapshots(SnapshotStore sound) {
        this.sound = sound;
    }

    @Override
    public StoredSnapshot take(SnapshotRequest request, int maxIdBytes, Work work) {
        return sound.take(request, maxIdBytes, work);
    }

    @Override
    public Optional<StoredSnapshot> find(NativeId id, Work work) {
        return sound.find(id, work);
    }

    @Override
    public Optional<StoredSnapshot> findByName(CsiName name, Work work) {
        return sound.findByName(name, work);
    }

    @Override
    public void delete(NativeId id, Work work) {
        sound.delete(id, work);
    }

    @Override
    public Page<StoredSnapshot> list(Optional<NativeId> source, PageRequest page, Work work) {
        return sound.list(source, page, work);
    }

    @Override
    public Optional<SnapshotGroups> groups() {
        return sound.groups();
    }
}
