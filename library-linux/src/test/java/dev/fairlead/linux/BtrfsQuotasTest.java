package dev.fairlead.linux;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts of subvolumes that are read after others. */
class BtrfsQuotasTest extends BtrfsDisk {
    @BeforeEach
    void enable() throws Exception {
        BtrfsCalls.enableQuotas(disk);
    }

    @Test
    void counts_that_changed_are_read_and_the_others_are_taken_over() throws Exception {
        for (int i = 0; i < 1100; i++) {
            BtrfsCalls.makeSubvolume(disk, "v" + i);
        }
        BtrfsCalls.sync(disk);
        BtrfsCalls.makeSubvolume(disk, "new");
        BtrfsCalls.sync(disk);
        BtrfsQuotas before = BtrfsQuotas.of(disk);
        assertThat(BtrfsQuotas.after(disk, before)).isEqualTo(before);

        BtrfsCalls.makeSubvolume(disk, "newer");
        BtrfsCalls.limit(disk.resolve("v500"), 10 * MIB);
        Files.write(disk.resolve("v800/data"), new byte[5 << 20]);
        BtrfsCalls.sync(disk);
        assertThat(BtrfsQuotas.after(disk, before)).isEqualTo(BtrfsQuotas.of(disk));

        BtrfsQuotas nothing = new BtrfsQuotas(before.state(), Map.of(), before.generation());
        assertThat(BtrfsQuotas.after(disk, nothing).subvolumes().size())
                .as("the counts in the blocks that changed")
                .isLessThan(1100);
    }

    /** The tree may be read in several calls, between which it changes. */
    @Test
    void what_changes_while_counts_are_read_is_read_later() throws Exception {
        for (int i = 0; i < 1500; i++) {
            BtrfsCalls.makeSubvolume(disk, "v" + i);
        }
        BtrfsCalls.sync(disk);
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int round = 1; round <= 5; round++) {
                long limit = 100 * MIB + 4096L * round;
                Future<Integer> changes = other.submit(() -> change(limit));
                List<BtrfsQuotas> found = new ArrayList<>();
                while (found.isEmpty() || !changes.isDone()) {
                    found.add(BtrfsQuotas.of(disk));
                }
                assertThat(changes.get()).isEqualTo(8);
                BtrfsQuotas all = BtrfsQuotas.of(disk);
                for (BtrfsQuotas before : found) {
                    assertThat(BtrfsQuotas.after(disk, before).equals(all)).isTrue();
                }
            }
        }
    }

    /** Changes counts at both ends of the tree in transactions of their own. */
    private int change(long limit) throws IOException {
        int times = 0;
        for (; times < 8; times++) {
            BtrfsCalls.limit(disk.resolve("v" + 180 * times), limit);
            BtrfsCalls.sync(disk);
            BtrfsCalls.limit(disk.resolve("v1499"), limit + times);
        }
        return times;
    }

    @Test
    void all_counts_are_read_of_a_file_system_that_is_older_than_the_reading_before() throws Exception {
        Path one = subvolume("one");
        BtrfsCalls.sync(disk);
        BtrfsQuotas now = BtrfsQuotas.of(disk);
        Map<Long, BtrfsQuotas.QuotaUse> later =
                Map.of(BtrfsCalls.subvolume(one).orElseThrow(), new BtrfsQuotas.QuotaUse(7, OptionalLong.of(7)));

        assertThat(BtrfsQuotas.after(disk, new BtrfsQuotas(now.state(), later, now.generation() + 5)))
                .isEqualTo(now);
    }

    @Test
    void quotas_that_were_off_in_between_are_read_anew() throws Exception {
        Path one = subvolume("one");
        BtrfsCalls.limit(one, 10 * MIB);
        BtrfsCalls.sync(disk);
        BtrfsQuotas before = BtrfsQuotas.of(disk);
        assertThat(new ProcessBuilder("btrfs", "quota", "disable", disk.toString())
                        .start()
                        .waitFor())
                .isZero();
        BtrfsQuotas off = BtrfsQuotas.after(disk, before);
        assertThat(off.state()).isEqualTo(BtrfsQuotas.State.OFF);

        BtrfsCalls.enableQuotas(disk);
        // until it has counted everything anew, two readings may differ
        assertThat(new ProcessBuilder("btrfs", "quota", "rescan", "-w", disk.toString())
                        .start()
                        .waitFor())
                .isZero();
        BtrfsCalls.sync(disk);
        assertThat(BtrfsQuotas.after(disk, before)).isEqualTo(BtrfsQuotas.of(disk));
        assertThat(BtrfsQuotas.after(disk, off)).isEqualTo(BtrfsQuotas.of(disk));
        assertThat(requireNonNull(BtrfsQuotas.after(disk, before)
                                .subvolumes()
                                .get(BtrfsCalls.subvolume(one).orElseThrow()))
                        .limit())
                .isEmpty();
    }
}
