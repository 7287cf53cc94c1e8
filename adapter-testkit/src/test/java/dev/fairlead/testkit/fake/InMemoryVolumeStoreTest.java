package dev.fairlead.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.domain.volume.VolumeMedium;
import dev.fairlead.testkit.SnapshotStoreContract;
import dev.fairlead.testkit.VolumeStoreContract;
import java.util.EnumSet;
import java.util.Optional;

class InMemoryVolumeStoreTest implements VolumeStoreContract, SnapshotStoreContract {
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
    public void verifyEmpty() {
        assertThat(storage.dump()).isEmpty();
    }
}
