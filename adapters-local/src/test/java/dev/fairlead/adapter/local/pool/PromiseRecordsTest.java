package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.pool.kind.Occupancy;
import dev.fairlead.linux.FolderVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a reading looks at while nobody, or another process, changes the pool. */
class PromiseRecordsTest extends PromiseRecordsFixture {
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
    void a_snapshot_that_is_in_use_is_looked_at() throws Exception {
        Files.createDirectory(pool.resolve("s/snapshot"));
        PromiseRecords records = records();
        read(records);
        use = Optional.of(new Occupancy.InUse("1", Set.of("snapshot")));
        again(records);
        assertThat(looked).containsExactly("snapshot");
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
