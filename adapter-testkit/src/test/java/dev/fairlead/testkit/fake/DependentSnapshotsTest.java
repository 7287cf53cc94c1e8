package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.snapshot.SnapshotGroupsContract;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeModificationContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import java.util.Map;
import java.util.Optional;

/** The contracts hold as well where snapshots hang on their volume, as those of ZFS do. */
class DependentSnapshotsTest
        implements VolumeStoreContract, SnapshotStoreContract, SnapshotGroupsContract, VolumeModificationContract {
    private final InMemoryStorage storage = InMemoryStorage.named("memory").dependentSnapshots();

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
