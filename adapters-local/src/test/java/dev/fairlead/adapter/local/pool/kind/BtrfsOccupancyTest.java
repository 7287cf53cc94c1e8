package dev.fairlead.adapter.local.pool.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.local.directory.InMemory;
import dev.fairlead.adapter.local.directory.Mounts;
import dev.fairlead.adapter.local.pool.kind.Occupancy.SpaceUse;
import dev.fairlead.linux.BtrfsCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What subvolumes of a btrfs occupy, asked by their folders and later by their numbers. */
class BtrfsOccupancyTest {
    private static final int MIB = 1 << 20;

    @TempDir(factory = InMemory.class)
    Path folder;

    private Path disk = Path.of("/nowhere");

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(folder.resolve("disk"));
        Mounts.assumeLoop(folder.resolve("file"), "200M", "mkfs.btrfs -q", disk);
        BtrfsCalls.enableQuotas(disk);
    }

    @AfterEach
    void unmount() throws Exception {
        Mounts.unmount(disk);
    }

    private Path subvolume(String name) throws IOException {
        BtrfsCalls.makeSubvolume(disk, name);
        BtrfsCalls.limit(disk.resolve(name), 20L * MIB);
        return disk.resolve(name);
    }

    private static BtrfsOccupancy look(Path place) throws IOException {
        BtrfsOccupancy look = new BtrfsOccupancy();
        look.check(place);
        return look;
    }

    @Test
    void what_was_written_and_a_limit_that_is_gone_are_seen_by_the_number() throws Exception {
        Path one = subvolume("one");
        Path two = subvolume("two");
        SpaceUse before = look(disk).of(one).orElseThrow();
        assertThat(before.number()).isEqualTo(BtrfsCalls.subvolume(one).orElseThrow());
        assertThat(before.length()).isEqualTo(20 * MIB);

        Files.write(one.resolve("data"), new byte[10 * MIB]);
        BtrfsCalls.sync(disk);
        SpaceUse now = look(disk).again(one, before).orElseThrow();
        assertThat(now).isEqualTo(look(disk).of(one).orElseThrow());
        assertThat(now.bytes()).isBetween(10L * MIB, 11L * MIB);
        assertThat(look(disk).of(two).orElseThrow().bytes()).isLessThan(MIB);

        assertThat(new ProcessBuilder("btrfs", "qgroup", "limit", "none", one.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        assertThat(look(disk).again(one, now).orElseThrow().lacks(20 * MIB)).isTrue();
    }

    @Test
    void what_had_no_number_is_asked_by_its_folder() throws Exception {
        SpaceUse before = look(disk).of(disk.resolve("one")).orElseThrow();
        assertThat(before).isEqualTo(SpaceUse.NOTHING);
        Path one = subvolume("one");

        assertThat(look(disk).again(one, before).orElseThrow().length()).isEqualTo(20 * MIB);
    }

    @Test
    void a_look_after_another_sees_what_was_written_and_made_in_between() throws Exception {
        Path one = subvolume("one");
        BtrfsOccupancy first = look(disk);
        SpaceUse before = first.of(one).orElseThrow();
        first.close();

        Files.write(one.resolve("data"), new byte[10 * MIB]);
        Path two = subvolume("two");
        BtrfsCalls.sync(disk);
        BtrfsOccupancy second = new BtrfsOccupancy();
        second.follow(first);
        second.check(disk);
        assertThat(second.again(one, before)).isEqualTo(look(disk).of(one));
        assertThat(second.of(two)).isEqualTo(look(disk).of(two));
        second.close();

        BtrfsOccupancy third = new BtrfsOccupancy();
        third.follow(second);
        third.check(disk);
        assertThat(third.of(two))
                .as("what has not changed")
                .isEqualTo(look(disk).of(two));
    }
}
