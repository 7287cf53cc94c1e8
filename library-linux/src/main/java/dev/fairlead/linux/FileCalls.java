package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;
import static dev.fairlead.linux.NativeCall.LONG;

import dev.fairlead.linux.flags.OpenFlags;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Works on names in folders that are held by descriptors, so renaming or swapping things meanwhile cannot lead these
 * calls elsewhere. No call follows a symbolic link. Names are bytes, as Linux has them.
 *
 * <p>An instance is for one thread, a platform thread.
 */
public final class FileCalls implements AutoCloseable {
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_REMOVEDIR = 0x200;
    private static final int AT_NO_AUTOMOUNT = 0x800;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int O_WRONLY = 1;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;

    private static final NativeCall OPENAT = NativeCall.ofInt("openat", 4, Linker.Option.firstVariadicArg(3));
    private static final NativeCall CLOSE = NativeCall.ofInt("close", 1);
    private static final NativeCall STATX = NativeCall.ofInt("statx", 5);
    private static final NativeCall GETDENTS64 = NativeCall.ofLong("getdents64", 3);
    private static final NativeCall LSEEK = NativeCall.ofLong("lseek", 3);
    private static final NativeCall MKDIRAT = NativeCall.ofInt("mkdirat", 3);
    private static final NativeCall UNLINKAT = NativeCall.ofInt("unlinkat", 3);
    private static final NativeCall RENAMEAT = NativeCall.ofInt("renameat", 4);
    private static final NativeCall LINKAT = NativeCall.ofInt("linkat", 5);
    private static final NativeCall SYMLINKAT = NativeCall.ofInt("symlinkat", 3);
    private static final NativeCall READLINKAT = NativeCall.ofLong("readlinkat", 4);
    private static final NativeCall MKNODAT = NativeCall.ofInt("mknodat", 4);
    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));

    /** {@code _IOR(0x94, 25, __u64)} */
    private static final long BTRFS_IOC_SUBVOL_GETFLAGS = 0x80089419L;

    /** {@code _IOW(0x94, 26, __u64)} */
    private static final long BTRFS_IOC_SUBVOL_SETFLAGS = 0x4008941aL;

    private static final long BTRFS_SUBVOL_RDONLY = 2;

    private static final int STATX_BTIME = 0x800;
    /** The basic facts, the time of birth and the id of the mount. */
    private static final int STATX_WANTED = 0x7ff | STATX_BTIME | 0x1000;

    private static final int LONGEST_PATH = 4096;
    private static final byte[] SELF = {};

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = NativeCall.state(arena);
    private final MemorySegment name = arena.allocate(LONGEST_PATH + 1);
    private final MemorySegment other = arena.allocate(LONGEST_PATH + 1);
    private final MemorySegment stat = arena.allocate(256, 8);
    private final MemorySegment entries = arena.allocate(8192, 8);

    /** Opens a folder by its path; its own name may not be a symbolic link. */
    public int openFolder(Path path) throws LinuxException {
        return openFolder(AT_FDCWD, bytes(path.toString()));
    }

    public int openFolder(int folder, byte[] child) throws LinuxException {
        return open(folder, child, OpenFlags.O_DIRECTORY, 0);
    }

    /** Opens a file for reading; does not wait if it is a pipe. */
    public int openFile(int folder, byte[] child) throws LinuxException {
        return open(folder, child, O_NONBLOCK, 0);
    }

    /**
     * Opens a block device for reading, and claims it for the kernel's time of that; fails with {@link Errno#EBUSY}
     * while anything has claimed it: a mount in any mount namespace, a map over it, or swap.
     */
    public int openAlone(Path device) throws LinuxException {
        return open(AT_FDCWD, bytes(device.toString()), O_EXCL | O_NONBLOCK, 0);
    }

    /** Creates a file that only its owner may read, open for writing. */
    public int createFile(int folder, byte[] child) throws LinuxException {
        return open(folder, child, O_WRONLY | O_CREAT | O_EXCL, 0600);
    }

    private int open(int folder, byte[] child, int flags, int mode) throws LinuxException {
        return (int) OPENAT.call(state, folder, put(name, child), flags | OpenFlags.O_NOFOLLOW | O_CLOEXEC, mode);
    }

    public void closeFile(int descriptor) throws LinuxException {
        CLOSE.call(state, descriptor);
    }

    /** Returns what is at a path, a symbolic link itself included; if something is mounted there, its root. */
    public FileStat stat(Path path) throws LinuxException {
        return stat(AT_FDCWD, bytes(path.toString()));
    }

    public FileStat stat(int descriptor) throws LinuxException {
        return stat(descriptor, SELF);
    }

    /** Returns what a name in a folder is; if something is mounted there, the root of the mount. */
    public FileStat stat(int folder, byte[] child) throws LinuxException {
        int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (child.length == 0 ? AT_EMPTY_PATH : 0);
        stat.fill((byte) 0);
        STATX.call(state, folder, put(name, child), flags, STATX_WANTED, stat.address());
        return new FileStat(
                Short.toUnsignedInt(stat.get(ValueLayout.JAVA_SHORT, 28)),
                stat.get(INT, 16),
                stat.get(INT, 20),
                stat.get(INT, 24),
                stat.get(LONG, 32),
                stat.get(LONG, 40),
                stat.get(LONG, 48) * 512,
                stat.get(LONG, 112),
                stat.get(INT, 120),
                device(stat.get(INT, 128), stat.get(INT, 132)),
                device(stat.get(INT, 136), stat.get(INT, 140)),
                stat.get(LONG, 144),
                born());
    }

    private long born() {
        boolean told = (stat.get(INT, 0) & STATX_BTIME) != 0;
        return told ? stat.get(LONG, 80) * 1_000_000_000 + stat.get(INT, 88) : 0;
    }

    /** Returns a device number as the C library packs it. */
    private static long device(int major, int minor) {
        return ((major & 0xfffff000L) << 32)
                | ((major & 0xfffL) << 8)
                | ((minor & 0xffffff00L) << 12)
                | (minor & 0xffL);
    }

    /**
     * Returns the next names of an open folder, without itself and its parent; empty once all have been seen, and for a
     * folder that was removed meanwhile.
     */
    public List<byte[]> nextNames(int folder) throws LinuxException {
        List<byte[]> names = new ArrayList<>();
        while (names.isEmpty()) {
            long end = readNames(folder);
            if (end == 0) {
                return names;
            }
            for (long at = 0; at < end; at += Short.toUnsignedInt(entries.get(ValueLayout.JAVA_SHORT, at + 16))) {
                byte[] found = text(entries, at + 19);
                boolean self = found[0] == '.' && (found.length == 1 || (found.length == 2 && found[1] == '.'));
                if (!self) {
                    names.add(found);
                }
            }
        }
        return names;
    }

    private long readNames(int folder) throws LinuxException {
        try {
            return GETDENTS64.call(state, folder, entries.address(), entries.byteSize());
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return 0; // nothing can be in a folder that has no name any more
            }
            throw e;
        }
    }

    /** Lets {@link #nextNames} begin anew. */
    public void rewind(int folder) throws LinuxException {
        LSEEK.call(state, folder, 0, 0);
    }

    public void makeFolder(int folder, byte[] child, int mode) throws LinuxException {
        MKDIRAT.call(state, folder, put(name, child), mode);
    }

    public void unlink(int folder, byte[] child) throws LinuxException {
        UNLINKAT.call(state, folder, put(name, child), 0);
    }

    public void removeFolder(int folder, byte[] child) throws LinuxException {
        UNLINKAT.call(state, folder, put(name, child), AT_REMOVEDIR);
    }

    /**
     * Makes a folder writable, and takes its limit from it, if it is a subvolume of btrfs; leaves any other folder as
     * it is.
     */
    public void makeWritable(int folder, byte[] child) throws LinuxException {
        int subvolume = openFolder(folder, child);
        try {
            IOCTL.call(state, subvolume, BTRFS_IOC_SUBVOL_GETFLAGS, stat.address());
            long flags = stat.get(LONG, 0);
            if ((flags & BTRFS_SUBVOL_RDONLY) != 0) {
                stat.set(LONG, 0, flags & ~BTRFS_SUBVOL_RDONLY);
                IOCTL.call(state, subvolume, BTRFS_IOC_SUBVOL_SETFLAGS, stat.address());
            }
            BtrfsCalls.release(subvolume);
        } catch (LinuxException e) {
            switch (e.errno()) {
                case Errno.ENOTTY, Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS -> {}
                default -> throw e;
            }
        } finally {
            closeFile(subvolume);
        }
    }

    public void rename(int fromFolder, byte[] from, int toFolder, byte[] to) throws LinuxException {
        RENAMEAT.call(state, fromFolder, put(name, from), toFolder, put(other, to));
    }

    /** Gives a file another name. */
    public void link(int fromFolder, byte[] from, int folder, byte[] child) throws LinuxException {
        LINKAT.call(state, fromFolder, put(name, from), folder, put(other, child), 0);
    }

    public void symlink(byte[] target, int folder, byte[] child) throws LinuxException {
        SYMLINKAT.call(state, put(name, target), folder, put(other, child));
    }

    /** Returns the target of a symbolic link, or throws {@code ENOENT} if the name is something else. */
    public byte[] readLink(int folder, byte[] child) throws LinuxException {
        try {
            long length = READLINKAT.call(state, folder, put(name, child), other.address(), other.byteSize());
            return other.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        } catch (LinuxException e) {
            throw e.errno() == Errno.EINVAL ? new LinuxException("readlinkat", Errno.ENOENT) : e;
        }
    }

    /** Makes a pipe or device node. */
    public void makeNode(int folder, byte[] child, int mode, long device) throws LinuxException {
        MKNODAT.call(state, folder, put(name, child), mode, device);
    }

    @Override
    public void close() {
        arena.close();
    }

    /** Writes a name, ended by a zero; answers where. */
    static long put(MemorySegment room, byte[] text) throws LinuxException {
        if (text.length >= room.byteSize()) {
            throw new LinuxException("path", Errno.ENAMETOOLONG);
        }
        MemorySegment.copy(text, 0, room, ValueLayout.JAVA_BYTE, 0, text.length);
        room.set(ValueLayout.JAVA_BYTE, text.length, (byte) 0);
        return room.address();
    }

    static byte[] text(MemorySegment segment, long from) {
        long end = from;
        while (segment.get(ValueLayout.JAVA_BYTE, end) != 0) {
            end++;
        }
        return segment.asSlice(from, end - from).toArray(ValueLayout.JAVA_BYTE);
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }
}
