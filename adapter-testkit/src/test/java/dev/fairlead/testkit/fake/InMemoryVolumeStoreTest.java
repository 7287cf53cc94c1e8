package dev.fairlead.testkit.fake;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.util.EnumSet;

class InMemoryVolumeStoreTest
        implements VolumeStoreContract,
                SnapshotStoreContract,
                SnapshotGroupsContract,
                InMemoryModificationSubject,
                ContentProbeContract,
                VolumeAbsenceContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory").of(EnumSet.allOf(VolumeMedium.Kind.class));

    @Override
    public InMemoryStorage storage() {
        return storage;
    }

    @Override
    public VolumeStore store() {
        return new InMemoryVolumeStore(storage);
    }

    @Override
    public void takeAway() {
        storage.failWith(new Failure.BackendUnavailable(storage.name(), "it is away"));
    }

    @Override
    public void bringBack() {
        storage.recover();
    }
}
