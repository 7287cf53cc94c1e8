package dev.fairlead.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.linux.FolderVersion.FolderCount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderVersionTest {
    @TempDir
    Path folder;

    private static FolderVersion version(long filesystem, long inode, long born, long seconds, int nanos) {
        return new FolderVersion(filesystem, inode, born, seconds, nanos, FolderCount.ofLinks(2));
    }

    private FolderVersion now() throws Exception {
        Thread.sleep(20); // the slowest clock ticks each 10 ms
        Optional<FolderVersion> found = FolderVersion.of(folder);
        Assumptions.assumeTrue(found.isPresent(), "left out: the folder of the tests is on no local disk");
        return found.get();
    }

    @Test
    void it_is_another_one_once_a_name_was_added_or_removed_or_replaced() throws Exception {
        FolderVersion empty = now();
        Path file = Files.writeString(folder.resolve("a"), "1");
        FolderVersion added = now();
        Path draft = Files.writeString(folder.resolveSibling(folder.getFileName() + "-draft"), "2");
        assertThat(now()).as("nothing was done in it").isEqualTo(added);

        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        FolderVersion replaced = now();
        Files.delete(file);
        FolderVersion removed = now();

        assertThat(empty).isNotEqualTo(added);
        assertThat(added).isNotEqualTo(replaced);
        assertThat(replaced).isNotEqualTo(removed);
        assertThat(removed).isNotEqualTo(empty);
    }

    @Test
    void a_time_that_somebody_sets_makes_none_that_was_there_before() throws Exception {
        FolderVersion before = now();
        Object time = Files.getLastModifiedTime(folder);
        Files.writeString(folder.resolve("a"), "1");
        Files.setAttribute(folder, "lastModifiedTime", time);

        assertThat(now()).isNotEqualTo(before);
    }

    @Test
    void another_folder_in_its_place_has_another_one() throws Exception {
        FolderVersion before = now();
        Files.move(folder, folder.resolveSibling(folder.getFileName() + "-before"));
        Files.createDirectory(folder);

        assertThat(now().inode()).isNotEqualTo(before.inode());
    }

    /**
     * The number of a folder that was removed is given again, and a disk that was set back has the numbers of before.
     */
    @Test
    void what_has_its_number_and_is_younger_or_older_does_not_follow_it() {
        FolderVersion before = version(1, 2, 3, 40, 50);

        assertThat(before.follows(before)).isTrue();
        assertThat(version(1, 2, 3, 40, 51).follows(before)).isTrue();
        assertThat(version(1, 2, 3, 41, 0).follows(before)).isTrue();
        assertThat(version(1, 2, 3, 40, 49).follows(before)).isFalse();
        assertThat(version(1, 2, 3, 39, 60).follows(before)).isFalse();
        assertThat(version(1, 2, 4, 41, 0).follows(before)).isFalse();
        assertThat(version(1, 9, 3, 41, 0).follows(before)).isFalse();
    }

    @Test
    void the_second_in_which_a_folder_was_made_is_known() throws Exception {
        FolderVersion before = now();
        Assumptions.assumeTrue(before.born() != 0, "left out: this file system does not note it");
        assertThat(before.born()).isBetween(Instant.now().getEpochSecond() - 3600, before.seconds());
        Files.writeString(folder.resolve("a"), "1");
        assertThat(now().born()).isEqualTo(before.born());
    }

    @Test
    void it_is_settled_once_the_clock_has_ticked_since() {
        Instant changed = Instant.parse("2026-05-06T07:08:09Z");
        FolderVersion fine = version(1, 2, 3, changed.getEpochSecond(), 500_000_000);
        FolderVersion coarse = version(1, 2, 3, changed.getEpochSecond(), 0);

        assertThat(fine.isSettled(changed.plusMillis(500))).isFalse();
        assertThat(fine.isSettled(changed.plusMillis(599))).isFalse();
        assertThat(fine.isSettled(changed.plusMillis(600))).isTrue();
        assertThat(coarse.isSettled(changed.plusMillis(1999))).isFalse();
        assertThat(coarse.isSettled(changed.plusSeconds(2))).isTrue();
        assertThat(coarse.isSettled(changed.minusSeconds(60)))
                .as("the clock was set back")
                .isFalse();
    }

    @Test
    void a_file_system_that_keeps_no_times_of_this_machine_has_none() throws Exception {
        assertThat(FolderVersion.of(Path.of("/proc"))).isEmpty();
    }

    @Test
    void folders_in_it_are_counted_without_a_look_at_their_names() throws Exception {
        Files.createDirectory(folder.resolve("there"));
        FolderCount before = now().count();
        Files.createDirectory(folder.resolve("a"));
        Path draft = Files.createDirectory(folder.resolveSibling(folder.getFileName() + "-draft"));
        Files.move(draft, folder.resolve("bcd"));
        FolderCount two = now().count();
        Files.move(folder.resolve("there"), draft);
        FolderCount less = now().count();

        assertThat(two.isAfter(before, List.of("a", "bcd"), List.of())).isTrue();
        assertThat(two.isAfter(before, List.of("a"), List.of())).isFalse();
        assertThat(two.isAfter(before, List.of("a", "bcd"), List.of("there"))).isFalse();
        assertThat(less.isAfter(before, List.of("a", "bcd"), List.of("there"))).isTrue();
        assertThat(less.isAfter(two, List.of(), List.of("there"))).isTrue();
        assertThat(before.isAfter(two, List.of(), List.of())).isFalse();
    }

    @Test
    void a_count_that_the_file_system_gave_up_says_nothing() {
        FolderCount many = FolderCount.ofLinks(1);
        assertThat(many.isAfter(many, List.of(), List.of())).isFalse();
        assertThat(FolderCount.ofLinks(2).isAfter(many, List.of("a"), List.of()))
                .isFalse();
        assertThat(many.isAfter(FolderCount.ofLinks(2), List.of(), List.of("a", "b")))
                .isFalse();
    }

    @Test
    void a_folder_of_btrfs_counts_the_bytes_of_names() {
        FolderCount before = FolderCount.ofNames(20);
        assertThat(FolderCount.ofNames(26).isAfter(before, List.of("abc"), List.of()))
                .isTrue();
        assertThat(FolderCount.ofNames(26).isAfter(before, List.of("ab"), List.of()))
                .isFalse();
        assertThat(FolderCount.ofNames(24).isAfter(before, List.of("ä"), List.of()))
                .isTrue();
        assertThat(FolderCount.ofNames(20).isAfter(FolderCount.ofLinks(20), List.of(), List.of()))
                .isFalse();
    }
}
