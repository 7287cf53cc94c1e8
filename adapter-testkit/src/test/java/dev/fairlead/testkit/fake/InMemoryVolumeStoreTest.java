package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeReplacementContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.util.EnumSet;

class InMemoryVolumeStoreTest
        implements VolumeStoreContract,
                SnapshotStoreContract,
                SnapshotGroupsContract,
                InMemoryModificationSubject,
                ContentProbeContract,
                VolumeAbsenceContract,
                VolumeReplacementContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory").of(EnumSet.allOf(VolumeMedium.Kind.class));
    private final InMemoryStorage another = storage.in("/memory/another");
    private String before = "";

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

    /** Puts one in its place that has a volume and a snapshot of the same names. */
    @Override
    public void putAnother() {
        try (VolumeStore other = new InMemoryVolumeStore(another)) {
            take(other, "snap-1", make(other, TestVolumes.empty("pvc-a")));
        }
        before = another.dump();
        storage.replaceBy(another);
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(another.dump()).isEqualTo(before);
    }
}
