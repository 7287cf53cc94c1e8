package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;
import static dev.fairlead.linux.NativeCall.LONG;
import static dev.fairlead.linux.NativeCall.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;

/** Gives files the owner, mode, times and extended attributes of others. */
public final class FileAttributes implements AutoCloseable {
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final long UTIME_OMIT = (1L << 30) - 2;
    private static final int LARGEST_LIST = 64 << 10;
    private static final int LARGEST_VALUE = 64 << 10;

    private static final NativeCall FCHOWN = NativeCall.of("fchown", FunctionDescriptor.of(INT, INT, INT, INT));
    private static final NativeCall FCHOWNAT =
            NativeCall.of("fchownat", FunctionDescriptor.of(INT, INT, POINTER, INT, INT, INT));
    private static final NativeCall FCHMOD = NativeCall.of("fchmod", FunctionDescriptor.of(INT, INT, INT));
    private static final NativeCall FCHMODAT =
            NativeCall.of("fchmodat", FunctionDescriptor.of(INT, INT, POINTER, INT, INT));
    private static final NativeCall FUTIMENS = NativeCall.of("futimens", FunctionDescriptor.of(INT, INT, POINTER));
    private static final NativeCall UTIMENSAT =
            NativeCall.of("utimensat", FunctionDescriptor.of(INT, INT, POINTER, POINTER, INT));
    private static final NativeCall FLISTXATTR =
            NativeCall.of("flistxattr", FunctionDescriptor.of(LONG, INT, POINTER, LONG));
    private static final NativeCall FGETXATTR =
            NativeCall.of("fgetxattr", FunctionDescriptor.of(LONG, INT, POINTER, POINTER, LONG));
    private static final NativeCall FSETXATTR =
            NativeCall.of("fsetxattr", FunctionDescriptor.of(INT, INT, POINTER, POINTER, LONG, INT));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = NativeCall.state(arena);
    private final MemorySegment name = arena.allocate(4097);
    private final MemorySegment times = arena.allocate(32, 8);
    private final MemorySegment list = arena.allocate(LARGEST_LIST);
    private final MemorySegment value = arena.allocate(LARGEST_VALUE);

    /** To an open file or folder. The owner comes first, since a change of it takes bits and attributes away. */
    public void copy(int source, FileStat stat, int target) throws LinuxException {
        FCHOWN.call(state, target, stat.user(), stat.group());
        copyExtended(source, target);
        FCHMOD.call(state, target, stat.permissions());
        FUTIMENS.call(state, target, times(stat));
    }

    /** To a symbolic link, pipe or device node. */
    public void copy(FileStat stat, int folder, byte[] child) throws LinuxException {
        FileCalls.put(name, child);
        FCHOWNAT.call(state, folder, name, stat.user(), stat.group(), AT_SYMLINK_NOFOLLOW);
        if (!stat.is(FileStat.Type.LINK)) {
            FCHMODAT.call(state, folder, name, stat.permissions(), 0);
        }
        UTIMENSAT.call(state, folder, name, times(stat), AT_SYMLINK_NOFOLLOW);
    }

    private MemorySegment times(FileStat stat) {
        times.set(LONG, 0, 0);
        times.set(LONG, 8, UTIME_OMIT);
        times.set(LONG, 16, stat.seconds());
        times.set(LONG, 24, stat.nanos());
        return times;
    }

    private void copyExtended(int source, int target) throws LinuxException {
        long length;
        try {
            length = FLISTXATTR.call(state, source, list, (long) LARGEST_LIST);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EOPNOTSUPP) {
                return;
            }
            throw e;
        }
        for (long at = 0; at < length; at += FileCalls.text(list, at).length + 1) {
            copyExtended(source, target, list.asSlice(at));
        }
    }

    /** One that this process may not read or set (a label, a capability without the right to it) is left out. */
    private void copyExtended(int source, int target, MemorySegment attribute) throws LinuxException {
        try {
            long size = FGETXATTR.call(state, source, attribute, value, (long) LARGEST_VALUE);
            FSETXATTR.call(state, target, attribute, value, size, 0);
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.EPERM, Errno.EACCES, Errno.EOPNOTSUPP, Errno.ENODATA, Errno.EINVAL -> {}
                default -> throw e;
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
