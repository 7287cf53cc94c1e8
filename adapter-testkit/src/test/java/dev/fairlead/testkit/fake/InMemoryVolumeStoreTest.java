package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.ContentProbeContract;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;

class InMemoryVolumeStoreTest
        implements VolumeStoreContract,
                SnapshotStoreContract,
                SnapshotGroupsContract,
                VolumeModificationContract,
                ContentProbeContract,
                VolumeAbsenceContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory").of(EnumSet.allOf(VolumeMedium.Kind.class));

    @Override
    public VolumeStore store() {
        return new InMemoryVolumeStore(storage);
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        storage.write(volume.id(), file, content);
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        return Optional.ofNullable(storage.volume(volume.id()).files().get(file));
    }

    @Override
    public void takeAway() {
        storage.failWith(new Failure.BackendUnavailable(storage.name(), "it is away"));
    }

    @Override
    public void bringBack() {
        storage.recover();
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of("speed", "fast", "cache", "on");
    }

    @Override
    public Map<String, String> otherParameters() {
        return Map.of("speed", "slow", "cache", "off");
    }

    @Override
    public Map<String, String> modified(StoredVolume volume) {
        return storage.mutable(volume.id());
    }

    @Override
    public void verifyEmpty() {
        assertThat(storage.dump()).isEmpty();
    }
}
