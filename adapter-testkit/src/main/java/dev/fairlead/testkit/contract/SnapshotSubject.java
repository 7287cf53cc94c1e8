package dev.fairlead.testkit.contract;

import dev.fairlead.application.port.out.store.SnapshotStore;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.snapshot.StoredSnapshot;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.fake.TestVolumes;
import dev.fairlead.testkit.fake.TestWork;

/** Provides what the contracts of snapshots share. */
public interface SnapshotSubject extends StoreSubject {
    /** The longest id of a snapshot, in bytes: it leaves room in 128 bytes for the longest connection name. */
    int MAX_ID = 100;

    /** Returns the role that the contract is about; fails if the store has none. */
    default SnapshotStore role(VolumeStore store) {
        return store.snapshots().orElseThrow(() -> new AssertionError("the store takes no snapshots"));
    }

    default StoredSnapshot take(VolumeStore store, String name, StoredVolume source) {
        return role(store).take(TestVolumes.snapshot(name, source), MAX_ID, TestWork.patient());
    }
}
