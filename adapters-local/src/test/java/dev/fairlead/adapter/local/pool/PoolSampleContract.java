package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.tree.TreeDelete;
import dev.fairlead.application.port.out.store.VolumeStore;
import dev.fairlead.domain.volume.NativeId;
import dev.fairlead.domain.volume.StoredVolume;
import dev.fairlead.testkit.HostileInput;
import dev.fairlead.testkit.contract.volume.VolumeAbsenceContract;
import dev.fairlead.testkit.contract.volume.VolumeContentContract;
import dev.fairlead.testkit.contract.volume.VolumeReplacementContract;
import dev.fairlead.testkit.fake.TestVolumes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What a pool promises, in the main, whatever its kind; it is away, replaced and back as its disk is. */
abstract class PoolSampleContract implements VolumeContentContract, VolumeAbsenceContract, VolumeReplacementContract {
    @TempDir(factory = InMemory.class)
    Path folder;

    /** Stands for one process: another one would take away what this one is making, at its first change. */
    private PoolFixture process = new PoolFixture("prepared");

    private Path pool = Path.of("/nowhere");
    private String another = "";

    /** Returns the word for the kind of pool that is tested. */
    abstract String kind();

    /** Returns further keys of the pool. */
    Map<String, String> keys() {
        return Map.of();
    }

    /** Returns the folder in which pools are made, which is on one file system. */
    Path place() throws IOException {
        return folder;
    }

    /** Returns a process. */
    PoolFixture process(String baseFolder) {
        return new PoolFixture(baseFolder);
    }

    @BeforeEach
    void prepare() throws IOException {
        process = process("prepared");
        pool = place().resolve("pool");
        Files.createDirectories(pool.resolve("v"));
    }

    @Override
    public VolumeStore store() {
        return process.open(PoolFixture.pool("legacy", pool, kind(), keys()));
    }

    @Override
    public void write(StoredVolume volume, String file, String content) {
        PoolContent.write(volume, file, content);
    }

    @Override
    public Optional<String> read(StoredVolume volume, String file) {
        return PoolContent.read(volume, file);
    }

    /** Ids of a pool that is not listed are left out, since whether they are gone cannot be told. */
    @Override
    public Stream<NativeId> hostileIds() {
        return HostileInput.ids()
                .filter(id -> PoolIds.pool(id).orElse(PoolReader.DEFAULT).equals(PoolReader.DEFAULT));
    }

    /** The pool's folder is an empty mount point now. */
    @Override
    public void takeAway() {
        try {
            Files.move(pool, pool.resolveSibling("away"));
            Files.createDirectory(pool);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void bringBack() {
        try {
            Files.delete(pool); // fails where anything was made in the bare mount point
            Files.move(pool.resolveSibling("away"), pool);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The disk of another pool of the same connection, with a volume and a snapshot of the same names. */
    @Override
    public void putAnother() {
        try (VolumeStore other = process("create").open(PoolFixture.pool("legacy", pool, kind(), keys()))) {
            take(other, "snap-1", make(other, TestVolumes.empty("pvc-a")));
        }
        another = PoolDump.of(pool);
    }

    @Override
    public void takeAnotherUntouched() {
        assertThat(PoolDump.of(pool)).isEqualTo(another);
        try {
            TreeDelete.delete(pool);
            Files.createDirectory(pool);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void verifyEmpty() {
        PoolFixture.verifyEmpty(pool);
    }
}
