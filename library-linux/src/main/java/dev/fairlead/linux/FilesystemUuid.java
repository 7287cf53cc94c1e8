package dev.fairlead.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the UUID that a file system has had since it was made, by the call of all file systems (Linux 6.9), and before
 * that by those of ext4, XFS and btrfs.
 *
 * <p>Call from platform threads. Folders are opened by their paths, and their last name may be no symbolic link.
 */
public final class FilesystemUuid {
    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));

    /** The bytes of a UUID. */
    private static final int LENGTH = 16;

    /** The ways to ask, the first that a file system knows counts. */
    private static final List<Way> WAYS = List.of(
            new Way(0x80111500L, 1, 0), // FS_IOC_GETFSUUID: its length, then the UUID
            new Way(0x8008662cL, 8, LENGTH), // EXT4_IOC_GETFSUUID: the length that is asked for, flags, the UUID
            new Way(0x80705864L, 64, 0), // XFS_IOC_FSGEOMETRY_V1
            new Way(0x8400941fL, 16, 0)); // BTRFS_IOC_FS_INFO: two numbers, the UUID

    private FilesystemUuid() {}

    /**
     * Describes one call.
     *
     * @param at where the UUID is in the answer
     * @param first what the first four bytes are to hold before
     */
    private record Way(long request, int at, int first) {}

    /** Returns the UUID of the file system that a folder is on; empty if it has none, or none that the kernel tells. */
    public static Optional<UUID> of(Path folder) throws LinuxException {
        return of(folder, WAYS);
    }

    /** Returns the same as a kernel without the call of all file systems does. */
    static Optional<UUID> asBefore(Path folder) throws LinuxException {
        return of(folder, WAYS.subList(1, WAYS.size()));
    }

    private static Optional<UUID> of(Path folder, List<Way> ways) throws LinuxException {
        return BtrfsCalls.ask(folder, (state, fd, arena) -> {
            for (Way way : ways) {
                Optional<UUID> found = ask(way, state, fd, arena);
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        });
    }

    private static Optional<UUID> ask(Way way, MemorySegment state, int fd, Arena arena) throws LinuxException {
        MemorySegment answer = arena.allocate(1024, 8);
        answer.set(ValueLayout.JAVA_INT, 0, way.first());
        try {
            IOCTL.call(state, fd, way.request(), answer.address());
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOTTY || e.errno() == Errno.EOPNOTSUPP || e.errno() == Errno.EINVAL) {
                return Optional.empty(); // another file system, or an older kernel
            }
            throw e;
        }
        ByteBuffer bytes = answer.asSlice(way.at(), LENGTH).asByteBuffer().order(ByteOrder.BIG_ENDIAN);
        UUID uuid = new UUID(bytes.getLong(), bytes.getLong());
        return uuid.equals(new UUID(0, 0)) ? Optional.empty() : Optional.of(uuid);
    }
}
