package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import dev.fairlead.adapter.local.directory.record.Records;
import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.adapter.local.pool.room.Sums;
import dev.fairlead.linux.FolderVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool of 600 volumes of ten bytes, each of which uses one, and what is looked at again. */
class PromiseRecordsTest {
    private static final int VOLUMES = 600;

    @TempDir
    Path base;

    private Path pool = Path.of("/nowhere");

    private final List<String> looked = new ArrayList<>();
    private Optional<Occupancy.InUse> use = Optional.of(new Occupancy.InUse("1", Set.of()));
    private long bytes = 1;
    private Instant now = Instant.EPOCH;

    /** Lets the pool's disk go away during the next reading. */
    private boolean leaving;

    private boolean broken;

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

    private void make(String id) throws IOException {
        Files.createDirectory(pool.resolve("v").resolve(id));
        record(id, 10);
    }

    /** Replaces a record as Fairlead does. */
    private void record(String id, long size) throws IOException {
        Path records = pool.resolve(".fairlead/volumes");
        Records.replace(
                records.resolve(id + ".json"),
                pool.resolve(".fairlead/draft"),
                new TreeMap<>(Map.of("capacity", String.valueOf(size))));
    }

    private final class Looks implements Occupancy {
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

    private PromiseRecords records() {
        return new PromiseRecords(new BaseFolderLayout(pool), Looks::new, () -> now, true);
    }

    private Sums again(PromiseRecords records) throws IOException {
        return again(records, Set.of());
    }

    private Sums again(PromiseRecords records, Set<String> touched) throws IOException {
        looked.clear();
        return records.read(pool, touched);
    }

    /** Reads a second after the last change of any folder, and so that the next change has another time. */
    private Sums read(PromiseRecords records, String... touched) throws Exception {
        Thread.sleep(20);
        now = Instant.now().plusSeconds(1);
        return again(records, Set.of(touched));
    }

    @Test
    void while_nobody_changes_anything_only_what_is_in_use_is_looked_at() throws Exception {
        PromiseRecords records = records();
        assertThat(read(records).promised()).isEqualTo(10 * VOLUMES);
        assertThat(looked).hasSize(VOLUMES);

        assertThat(again(records).used()).isEqualTo(VOLUMES);
        assertThat(looked).isEmpty();

        use = Optional.of(new Occupancy.InUse("1", Set.of("pvc-7", "another-pools")));
        bytes = 5;
        assertThat(again(records).used()).isEqualTo(VOLUMES + 4);
        assertThat(looked).containsExactly("pvc-7");

        use = Optional.of(new Occupancy.InUse("1", Set.of()));
        bytes = 6;
        assertThat(again(records).used())
                .as("it may have been written to until it was let go of")
                .isEqualTo(VOLUMES + 5);
    }

    @Test
    void what_this_process_has_changed_is_looked_at_and_nothing_else() throws Exception {
        PromiseRecords records = records();
        read(records);

        make("pvc-new");
        record("pvc-3", 100);
        assertThat(read(records, "pvc-new", "pvc-3").promised()).isEqualTo(10 * VOLUMES + 10 + 90);
        assertThat(looked).containsExactlyInAnyOrder("pvc-new", "pvc-3");

        Files.delete(pool.resolve(".fairlead/volumes/pvc-5.json"));
        Files.delete(pool.resolve("v/pvc-5"));
        assertThat(read(records, "pvc-5").promised()).isEqualTo(10 * VOLUMES + 90);
        assertThat(looked).isEmpty();

        make("pvc-theirs");
        make("pvc-ours");
        assertThat(read(records, "pvc-ours").promised())
                .as("a name that another process has added is seen too")
                .isEqualTo(10 * VOLUMES + 110);
        assertThat(looked).containsExactlyInAnyOrder("pvc-theirs", "pvc-ours");

        record("pvc-7", 20);
        assertThat(read(records).promised())
                .as("a change that this process has not made")
                .isEqualTo(10 * VOLUMES + 120);
        assertThat(looked).hasSize(VOLUMES + 2);
    }

    @Test
    void a_snapshot_that_this_process_has_taken_anew_is_looked_at() throws Exception {
        Files.createDirectory(pool.resolve("s/snapshot"));
        PromiseRecords records = records();
        read(records);
        bytes = 5;
        Files.delete(pool.resolve("s/snapshot"));
        Files.createDirectory(pool.resolve("s/snapshot"));
        assertThat(read(records, Promises.ofSnapshot("snapshot")).used()).isEqualTo(VOLUMES + 5);
        assertThat(looked).containsExactly("snapshot");
    }

    /**
     * A call that began before the connection's file changed may still be at work, and tells nobody what it touches.
     */
    @Test
    void all_are_looked_at_in_the_first_minute() throws Exception {
        now = Instant.now();
        PromiseRecords records = records();
        read(records);
        record("pvc-3", 100);
        make("pvc-new");
        assertThat(read(records, "pvc-new").promised()).isEqualTo(10 * VOLUMES + 100);
        assertThat(looked).hasSize(VOLUMES + 1);
    }

    @Test
    void what_a_reading_that_failed_would_have_looked_at_the_next_one_looks_at() throws Exception {
        PromiseRecords records = records();
        read(records);
        record("pvc-3", 100);
        broken = true;
        assertThatThrownBy(() -> read(records, "pvc-3")).isInstanceOf(IOException.class);
        broken = false;
        make("pvc-new");
        assertThat(read(records, "pvc-new").promised()).isEqualTo(10 * VOLUMES + 100);
    }

    @Test
    void all_are_looked_at_where_another_process_makes_volumes_too() throws Exception {
        PromiseRecords records = new PromiseRecords(new BaseFolderLayout(pool), Looks::new, () -> now, false);
        read(records);
        make("pvc-ours");
        record("pvc-3", 100);
        assertThat(read(records, "pvc-ours").promised()).isEqualTo(10 * VOLUMES + 100);
    }

    @Test
    void all_are_looked_at_after_a_minute_whatever_this_process_has_done() throws Exception {
        PromiseRecords records = records();
        read(records);
        Path record = pool.resolve(".fairlead/volumes/pvc-3.json");
        Files.writeString(record, Files.readString(record).replace("10", "500"));
        Instant end = now.plusSeconds(60);
        make("pvc-a");
        assertThat(read(records, "pvc-a").promised()).isEqualTo(10 * VOLUMES + 10);
        make("pvc-b");
        Thread.sleep(20);
        now = end;
        assertThat(again(records, Set.of("pvc-b")).promised()).isEqualTo(10 * VOLUMES + 20 + 490);
    }

    @Test
    void all_are_looked_at_if_something_else_was_in_use_in_between_or_that_is_not_known() throws Exception {
        PromiseRecords records = records();
        read(records);
        use = Optional.of(new Occupancy.InUse("2", Set.of()));
        bytes = 2;
        assertThat(again(records).used()).isEqualTo(2 * VOLUMES);
        use = Optional.empty();
        bytes = 3;
        assertThat(again(records).used()).isEqualTo(3 * VOLUMES);
        use = Optional.of(new Occupancy.InUse("2", Set.of()));
        bytes = 4;
        assertThat(again(records).used()).isEqualTo(4 * VOLUMES);
        bytes = 9;
        assertThat(again(records).used()).as("it is known again").isEqualTo(4 * VOLUMES);
        records.lookAnew();
        bytes = 5;
        assertThat(again(records).used()).isEqualTo(5 * VOLUMES);
    }

    @Test
    void what_another_process_makes_or_grows_or_deletes_is_seen_by_the_next_reading() throws Exception {
        PromiseRecords records = records();
        read(records);
        make("pvc-another");
        assertThat(read(records).promised("pvc-another")).isEqualTo(10);
        record("pvc-another", 30);
        assertThat(read(records).promised("pvc-another")).isEqualTo(30);
        record("pvc-another", 40);
        assertThat(again(records).promised("pvc-another")).isEqualTo(40);
        Files.delete(pool.resolve("v/pvc-another"));
        assertThat(read(records).promised()).isEqualTo(10 * VOLUMES);
        Files.createDirectory(pool.resolve("s/snapshot"));
        assertThat(read(records).used()).isEqualTo(VOLUMES + 1);
    }

    /** What is changed next may leave the folder's time as it is. */
    @Test
    void nothing_is_kept_of_a_folder_that_changed_within_the_clocks_tick() throws Exception {
        PromiseRecords records = records();
        read(records);
        record("pvc-0", 20);
        FolderVersion version =
                FolderVersion.of(pool.resolve(".fairlead/volumes")).orElseThrow();
        now = Instant.ofEpochSecond(version.seconds(), version.nanos()).plusMillis(50);

        again(records);
        again(records);
        assertThat(looked).hasSize(VOLUMES);
    }

    @Test
    void nothing_is_kept_of_a_reading_in_which_the_pool_went_away() throws Exception {
        PromiseRecords records = records();
        leaving = true;
        assertThatThrownBy(() -> read(records)).isInstanceOf(IOException.class);
        Files.move(base.resolve("away"), pool);
        assertThat(again(records).promised()).isEqualTo(10 * VOLUMES);
        assertThat(looked).hasSize(VOLUMES);

        make("pvc-ours"); // within the clock's tick
        now = Instant.now();
        leaving = true;
        assertThatThrownBy(() -> again(records, Set.of("pvc-ours"))).isInstanceOf(IOException.class);
        Files.move(base.resolve("away"), pool);
        assertThat(again(records).promised()).isEqualTo(10 * VOLUMES + 10);

        read(records);
        use = Optional.of(new Occupancy.InUse("1", Set.of("pvc-7")));
        leaving = true;
        assertThatThrownBy(() -> again(records)).isInstanceOf(IOException.class);
        Files.move(base.resolve("away"), pool);
        again(records);
        assertThat(looked).hasSize(VOLUMES + 1);
    }

    /** No program writes into a record; a person may. */
    @Test
    void a_record_that_was_written_into_is_seen_within_a_minute() throws Exception {
        PromiseRecords records = records();
        read(records);
        Path record = pool.resolve(".fairlead/volumes/pvc-0.json");
        Files.writeString(record, Files.readString(record).replace("10", "90"));
        assertThat(again(records).promised("pvc-0")).isEqualTo(10);
        now = now.plus(Duration.ofMinutes(1));
        assertThat(again(records).promised("pvc-0")).isEqualTo(90);
    }
}
