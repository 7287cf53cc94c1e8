package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.LONG;

import dev.fairlead.linux.flags.OpenFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Copies the content of open files: blocks shared, copied inside the kernel, or copied by hand; holes stay holes. */
public final class FileContent implements AutoCloseable {
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;

    /** {@code _IOW(0x94, 9, int)} */
    private static final long FICLONE = 0x40049409L;

    private static final int AT_FDCWD = -100;
    private static final int O_CLOEXEC = 0x80000;

    private static final NativeCall OPENAT = NativeCall.ofInt("openat", 4, Linker.Option.firstVariadicArg(3));
    private static final NativeCall CLOSE = NativeCall.ofInt("close", 1);
    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));
    private static final NativeCall COPY_FILE_RANGE = NativeCall.ofLong("copy_file_range", 6);
    private static final NativeCall PREAD = NativeCall.ofLong("pread", 4);
    private static final NativeCall PWRITE = NativeCall.ofLong("pwrite", 4);
    private static final NativeCall LSEEK = NativeCall.ofLong("lseek", 3);
    private static final NativeCall FTRUNCATE = NativeCall.ofInt("ftruncate", 2);
    private static final NativeCall SYNCFS = NativeCall.ofInt("syncfs", 1);

    private static final int BUFFER = 256 << 10;

    /** The size and alignment of what is read from a disk itself; blocks of disks are no larger. */
    private static final int BLOCK = 4096;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = NativeCall.state(arena);
    private final MemorySegment from = arena.allocate(LONG);
    private final MemorySegment to = arena.allocate(LONG);
    private final MemorySegment buffer = arena.allocate(BUFFER);

    /** Makes the target share the source's blocks if the file system can; returns whether it did. */
    public boolean share(int source, int target) throws LinuxException {
        try {
            IOCTL.call(state, target, FICLONE, source);
            return true;
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.EOPNOTSUPP, Errno.EXDEV, Errno.EINVAL, Errno.ENOTTY, Errno.ENOSYS, Errno.EPERM -> false;
                default -> throw e;
            };
        }
    }

    /** Copies a piece inside the kernel; returns the bytes copied, 0 at the end, less than 0 if the kernel cannot. */
    public long copyInKernel(int source, int target, long at, long most) throws LinuxException {
        from.set(LONG, 0, at);
        to.set(LONG, 0, at);
        try {
            return COPY_FILE_RANGE.call(state, source, from.address(), target, to.address(), most, 0);
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.EXDEV, Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EPERM -> -1;
                default -> throw e;
            };
        }
    }

    /** Copies a piece through memory; returns the bytes copied, 0 at the end. */
    public long copyByHand(int source, int target, long at, long most) throws LinuxException {
        long length = PREAD.call(state, source, buffer.address(), Math.min(most, BUFFER), at);
        for (long done = 0; done < length; ) {
            done += PWRITE.call(state, target, buffer.address() + done, length - done, at + done);
        }
        return length;
    }

    /** Returns the position at which the next data begins; empty if there is none up to the end. */
    public OptionalLong nextData(int file, long at) throws LinuxException {
        try {
            return OptionalLong.of(LSEEK.call(state, file, at, SEEK_DATA));
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENXIO -> OptionalLong.empty();
                case Errno.EINVAL, Errno.EOPNOTSUPP -> OptionalLong.of(at); // holes unknown here: all is data
                default -> throw e;
            };
        }
    }

    /** Returns the position at which the next hole begins, at the latest the end of the file. */
    public long nextHole(int file, long at, long end) throws LinuxException {
        try {
            return Math.min(end, LSEEK.call(state, file, at, SEEK_HOLE));
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENXIO, Errno.EINVAL, Errno.EOPNOTSUPP -> end;
                default -> throw e;
            };
        }
    }

    public void setSize(int file, long size) throws LinuxException {
        FTRUNCATE.call(state, file, size);
    }

    /** Syncs the whole file system on which the file is. */
    public void syncAll(int file) throws LinuxException {
        SYNCFS.call(state, file);
    }

    /**
     * Reads the beginning of a file from its disk, not from what the kernel remembers of it, and returns the number of
     * bytes; fails with {@link Errno#EINVAL} on a file system that cannot.
     */
    public static long readFromDisk(Path file) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            int flags = OpenFlags.O_DIRECT | OpenFlags.O_NOFOLLOW | O_CLOEXEC;
            long opened = OPENAT.call(state, AT_FDCWD, NativeCall.text(arena, file.toString()), flags, 0);
            try {
                return PREAD.call(state, opened, arena.allocate(BLOCK, BLOCK).address(), BLOCK, 0);
            } finally {
                CLOSE.call(state, opened);
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
