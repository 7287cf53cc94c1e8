package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;

/** The contracts hold as well where snapshots hang on their volume, as those of ZFS do. */
class DependentSnapshotsTest
        implements VolumeStoreContract, SnapshotStoreContract, SnapshotGroupsContract, InMemoryModificationSubject {
    private final InMemoryStorage storage = InMemoryStorage.named("memory").dependentSnapshots();

    @Override
    public InMemoryStorage storage() {
        return storage;
    }

    @Override
    public VolumeStore store() {
        return new InMemoryVolumeStore(storage);
    }
}
