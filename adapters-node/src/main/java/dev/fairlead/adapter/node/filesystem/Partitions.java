package dev.fairlead.adapter.node.filesystem;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.application.port.out.node.Filesystems.Partition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds in sysfs which block devices are partitions: the kernel's own, and the maps that stand for those of a multipath
 * device.
 *
 * @param dev where device nodes are
 */
record Partitions(BlockTree tree, Path dev) {
    private static final Pattern MAPPED = Pattern.compile("part([0-9]{1,5})-.*");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final int SECTOR = 512;

    /** Returns the device node of the partition with the highest number. */
    Optional<Path> last(String block) {
        return tree.above(block).stream()
                .filter(it -> number(it) > 0)
                .max(Comparator.comparingLong(this::number))
                .map(this::node);
    }

    /** Says of which device this one is a partition; empty if it is none. */
    Optional<Partition> of(String block) throws IOException {
        long number = number(block);
        if (number == 0) {
            return Optional.empty();
        }
        String disk = diskOf(block);
        long end = start(block, disk, number) + sectors(block, "size");
        return Optional.of(new Partition(node(disk), (sectors(disk, "size") - end) * SECTOR));
    }

    /** Returns the device of which the one with this device node is a partition; empty if it is none. */
    Optional<Path> disk(Path node) throws IOException {
        String block = node.startsWith(dev) ? dev.relativize(node).toString().replace('/', '!') : "";
        return block.isEmpty() || number(block) == 0 ? Optional.empty() : Optional.of(node(diskOf(block)));
    }

    private String diskOf(String block) throws IOException {
        if (tree.isPartition(block)) {
            return tree.disk(block);
        }
        List<String> below = tree.below(block);
        if (below.size() != 1) {
            throw new IOException("the partition " + block + " is made of " + below + " (expected: one device)");
        }
        return below.getFirst();
    }

    /** Returns where a partition begins; a map does not tell, but the same partition of a path does. */
    private long start(String block, String disk, long number) throws IOException {
        if (tree.isPartition(block)) {
            return sectors(block, "start");
        }
        String same = tree.below(disk).stream()
                .flatMap(path -> tree.above(path).stream())
                .filter(it -> tree.isPartition(it) && number(it) == number)
                .findFirst()
                .orElseThrow(() -> new IOException("no path of " + disk + " tells where its partition begins"));
        return sectors(same, "start");
    }

    /** Returns the number of a partition; 0 if it is none. */
    private long number(String block) {
        String own = tree.fact(block, "partition");
        Matcher mapped = MAPPED.matcher(tree.fact(block, "dm/uuid"));
        String number = own.isEmpty() && mapped.matches() ? mapped.group(1) : own;
        return NUMBER.matcher(number).matches() ? Long.parseLong(number) : 0;
    }

    private long sectors(String block, String fact) throws IOException {
        String text = tree.fact(block, fact);
        if (!NUMBER.matcher(text).matches()) {
            throw new IOException("the kernel does not tell the " + fact + " of " + block);
        }
        return Long.parseLong(text);
    }

    private Path node(String block) {
        return dev.resolve(block.replace('!', '/'));
    }
}
