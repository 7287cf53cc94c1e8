package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Makes subvolumes and snapshots of btrfs, and limits what they refer to. Numbers and structures are those of
 * {@code linux/btrfs.h}.
 *
 * <p>Call from platform threads. Folders are opened by their paths, and their last name may be no symbolic link.
 */
public final class BtrfsCalls {
    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));
    private static final NativeCall FSTATFS = NativeCall.ofInt("fstatfs", 2);

    private static final long MAGIC = 0x9123683EL;
    private static final int ARGUMENTS = 4096;
    private static final long UNSIGNED_INT = 0xffffffffL;

    private static final long SUBVOL_CREATE = 0x5000940eL;
    private static final long SNAP_CREATE_V2 = 0x50009417L;
    static final long INO_LOOKUP = 0xd0009412L;
    private static final long SUBVOL_GETFLAGS = 0x80089419L;
    private static final long SUBVOL_SETFLAGS = 0x4008941aL;
    private static final long SYNC = 0x9408L;
    private static final long QUOTA_CTL = 0xc0109428L;
    private static final long QGROUP_LIMIT = 0x8030942bL;
    private static final long QUOTA_RESCAN = 0x4040942cL;

    private static final long READ_ONLY = 2;
    private static final long QUOTA_ENABLE = 1;
    private static final long LIMIT_REFERRED = 1;
    private static final long NO_LIMIT = -1;

    /** The number that means the subvolume of the open folder. */
    private static final long THIS = 0;

    private static final int NAME_IN_CREATE = 8;
    private static final int NAME_IN_SNAPSHOT = 56;

    /** The number of the inode at the top of each subvolume. */
    private static final long TOP = 256;

    private BtrfsCalls() {}

    /** Returns whether a folder is on btrfs. */
    public static boolean isBtrfs(Path folder) throws LinuxException {
        return ask(folder, BtrfsCalls::isBtrfs);
    }

    /** Returns whether a place is on btrfs. */
    public static boolean isBtrfs(PathHandle place) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            return isBtrfs(NativeCall.state(arena), place.fd(), arena);
        }
    }

    private static boolean isBtrfs(MemorySegment state, int fd, Arena arena) throws LinuxException {
        MemorySegment answer = arena.allocate(256, 8);
        FSTATFS.call(state, fd, answer.address());
        return (answer.get(LONG, 0) & UNSIGNED_INT) == MAGIC;
    }

    /** Makes an empty subvolume. */
    public static void makeSubvolume(Path parent, String name) throws LinuxException {
        ask(parent, (state, fd, arena) -> {
            MemorySegment arguments = arena.allocate(ARGUMENTS, 8);
            put(arguments, NAME_IN_CREATE, name);
            return IOCTL.call(state, fd, SUBVOL_CREATE, arguments.address());
        });
    }

    /**
     * Makes a subvolume with what another one holds at one instant; in the places of subvolumes below that one are
     * empty folders.
     */
    public static void snapshot(Path source, Path parent, String name) throws LinuxException {
        ask(
                source,
                (_, from, _) -> ask(parent, (state, fd, arena) -> {
                    MemorySegment arguments = arena.allocate(ARGUMENTS, 8);
                    arguments.set(LONG, 0, from);
                    put(arguments, NAME_IN_SNAPSHOT, name);
                    return IOCTL.call(state, fd, SNAP_CREATE_V2, arguments.address());
                }));
    }

    private static void put(MemorySegment arguments, int at, String name) throws LinuxException {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        if (text.length > 255) {
            throw new LinuxException("ioctl", Errno.ENAMETOOLONG);
        }
        MemorySegment.copy(text, 0, arguments, ValueLayout.JAVA_BYTE, at, text.length);
    }

    /** Returns the number of the subvolume whose top a folder is, which no other gets; empty if it is no such top. */
    public static OptionalLong subvolume(Path folder) throws LinuxException {
        try (FileCalls calls = new FileCalls()) {
            int fd = calls.openFolder(folder);
            try {
                return calls.stat(fd).inode() == TOP ? number(fd) : OptionalLong.empty();
            } finally {
                calls.closeFile(fd);
            }
        }
    }

    private static OptionalLong number(int fd) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(ARGUMENTS, 8);
            arguments.set(LONG, 8, TOP);
            IOCTL.call(NativeCall.state(arena), fd, INO_LOOKUP, arguments.address());
            return OptionalLong.of(arguments.get(LONG, 0));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOTTY || e.errno() == Errno.EOPNOTSUPP) {
                return OptionalLong.empty(); // another file system, where a folder has that number by chance
            }
            throw e;
        }
    }

    /** Returns whether nobody can write to a subvolume. */
    public static boolean isReadOnly(Path subvolume) throws LinuxException {
        return ask(subvolume, (state, fd, arena) -> (flags(state, fd, arena) & READ_ONLY) != 0);
    }

    private static long flags(MemorySegment state, int fd, Arena arena) throws LinuxException {
        MemorySegment flags = arena.allocate(LONG);
        IOCTL.call(state, fd, SUBVOL_GETFLAGS, flags.address());
        return flags.get(LONG, 0);
    }

    public static void setReadOnly(Path subvolume, boolean readOnly) throws LinuxException {
        ask(subvolume, (state, fd, arena) -> {
            long now = flags(state, fd, arena);
            MemorySegment wanted = arena.allocate(LONG);
            wanted.set(LONG, 0, readOnly ? now | READ_ONLY : now & ~READ_ONLY);
            return IOCTL.call(state, fd, SUBVOL_SETFLAGS, wanted.address());
        });
    }

    /** Writes what is kept in memory to the disk, after which the numbers of all quotas are those of now. */
    public static void sync(Path folder) throws LinuxException {
        ask(folder, (state, fd, _) -> IOCTL.call(state, fd, SYNC, NativeCall.NULL));
    }

    /** Begins to count what each subvolume of a file system refers to. */
    public static void enableQuotas(Path folder) throws LinuxException {
        ask(folder, (state, fd, arena) -> {
            MemorySegment arguments = arena.allocate(16, 8);
            arguments.set(LONG, 0, QUOTA_ENABLE);
            return IOCTL.call(state, fd, QUOTA_CTL, arguments.address());
        });
    }

    /** Counts anew what each subvolume refers to, in the background; does nothing if that is under way. */
    public static void recount(Path folder) throws LinuxException {
        try {
            ask(folder, (state, fd, arena) -> {
                MemorySegment arguments = arena.allocate(64, 8);
                return IOCTL.call(state, fd, QUOTA_RESCAN, arguments.address());
            });
        } catch (LinuxException e) {
            if (e.errno() != Errno.EINPROGRESS) {
                throw e;
            }
        }
    }

    /** Sets how many bytes a subvolume may refer to, metadata included. */
    public static void limit(Path subvolume, long bytes) throws LinuxException {
        long number = subvolume(subvolume).orElseThrow(() -> new LinuxException("ioctl", Errno.EINVAL));
        ask(subvolume, (state, fd, arena) -> limit(state, fd, arena, number, bytes));
    }

    /** Takes the limit from the subvolume whose top is open; does nothing on other file systems. */
    static void release(int fd) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = NativeCall.state(arena);
            limit(state, fd, arena, THIS, NO_LIMIT);
        } catch (LinuxException e) {
            switch (e.errno()) {
                // no quotas, no such group, another file system, or no right to it
                case Errno.ENOTCONN, Errno.ENOENT, Errno.ENOTTY, Errno.EINVAL, Errno.EOPNOTSUPP, Errno.EPERM -> {}
                default -> throw e;
            }
        }
    }

    private static long limit(MemorySegment state, int fd, Arena arena, long number, long bytes) throws LinuxException {
        MemorySegment arguments = arena.allocate(48, 8);
        arguments.set(LONG, 0, number);
        arguments.set(LONG, 8, LIMIT_REFERRED);
        arguments.set(LONG, 16, bytes);
        return IOCTL.call(state, fd, QGROUP_LIMIT, arguments.address());
    }

    /** Opens a folder for one question. */
    static <T> T ask(Path folder, Question<T> question) throws LinuxException {
        try (FileCalls calls = new FileCalls();
                Arena arena = Arena.ofConfined()) {
            int fd = calls.openFolder(folder);
            try {
                return question.ask(NativeCall.state(arena), fd, arena);
            } finally {
                calls.closeFile(fd);
            }
        }
    }

    /** Asks the kernel something of an open folder. */
    @FunctionalInterface
    interface Question<T> {
        T ask(MemorySegment state, int fd, Arena arena) throws LinuxException;
    }
}
