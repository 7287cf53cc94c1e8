package dev.fairlead.linux;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.linux.FolderVersion.FolderCount;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BtrfsCallsTest extends BtrfsDisk {
    /** Writes until the file system refuses, and returns how much was written. */
    private static long fill(Path file) throws IOException {
        long written = 0;
        try (OutputStream out = Files.newOutputStream(file)) {
            for (; written < 100L * MIB; written += 1 << 16) {
                out.write(new byte[1 << 16]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("quota");
        }
        return written;
    }

    @Test
    void a_program_writes_as_much_as_the_limit_says_and_more_once_it_is_raised() throws Exception {
        BtrfsCalls.enableQuotas(disk);
        Path one = subvolume("one");
        Path two = subvolume("two");
        BtrfsCalls.limit(one, 10 * MIB);

        assertThat(fill(one.resolve("data"))).isBetween(9L * MIB, 10L * MIB);
        Files.write(two.resolve("data"), new byte[20 * MIB]);
        BtrfsCalls.limit(one, 20 * MIB);
        assertThat(fill(one.resolve("more"))).isBetween(9L * MIB, 11L * MIB);

        BtrfsCalls.sync(disk);
        BtrfsQuotas quotas = BtrfsQuotas.of(disk);
        long number = BtrfsCalls.subvolume(one).orElseThrow();
        assertThat(quotas.state()).isEqualTo(BtrfsQuotas.State.ON);
        assertThat(BtrfsQuotas.state(disk)).isEqualTo(BtrfsQuotas.State.ON);
        BtrfsQuotas.QuotaUse count = requireNonNull(quotas.subvolumes().get(number));
        assertThat(count.limit()).hasValue(20 * MIB);
        assertThat(count.referred()).isBetween(19L * MIB, 20L * MIB);
        assertThat(BtrfsQuotas.in(one)).contains(count);
        assertThat(BtrfsQuotas.in(two).orElseThrow().limit()).isEmpty();
    }

    @Test
    void a_snapshot_holds_what_was_there_and_can_be_closed_to_writers() throws Exception {
        Path one = subvolume("one");
        Files.writeString(one.resolve("a"), "before");
        BtrfsCalls.snapshot(one, disk, "snap");
        Path snap = disk.resolve("snap");
        BtrfsCalls.setReadOnly(snap, true);
        Files.writeString(one.resolve("a"), "after");

        assertThat(snap.resolve("a")).hasContent("before");
        assertThat(BtrfsCalls.isReadOnly(snap)).isTrue();
        assertThat(BtrfsCalls.isReadOnly(one)).isFalse();
        assertThatThrownBy(() -> Files.writeString(snap.resolve("a"), "no")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> BtrfsCalls.snapshot(one, disk, "snap"))
                .isInstanceOfSatisfying(
                        LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EEXIST));
    }

    @Test
    void what_is_no_subvolume_has_no_number() throws Exception {
        assertThat(BtrfsCalls.isBtrfs(disk)).isTrue();
        assertThat(BtrfsCalls.isBtrfs(Path.of("/proc"))).isFalse();
        assertThat(BtrfsCalls.subvolume(Files.createDirectory(disk.resolve("plain"))))
                .isEmpty();
        assertThat(BtrfsCalls.subvolume(Path.of("/proc"))).isEmpty();
        assertThat(BtrfsQuotas.of(disk).state()).isEqualTo(BtrfsQuotas.State.OFF);
        assertThat(BtrfsQuotas.state(disk)).isEqualTo(BtrfsQuotas.State.OFF);
        assertThat(BtrfsQuotas.in(disk)).isEmpty();
        assertThat(BtrfsQuotas.in(Path.of("/proc"))).isEmpty();
    }

    @Test
    void a_subvolume_below_another_is_seen() throws Exception {
        Path one = subvolume("one");
        long number = BtrfsCalls.subvolume(one).orElseThrow();
        assertThat(BtrfsQuotas.hasBelow(disk, number)).isFalse();
        BtrfsCalls.makeSubvolume(Files.createDirectory(one.resolve("deep")), "hidden");
        assertThat(BtrfsQuotas.hasBelow(disk, number)).isTrue();
    }

    @Test
    void all_counts_are_read_however_many_there_are() throws Exception {
        BtrfsCalls.enableQuotas(disk);
        for (int i = 0; i < 1100; i++) {
            BtrfsCalls.makeSubvolume(disk, "v" + i);
        }
        assertThat(BtrfsQuotas.of(disk).subvolumes())
                .containsKey(BtrfsCalls.subvolume(disk.resolve("v0")).orElseThrow())
                .containsKey(BtrfsCalls.subvolume(disk.resolve("v1099")).orElseThrow())
                .hasSizeGreaterThan(1100);
    }

    private FolderCount count(Path place) throws IOException {
        return FolderVersion.of(place).orElseThrow().count();
    }

    @Test
    void a_folder_counts_the_names_in_it_however_they_come_and_go() throws Exception {
        Path place = Files.createDirectory(disk.resolve("v"));
        Path beside = Files.createDirectory(disk.resolve("partial"));
        FolderCount empty = count(place);
        BtrfsCalls.makeSubvolume(place, "one");
        BtrfsCalls.snapshot(place.resolve("one"), place, "second");
        BtrfsCalls.makeSubvolume(beside, "draft");
        Files.move(beside.resolve("draft"), place.resolve("third"));
        FolderCount three = count(place);
        assertThat(three.isAfter(empty, List.of("one", "second", "third"), List.of()))
                .isTrue();

        Files.move(place.resolve("one"), beside.resolve("trash"));
        Files.delete(place.resolve("second"));
        FolderCount left = count(place);
        assertThat(left.isAfter(three, List.of(), List.of("one", "second"))).isTrue();
        assertThat(left.isAfter(empty, List.of("third"), List.of())).isTrue();
        assertThat(left.isAfter(empty, List.of("four"), List.of())).isFalse();
    }
}
