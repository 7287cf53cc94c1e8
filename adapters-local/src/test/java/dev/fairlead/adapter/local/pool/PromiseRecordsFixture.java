package dev.fairlead.adapter.local.pool;

import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.room.Sums;
import dev.fairlead.linux.FolderVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Has a pool of 600 volumes of ten bytes, each of which uses one, and tells what is looked at again. */
abstract class PromiseRecordsFixture {
    static final int VOLUMES = 600;

    @TempDir
    Path base;

    Path pool = Path.of("/nowhere");

    final List<String> looked = new ArrayList<>();
    Optional<Occupancy.InUse> use = Optional.of(new Occupancy.InUse("1", Set.of()));
    long bytes = 1;
    Instant now = Instant.EPOCH;

    /** Is done once, after the folders' versions were asked and before names are read. */
    Meanwhile meanwhile = () -> {};

    /** Lets the pool's disk go away during the next reading. */
    boolean leaving;

    boolean broken;

    @BeforeEach
    void fill() throws IOException {
        pool = Files.createDirectory(base.resolve("pool"));
        Assumptions.assumeTrue(FolderVersion.of(pool).isPresent(), "left out: the folder is on no local disk");
        for (Path folder : new BaseFolderLayout(pool).folders()) {
            Files.createDirectories(folder);
        }
        for (int i = 0; i < VOLUMES; i++) {
            make("pvc-" + i);
        }
    }

    void make(String id) throws IOException {
        Files.createDirectory(pool.resolve("v").resolve(id));
        record(id, 10);
    }

    /** Replaces a record as Fairlead does. */
    void record(String id, long size) throws IOException {
        Path records = pool.resolve(".fairlead/volumes");
        Records.replace(
                records.resolve(id + ".json"),
                pool.resolve(".fairlead/draft"),
                new TreeMap<>(Map.of("capacity", String.valueOf(size))));
    }

    /** Something that is done while a reading is made. */
    @FunctionalInterface
    interface Meanwhile {
        void run() throws IOException;
    }

    final class Looks implements Occupancy {
        @Override
        public void check(Path place) throws IOException {
            Meanwhile now = meanwhile;
            meanwhile = () -> {};
            now.run();
        }

        @Override
        public Optional<SpaceUse> of(Path folder) throws IOException {
            if (broken) {
                throw new IOException("a broken disk");
            }
            looked.add(String.valueOf(folder.getFileName()));
            return Optional.of(new SpaceUse(0, bytes, false, 0));
        }

        @Override
        public Optional<InUse> inUse() {
            if (leaving) {
                away();
            }
            return use;
        }
    }

    /** A folder above is renamed, which leaves the versions of those below as they are, as if a disk were unmounted. */
    private void away() {
        leaving = false;
        try {
            Files.move(pool, base.resolve("away"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PromiseRecords records() {
        return new PromiseRecords(new BaseFolderLayout(pool), Looks::new, () -> now, true);
    }

    Sums again(PromiseRecords records) throws IOException {
        return again(records, Set.of());
    }

    Sums again(PromiseRecords records, Set<String> touched) throws IOException {
        looked.clear();
        return records.read(pool, touched);
    }

    /** Reads a second after the last change of any folder, and so that the next change has another time. */
    Sums read(PromiseRecords records, String... touched) throws Exception {
        Thread.sleep(20);
        now = Instant.now().plusSeconds(1);
        return again(records, Set.of(touched));
    }
}
