package dev.fairlead.adapter.local.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.Promises;
import dev.fairlead.adapter.local.directory.base.BaseFolderLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a reading looks at after this process has changed the pool. */
class OwnChangesTest extends PromiseRecordsFixture {
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

    /** Names are read only if the folders count others than this process has made and deleted. */
    @Test
    void as_many_names_as_another_process_has_added_and_removed_at_once_are_seen_within_a_minute() throws Exception {
        PromiseRecords records = records();
        read(records);
        Instant end = now.plusSeconds(60);
        make("pvc-ours");
        make("pvc-theirs");
        Files.delete(pool.resolve("v/pvc-5"));
        assertThat(read(records, "pvc-ours").promised("pvc-theirs")).isZero();
        Files.createDirectory(pool.resolve("s/snapshot"));
        read(records, "pvc-ours");
        assertThat(looked).as("all names, since a folder counts another one").contains("snapshot", "pvc-theirs");
        now = end;
        assertThat(again(records).promised()).isEqualTo(10 * VOLUMES + 10 + 1);
    }

    /** A folder's count and its names may be of different moments then. */
    @Test
    void names_are_read_after_a_reading_in_which_the_folders_changed() throws Exception {
        PromiseRecords records = records();
        meanwhile = () -> Files.delete(pool.resolve("v/pvc-5"));
        assertThat(read(records).promised()).isEqualTo(10 * VOLUMES - 10);
        make("pvc-theirs");
        assertThat(read(records, "pvc-5").promised()).isEqualTo(10 * VOLUMES);
    }

    @Test
    void what_is_another_programs_or_no_id_is_no_change_of_the_folders() throws Exception {
        PromiseRecords records = records();
        read(records);
        make("pvc-ours");
        assertThat(read(records, "pvc-ours", "guest/pvc-5", "guest/snapshot/a", "snapshot/..", "..", "")
                        .promised())
                .isEqualTo(10 * VOLUMES + 10);
        assertThat(looked).containsExactly("pvc-ours");
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
}
