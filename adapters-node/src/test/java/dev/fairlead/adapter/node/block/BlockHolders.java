package dev.fairlead.adapter.node.block;

import dev.fairlead.adapter.node.mount.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Plays what the device mapper makes of block devices, on a folder with {@code sys} and {@code dev} in it. */
public final class BlockHolders {
    private BlockHolders() {}

    /**
     * Lets a block device have something that is made of it.
     *
     * @param by the name of its device, such as {@code dm-0}
     * @param uuid what the device mapper knows it by
     * @param name that which the device mapper shows to people
     */
    public static void hold(Path root, String block, String by, String uuid, String name, String size)
            throws IOException {
        Path folder = root.resolve("sys/devices/virtual/block").resolve(by);
        write(folder.resolve("dm"), "uuid", uuid);
        write(folder.resolve("dm"), "name", name);
        write(folder, "size", size);
        write(folder.resolve("slaves"), block, "");
        Path entry = root.resolve("sys/class/block").resolve(by);
        if (!Files.exists(entry)) {
            Files.createSymbolicLink(entry, folder);
        }
        write(holders(root, block), by, "");
        write(root.resolve("dev"), by, "");
    }

    /** Takes away a device that was made of others. */
    public static void remove(Path root, String by) throws IOException {
        FileTrees.delete(root.resolve("sys/devices/virtual/block").resolve(by));
        Files.delete(root.resolve("sys/class/block").resolve(by));
        try (Stream<Path> blocks = Files.list(root.resolve("sys/class/block"))) {
            for (Path block : blocks.toList()) {
                Files.deleteIfExists(block.resolve("holders").resolve(by));
            }
        }
    }

    /** Takes away what was made of a block device. */
    public static void release(Path root, String block, String by) throws IOException {
        Files.delete(holders(root, block).resolve(by));
    }

    private static Path holders(Path root, String block) throws IOException {
        return root.resolve("sys/class/block").resolve(block).toRealPath().resolve("holders");
    }

    private static void write(Path folder, String name, String text) throws IOException {
        Files.writeString(Files.createDirectories(folder).resolve(name), text + "\n");
    }
}
