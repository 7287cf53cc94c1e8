package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;
import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Tells one state of a folder's names from another: while it is the same, no name was added, removed or replaced. It
 * says nothing of what is in the files.
 *
 * @param filesystem the number of the file system's device
 * @param born the second in which the folder was made; 0 if its file system does not note that
 * @param seconds and {@code nanos}: time of the last change of the folder itself, which nobody can set
 * @param count of the folders in it
 */
public record FolderVersion(long filesystem, long inode, long born, long seconds, int nanos, FolderCount count) {
    private static final NativeCall FSTATFS = NativeCall.ofInt("fstatfs", 2);
    private static final NativeCall STATX = NativeCall.ofInt("statx", 5);
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_BTIME = 0x800;
    private static final long UNSIGNED_INT = 0xffffffffL;

    private static final long BTRFS = 0x9123683EL;

    /** The file systems whose times are those of this machine's clock: ext4, XFS, btrfs, ZFS, F2FS and tmpfs. */
    private static final Set<Long> LOCAL = Set.of(0xEF53L, 0x58465342L, BTRFS, 0x2fc12fc1L, 0xF2F52010L, 0x01021994L);

    /** The longest that the time of a change may be behind the clock, ten ticks of the slowest timer of Linux. */
    private static final Duration TICK = Duration.ofMillis(100);

    /** The same for a file system that keeps whole seconds, as ext4 does with small inodes. */
    private static final Duration SECONDS = Duration.ofSeconds(2);

    /**
     * Counts what is in a folder, as its file system keeps it in the folder itself, so that no name has to be read.
     *
     * @param value 0 for links that the file system does not count any more
     */
    public record FolderCount(Kind kind, long value) {
        private static final FolderCount UNKNOWN = new FolderCount(Kind.LINKS, 0);

        /** Tells what is counted. */
        public enum Kind {
            /** The links of a folder: one of each folder in it, and two of its own. */
            LINKS,
            /** The size of a folder of btrfs: the bytes of all names in it, those of files too, each counted twice. */
            NAMES
        }

        /** @param links as ext4 says them: 1 once there are more than it counts */
        public static FolderCount ofLinks(long links) {
            return links > 1 ? new FolderCount(Kind.LINKS, links) : UNKNOWN;
        }

        /** @param size of a folder of btrfs, in bytes */
        public static FolderCount ofNames(long size) {
            return new FolderCount(Kind.NAMES, size);
        }

        /**
         * Returns whether this is what an earlier count of the same folder became by these changes: then nobody else
         * has added or removed a folder, unless as many were removed as were added; on btrfs, as many bytes of names.
         */
        public boolean isAfter(FolderCount before, Collection<String> added, Collection<String> removed) {
            long more = switch (kind) {
                case LINKS -> (long) added.size() - removed.size();
                case NAMES -> 2 * (bytes(added) - bytes(removed));
            };
            return kind == before.kind && isKnown() && before.isKnown() && value == before.value + more;
        }

        private boolean isKnown() {
            return kind == Kind.NAMES || value != 0;
        }

        private static long bytes(Collection<String> names) {
            return names.stream()
                    .mapToLong(name -> name.getBytes(StandardCharsets.UTF_8).length)
                    .sum();
        }
    }

    /** Returns the version of a folder; empty if its file system is another machine's, or is not known to keep one. */
    public static Optional<FolderVersion> of(Path folder) throws LinuxException {
        return BtrfsCalls.ask(folder, (state, fd, arena) -> {
            MemorySegment answer = arena.allocate(256, 8);
            FSTATFS.call(state, fd, answer.address());
            long magic = answer.get(LONG, 0) & UNSIGNED_INT;
            if (!LOCAL.contains(magic)) {
                return Optional.empty();
            }
            MemorySegment itself = arena.allocate(1);
            STATX.call(state, fd, itself.address(), AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, answer.address());
            long device = ((answer.get(INT, 136) & UNSIGNED_INT) << 32) | (answer.get(INT, 140) & UNSIGNED_INT);
            long born = (answer.get(INT, 0) & STATX_BTIME) == 0 ? 0 : answer.get(LONG, 80);
            FolderCount count = magic == BTRFS
                    ? FolderCount.ofNames(answer.get(LONG, 40))
                    : FolderCount.ofLinks(answer.get(INT, 16) & UNSIGNED_INT);
            return Optional.of(new FolderVersion(
                    device, answer.get(LONG, 32), born, answer.get(LONG, 96), answer.get(INT, 104), count));
        });
    }

    /** Returns whether another version is that of this folder, at any time. */
    public boolean isOfSameFolder(FolderVersion other) {
        return filesystem == other.filesystem && inode == other.inode && born == other.born;
    }

    /**
     * Returns whether another version is that of this folder, and no younger: a disk that was set back is another one.
     */
    public boolean follows(FolderVersion before) {
        return isOfSameFolder(before)
                && (seconds > before.seconds || (seconds == before.seconds && nanos >= before.nanos));
    }

    /**
     * Returns whether each change after a time gives the folder another version. One that it got just before that time
     * may be that of the next change too, since clocks tick.
     */
    public boolean isSettled(Instant then) {
        Instant changed = Instant.ofEpochSecond(seconds, nanos);
        return !changed.plus(nanos == 0 ? SECONDS : TICK).isAfter(then);
    }
}
