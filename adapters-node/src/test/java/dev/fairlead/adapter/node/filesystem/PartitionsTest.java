package dev.fairlead.adapter.node.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.application.port.out.node.Filesystems.Partition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions in a folder that looks like sysfs. */
class PartitionsTest {
    private static final Path DEV = Path.of("/dev");

    @TempDir
    private Path folder = Path.of("/nonexistent");

    private Partitions partitions = new Partitions(new BlockTree(folder), DEV);

    @BeforeEach
    void aDisk() throws IOException {
        folder = folder.toRealPath();
        partitions = new Partitions(new BlockTree(folder), DEV);
        Files.createDirectories(folder.resolve("class/block"));
        block("devices/host1", "sdb", "size", "4194304");
    }

    private Path block(String below, String name, String... facts) throws IOException {
        Path made = Files.createDirectories(folder.resolve(below).resolve(name));
        for (int i = 0; i < facts.length; i += 2) {
            Path file = made.resolve(facts[i]);
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, facts[i + 1] + "\n");
        }
        Files.createSymbolicLink(folder.resolve("class/block").resolve(name), made);
        return made;
    }

    private void madeOf(String map, String below) throws IOException {
        Path blocks = folder.resolve("class/block");
        Path slaves = Files.createDirectories(blocks.resolve(map).toRealPath().resolve("slaves"));
        Path holders =
                Files.createDirectories(blocks.resolve(below).toRealPath().resolve("holders"));
        Files.createSymbolicLink(slaves.resolve(below), blocks.resolve(below).toRealPath());
        Files.createSymbolicLink(holders.resolve(map), blocks.resolve(map).toRealPath());
    }

    private void part(String name, String number, String start, String size) throws IOException {
        block("devices/host1/sdb", name, "partition", number, "start", start, "size", size);
    }

    @Test
    void the_last_partition_is_the_one_with_the_highest_number() throws IOException {
        assertThat(partitions.last("sdb")).isEmpty();
        part("sdb2", "2", "34816", "100");
        part("sdb10", "10", "40960", "4096");
        part("sdb1", "1", "2048", "32768");

        assertThat(partitions.last("sdb")).contains(DEV.resolve("sdb10"));
    }

    @Test
    void a_partition_tells_its_disk_and_what_lies_behind_it() throws IOException {
        part("sdb1", "1", "2048", "2095104");

        assertThat(partitions.of("sdb1")).contains(new Partition(DEV.resolve("sdb"), 2097152L * 512));
        assertThat(partitions.of("sdb")).isEmpty();
    }

    @Test
    void of_a_multipath_device_the_maps_over_it_are_the_partitions() throws IOException {
        part("sdb1", "1", "2048", "32768");
        part("sdb2", "2", "34816", "4157440");
        block("devices/virtual", "dm-0", "size", "4194304", "dm/uuid", "mpath-360014051");
        madeOf("dm-0", "sdb");
        block("devices/virtual", "dm-1", "size", "4157440", "dm/uuid", "part2-mpath-360014051");
        madeOf("dm-1", "dm-0");
        block("devices/virtual", "dm-2", "size", "32768", "dm/uuid", "part1-mpath-360014051");
        madeOf("dm-2", "dm-0");

        assertThat(partitions.last("dm-0")).contains(DEV.resolve("dm-1"));
        assertThat(partitions.of("dm-1")).contains(new Partition(DEV.resolve("dm-0"), 2048L * 512));
    }

    @Test
    void a_map_of_something_else_is_no_partition() throws IOException {
        block("devices/virtual", "dm-0", "size", "4194304", "dm/uuid", "LVM-partition");
        madeOf("dm-0", "sdb");

        assertThat(partitions.last("sdb")).isEmpty();
        assertThat(partitions.of("dm-0")).isEmpty();
    }

    @Test
    void a_partition_whose_place_the_kernel_does_not_tell_is_an_error() throws IOException {
        block("devices/host1/sdb", "sdb1", "partition", "1", "size", "32768");

        assertThatThrownBy(() -> partitions.of("sdb1")).hasMessageContaining("start of sdb1");
    }
}
