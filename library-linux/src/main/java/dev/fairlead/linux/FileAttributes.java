package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Gives files the owner, mode, times and extended attributes of others. */
public final class FileAttributes implements AutoCloseable {
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final long UTIME_OMIT = (1L << 30) - 2;
    private static final int LARGEST_LIST = 64 << 10;
    private static final int LARGEST_VALUE = 64 << 10;

    private static final NativeCall FCHOWN = NativeCall.ofInt("fchown", 3);
    private static final NativeCall FCHOWNAT = NativeCall.ofInt("fchownat", 5);
    private static final NativeCall FCHMOD = NativeCall.ofInt("fchmod", 2);
    private static final NativeCall FCHMODAT = NativeCall.ofInt("fchmodat", 4);
    private static final NativeCall FUTIMENS = NativeCall.ofInt("futimens", 2);
    private static final NativeCall UTIMENSAT = NativeCall.ofInt("utimensat", 4);
    private static final NativeCall FLISTXATTR = NativeCall.ofLong("flistxattr", 3);
    private static final NativeCall FGETXATTR = NativeCall.ofLong("fgetxattr", 4);
    private static final NativeCall FSETXATTR = NativeCall.ofInt("fsetxattr", 5);

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = NativeCall.state(arena);
    private final MemorySegment name = arena.allocate(4097);
    private final MemorySegment times = arena.allocate(32, 8);
    private final MemorySegment list = arena.allocate(LARGEST_LIST);
    private final MemorySegment value = arena.allocate(LARGEST_VALUE);

    /**
     * Copies to an open file or folder, and returns the bytes of its extended attributes, names and values. The owner
     * comes first, since a change of it removes mode bits and attributes.
     */
    public long copy(int source, FileStat stat, int target) throws LinuxException {
        FCHOWN.call(state, target, stat.user(), stat.group());
        long extended = copyExtended(source, target);
        FCHMOD.call(state, target, stat.permissions());
        FUTIMENS.call(state, target, times(stat));
        return extended;
    }

    /** Copies owner, mode and times to a symbolic link, pipe or device node. */
    public void copy(FileStat stat, int folder, byte[] child) throws LinuxException {
        long path = FileCalls.put(name, child);
        FCHOWNAT.call(state, folder, path, stat.user(), stat.group(), AT_SYMLINK_NOFOLLOW);
        if (!stat.is(FileStat.Type.LINK)) {
            FCHMODAT.call(state, folder, path, stat.permissions(), 0);
        }
        UTIMENSAT.call(state, folder, path, times(stat), AT_SYMLINK_NOFOLLOW);
    }

    /** Writes its times, the last access left as it is; answers where. */
    private long times(FileStat stat) {
        times.set(LONG, 0, 0);
        times.set(LONG, 8, UTIME_OMIT);
        times.set(LONG, 16, stat.seconds());
        times.set(LONG, 24, stat.nanos());
        return times.address();
    }

    private long copyExtended(int source, int target) throws LinuxException {
        long length;
        try {
            length = FLISTXATTR.call(state, source, list.address(), LARGEST_LIST);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EOPNOTSUPP) {
                return 0;
            }
            throw e;
        }
        long bytes = 0;
        int letters;
        for (long at = 0; at < length; at += letters + 1) {
            letters = FileCalls.text(list, at).length;
            bytes += copyExtended(source, target, list.address() + at, letters);
        }
        return bytes;
    }

    /**
     * Copies one extended attribute, unless this process may not read or set it (a label, a capability without the
     * right); returns the bytes of its name and value.
     */
    private long copyExtended(int source, int target, long attribute, int letters) throws LinuxException {
        try {
            long size = FGETXATTR.call(state, source, attribute, value.address(), LARGEST_VALUE);
            FSETXATTR.call(state, target, attribute, value.address(), size, 0);
            return letters + size;
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.EPERM, Errno.EACCES, Errno.EOPNOTSUPP, Errno.ENODATA, Errno.EINVAL -> 0;
                default -> throw e;
            };
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
