package dev.fairlead.adapter.local.pool.identity;

import dev.fairlead.linux.BtrfsCalls;
import dev.fairlead.linux.FilesystemUuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Tells in whose room a folder is: that of its file system. Subvolumes of one btrfs, and datasets of one ZFS pool, have
 * a device number each and one room for all.
 */
public final class RoomIdentity {
    /** The identity of this machine's mounts. */
    public static final RoomIdentity OF_KERNEL = new RoomIdentity(Path.of("/proc/self/mountinfo"));

    private static final String ZFS = "zfs";

    private final Path mounts;

    /** @param mounts the mounts of this process, as the kernel tells them */
    RoomIdentity(Path mounts) {
        this.mounts = mounts;
    }

    /** Returns a value that is the same for all folders that share one room. */
    public Object of(Path folder) throws IOException {
        long device = ((Number) Objects.requireNonNull(Files.getAttribute(folder, "unix:dev"))).longValue();
        if (major(device) != 0) {
            return device; // a block device of its own: neither btrfs nor ZFS
        }
        Path real = folder.toRealPath();
        Optional<String> wider = BtrfsCalls.isBtrfs(real)
                ? FilesystemUuid.of(real).map(uuid -> "btrfs " + uuid)
                : pool(device).map(name -> ZFS + " " + name);
        return wider.isPresent() ? wider.get() : device;
    }

    /**
     * Returns the ZFS pool of a device; empty if it is on none. What is mounted last on a path is what is seen there.
     */
    Optional<String> pool(long device) throws IOException {
        String number = major(device) + ":" + minor(device);
        Optional<String> found = Optional.empty();
        for (String line : Files.readAllLines(mounts, StandardCharsets.ISO_8859_1)) {
            List<String> words = List.of(line.split(" "));
            int end = words.indexOf("-");
            if (end > 2 && words.size() > end + 2 && words.get(2).equals(number)) {
                String source = words.get(end + 2);
                int slash = source.indexOf('/');
                found = words.get(end + 1).equals(ZFS)
                        ? Optional.of(slash < 0 ? source : source.substring(0, slash))
                        : Optional.empty();
            }
        }
        return found;
    }

    private static long major(long device) {
        return (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
    }

    private static long minor(long device) {
        return (device & 0xff) | (device >>> 12 & 0xffffff00L);
    }
}
