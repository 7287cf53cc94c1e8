package dev.fairlead.adapter.local.directory.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.local.directory.folder.CopyLimit.Disk;
import dev.fairlead.adapter.local.directory.tree.TreeMeasure.Amount;
import dev.fairlead.domain.capacity.Capacity;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.testkit.fake.TestWork;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CopyLimitTest {
    private static final long MIB = 1L << 20;
    private static final Path SOURCE = Path.of("/pool/v/pvc-a");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static Failure failure(String what) {
        return new Failure.InUse("pvc-a", what);
    }

    @Test
    void entries_are_twice_those_at_the_beginning_and_a_million_at_most() {
        CopyLimit limit = CopyLimit.advisory(Capacity.ofBytes(MIB), new Disk(64 * MIB, MIB), CopyLimitTest::failure);
        limit.begin(new Amount(100, 0, 0));

        limit.check(0, 1_000_200, 1_000_200);
        assertThat(limit.isPassed()).isFalse();
        assertThatThrownBy(() -> limit.check(0, 1, 1_000_201)).hasMessageContaining("more than 1000200 entries");
        assertThat(limit.isPassed()).isTrue();
    }

    @Test
    void entries_that_are_made_without_end_end_the_measurement_before_a_copy() {
        CopyLimit limit = CopyLimit.firm(Capacity.ofBytes(MIB), 10, CopyLimitTest::failure);
        Runnable entry = limit.measuring(() -> {});

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2_000_000; i++) {
                        entry.run();
                    }
                })
                .hasMessageContaining("more than 1087381 entries");
    }

    @Test
    void a_volume_without_a_firm_size_is_copied_with_twice_what_it_had() {
        CopyLimit limit = CopyLimit.advisory(Capacity.ofBytes(MIB), new Disk(64 * MIB, MIB), CopyLimitTest::failure);
        limit.begin(new Amount(1, 640 * MIB, 64 * MIB));

        limit.check(131 * MIB, 1, 1);
        assertThatThrownBy(() -> limit.check(131 * MIB + 1, 1, 1)).hasMessageContaining(131 * MIB + " bytes");
    }

    @Test
    void a_source_rests_ten_times_as_long_as_its_copy_took_within_bounds() {
        CopyRests rests = new CopyRests();

        rests.begin(SOURCE, MIB, NOON.minusSeconds(1), NOON);
        assertThat(rests.until(SOURCE, MIB, NOON)).contains(NOON.plusSeconds(60));
        rests.begin(SOURCE, MIB, NOON.minusSeconds(60), NOON);
        assertThat(rests.until(SOURCE, MIB, NOON)).contains(NOON.plusSeconds(600));
        rests.begin(SOURCE, MIB, NOON.minus(Duration.ofDays(1)), NOON);
        assertThat(rests.until(SOURCE, MIB, NOON)).contains(NOON.plusSeconds(3600));

        assertThat(rests.until(SOURCE, MIB, NOON.plusSeconds(3600))).isEmpty();
        assertThat(rests.until(SOURCE, MIB, NOON.minusSeconds(1)))
                .as("the clock was set back")
                .isEmpty();
        assertThat(rests.until(SOURCE, 2 * MIB, NOON)).as("of another size").isEmpty();
        assertThat(rests.until(SOURCE.resolveSibling("pvc-b"), MIB, NOON)).isEmpty();
    }

    @Test
    void a_copy_of_a_larger_size_ends_no_rest_and_is_not_held_up_by_one() {
        CopyRests rests = new CopyRests();

        rests.begin(SOURCE, MIB, NOON.minus(Duration.ofDays(1)), NOON);
        assertThat(rests.until(SOURCE, 2 * MIB, NOON)).isEmpty();
        rests.begin(SOURCE, 2 * MIB, NOON.minusSeconds(1), NOON);

        assertThat(rests.until(SOURCE, MIB, NOON)).contains(NOON.plusSeconds(3600));
        assertThat(rests.until(SOURCE, MIB / 2, NOON)).contains(NOON.plusSeconds(3600));
        assertThat(rests.until(SOURCE, 2 * MIB, NOON)).contains(NOON.plusSeconds(60));
        assertThat(rests.until(SOURCE, 3 * MIB, NOON)).isEmpty();
    }

    @Test
    void a_little_more_room_ends_no_rest() {
        CopyRests rests = new CopyRests();
        rests.begin(SOURCE, 64 * MIB, NOON.minusSeconds(1), NOON);

        assertThat(rests.until(SOURCE, 65 * MIB, NOON)).contains(NOON.plusSeconds(60));
        assertThat(rests.until(SOURCE, 65 * MIB + 1, NOON)).isEmpty();

        rests.begin(SOURCE, CopyRests.below(100 * MIB), NOON.minusSeconds(1), NOON);
        assertThat(rests.until(SOURCE, 100 * MIB, NOON)).isEmpty();

        rests.begin(SOURCE, 63 * MIB, NOON.minus(Duration.ofDays(1)), NOON);
        assertThat(rests.until(SOURCE, 65 * MIB, NOON)).contains(NOON.plusSeconds(60));
    }

    @Test
    void what_a_copy_takes_is_limited_and_what_it_reads_by_the_disk() {
        CopyLimit limit = CopyLimit.advisory(Capacity.ofBytes(MIB), new Disk(64 * MIB, MIB), CopyLimitTest::failure);
        limit.begin(new Amount(1, Long.MAX_VALUE, MIB));
        CopyProgress progress = new CopyProgress(TestWork.patient(), 0, limit);

        progress.copied(128 * MIB);
        progress.took(4 * MIB);
        assertThatThrownBy(() -> progress.copied(128 * MIB)).hasMessageContaining("3178496 bytes");
        progress.took(-4 * MIB);
        assertThatThrownBy(() -> progress.copied(128 * MIB + 1)).hasMessageContaining("bytes of content");
    }

    @Test
    void entries_without_end_end_the_measurement_of_a_volume_of_any_size() {
        CopyLimit limit = CopyLimit.advisory(Capacity.ZERO, new Disk(64 * MIB, MIB), CopyLimitTest::failure);
        Runnable entry = limit.measuring(() -> {});

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2_000_000; i++) {
                        entry.run();
                    }
                })
                .hasMessageContaining("more than 1087381 entries");
    }

    @Test
    void holes_that_no_file_system_tells_are_let_through_up_to_half_of_what_is_free() {
        CopyLimit limit =
                CopyLimit.advisory(Capacity.ofBytes(MIB), new Disk(64 * MIB, 32 * MIB), CopyLimitTest::failure);
        limit.begin(new Amount(1, 100 * MIB, MIB));
        CopyProgress progress = new CopyProgress(TestWork.patient(), 0, limit);

        progress.holesUntold(10 * MIB);
        progress.took(13 * MIB);
        progress.copied(13 * MIB);
        progress.holesUntold(Long.MAX_VALUE);
        progress.took(6 * MIB);
        progress.copied(19 * MIB);
        progress.took(MIB);
        assertThatThrownBy(() -> progress.copied(20 * MIB)).hasMessageContaining("19955712 bytes");
    }

    @Test
    void so_many_sources_rest_and_no_more() {
        CopyRests rests = new CopyRests();

        for (int i = 0; i <= 1000; i++) {
            rests.begin(Path.of("/pool/v/pvc-" + i), MIB, NOON, NOON);
        }

        assertThat(rests.until(Path.of("/pool/v/pvc-0"), MIB, NOON)).isEmpty();
        assertThat(rests.until(Path.of("/pool/v/pvc-1"), MIB, NOON)).isPresent();
        assertThat(rests.until(Path.of("/pool/v/pvc-1000"), MIB, NOON)).isPresent();
    }
}
