package dev.fairlead.adapter.local.directory;

import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.SnapshotStoreContract;
import dev.fairlead.testkit.VolumeStoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class DirectoryVolumeStoreTest implements VolumeStoreContract, SnapshotStoreContract {
    @TempDir(factory = InMemory.class)
    Path folder;

    private Bench bench = new Bench(Path.of("/nowhere"));

    @BeforeEach
    void bench() {
        bench = new Bench(folder.resolve("base"));
    }

    @Override
    public VolumeStore store() {
        return bench.open();
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        try {
            Files.writeString(Path.of(volume.medium().path(), file), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        Path path = Path.of(volume.medium().path(), file);
        try {
            return Files.exists(path) ? Optional.of(Files.readString(path)) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void verifyEmpty() {
        bench.verifyEmpty();
    }
}
