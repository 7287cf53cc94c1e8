package dev.fairlead.adapter.local.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.contract.snapshot.SnapshotStoreContract;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeReplacementContract;
import dev.fairlead.testkit.contract.volume.VolumeStoreContract;
import dev.fairlead.testkit.fake.TestVolumes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class DirectoryVolumeStoreTest
        implements VolumeStoreContract, SnapshotStoreContract, VolumeAbsenceContract, VolumeReplacementContract {
    @TempDir(factory = InMemory.class)
    Path folder;

    private DirectoryFixture fixture = new DirectoryFixture(Path.of("/nowhere"));
    private String another = "";

    @BeforeEach
    void bench() {
        fixture = new DirectoryFixture(folder.resolve("base"), "prepared");
        fixture.prepare();
    }

    @Override
    public VolumeStore store() {
        return fixture.open();
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

    /** The base folder is an empty mount point now. */
    @Override
    public void takeAway() {
        rename(fixture.base(), folder.resolve("away"));
        fixture.empty();
    }

    @Override
    public void bringBack() {
        fixture.removeEmpty();
        rename(folder.resolve("away"), fixture.base());
    }

    /**
     * One that belongs to a connection of the same name of an installation of the same name, on another disk, with a
     * volume and a snapshot of the same names.
     */
    @Override
    public void putAnother() {
        try (VolumeStore other = new DirectoryFixture(fixture.base()).open()) {
            take(other, "snap-1", make(other, TestVolumes.empty("pvc-a")));
        }
        another = Dump.of(fixture.base());
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(Dump.of(fixture.base())).isEqualTo(another);
        try {
            TreeDelete.delete(fixture.base());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        fixture.empty();
    }

    private static void rename(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void verifyEmpty() {
        fixture.verifyEmpty();
    }
}
