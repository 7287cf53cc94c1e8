package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;
import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Describes one mount, as {@code statx} and {@code statmount} (Linux 6.8, with all of these fields 6.13) tell it.
 * Unlike reading {@code /proc/self/mountinfo}, this takes no longer if the mount table is large.
 *
 * @param isRoot whether the place asked about is the mount point
 * @param attributes {@code ATTR_*} of {@link MountCalls}
 * @param superFlags {@code SB_*} of the file system
 * @param root the directory of the file system that the mount shows
 * @param superOptions the file system's own options, comma-separated
 */
public record MountStat(
        boolean isRoot,
        int id,
        int parentId,
        int deviceMajor,
        int deviceMinor,
        long attributes,
        int superFlags,
        String root,
        String mountPoint,
        String fsType,
        String source,
        String superOptions) {
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int AT_STATX_DONT_SYNC = 0x4000;
    private static final int STATX_MNT_ID_UNIQUE = 0x4000;
    private static final long STATX_ATTR_MOUNT_ROOT = 0x2000;

    /** Super block, mount, root, mount point and type. */
    private static final long NEEDED = 0x1 | 0x2 | 0x8 | 0x10 | 0x20;

    private static final long MNT_OPTS = 0x80;
    private static final long SB_SOURCE = 0x200;
    /**
     * The offset of the strings. A kernel that knows the source also knows the options; it leaves out what is empty.
     */
    private static final int STRINGS = 512;

    private static final int ROOM = 16 * 1024;

    private static final NativeCall STATX = NativeCall.ofInt("statx", 5);
    private static final NativeCall STATMOUNT = NativeCall.numbered("statmount", 457, 4);

    /**
     * Returns the mount in which a place lies.
     *
     * @return empty if this kernel cannot tell all of it
     */
    public static Optional<MountStat> of(PathHandle place) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            MemorySegment stat = arena.allocate(256, 8);
            STATX.call(
                    state,
                    place.fd(),
                    NativeCall.text(arena, ""),
                    AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
                    STATX_MNT_ID_UNIQUE,
                    stat.address());
            if ((stat.get(INT, 0) & STATX_MNT_ID_UNIQUE) == 0) {
                return Optional.empty();
            }
            boolean isRoot = (stat.get(LONG, 8) & STATX_ATTR_MOUNT_ROOT) != 0;
            MemorySegment request = arena.allocate(24, 8);
            request.set(INT, 0, 24);
            request.set(LONG, 8, stat.get(LONG, 144));
            request.set(LONG, 16, NEEDED | MNT_OPTS | SB_SOURCE);
            MemorySegment answer = arena.allocate(ROOM, 8);
            STATMOUNT.call(state, request.address(), answer.address(), ROOM, 0);
            return read(isRoot, answer);
        } catch (LinuxException e) {
            return switch (e.errno()) {
                // EOVERFLOW: options longer than the room; ENOENT: a mount of another namespace
                case Errno.ENOSYS, Errno.EPERM, Errno.EINVAL, Errno.ENOENT, Errno.EOVERFLOW -> Optional.empty();
                default -> throw e;
            };
        }
    }

    private static Optional<MountStat> read(boolean isRoot, MemorySegment answer) {
        long mask = answer.get(LONG, 8);
        if ((mask & (NEEDED | SB_SOURCE)) != (NEEDED | SB_SOURCE)) {
            return Optional.empty();
        }
        return Optional.of(new MountStat(
                isRoot,
                answer.get(INT, 56),
                answer.get(INT, 60),
                answer.get(INT, 16),
                answer.get(INT, 20),
                answer.get(LONG, 64),
                answer.get(INT, 32),
                text(answer, 104),
                text(answer, 108),
                text(answer, 36),
                text(answer, 124),
                (mask & MNT_OPTS) == 0 ? "" : text(answer, 4)));
    }

    private static String text(MemorySegment answer, long at) {
        return answer.getString(STRINGS + Integer.toUnsignedLong(answer.get(INT, at)));
    }
}
