package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.INT;
import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * Puts folders into projects, whose use XFS and ext4 count and limit. Numbers and structures are those of
 * {@code linux/fs.h}, {@code linux/quota.h} and {@code linux/dqblk_xfs.h}; both file systems answer the calls of either
 * of the latter two.
 *
 * <p>The calls are {@code quotactl_fd} (Linux 5.14), which needs no device node. Counts and limits need
 * {@code CAP_SYS_ADMIN}. Call from platform threads. Folders are opened by their paths, and their last name may be no
 * symbolic link.
 */
public final class ProjectQuotas {
    private static final NativeCall IOCTL = NativeCall.ofInt("ioctl", 3, Linker.Option.firstVariadicArg(2));
    private static final NativeCall FSTATFS = NativeCall.ofInt("fstatfs", 2);
    private static final NativeCall QUOTACTL = NativeCall.numbered("quotactl_fd", 443, 4);

    private static final long UNSIGNED_INT = 0xffffffffL;
    private static final long XFS_MAGIC = 0x58465342L;
    private static final long EXT4_MAGIC = 0xEF53L;

    /** {@code _IOR('X', 31, struct fsxattr)} */
    private static final long FS_IOC_FSGETXATTR = 0x801c581fL;

    /** {@code _IOW('X', 32, struct fsxattr)} */
    private static final long FS_IOC_FSSETXATTR = 0x401c5820L;

    private static final int ATTRIBUTES = 28;
    private static final int FLAGS = 0;
    private static final int PROJECT = 12;
    private static final int FS_XFLAG_PROJINHERIT = 0x200;

    /** The type of a quota, the last byte of each command. */
    private static final int PRJQUOTA = 2;

    private static final long Q_GETQUOTA = 0x80000700L | PRJQUOTA;
    private static final long Q_SETQUOTA = 0x80000800L | PRJQUOTA;
    private static final long Q_XGETQSTATV = 0x580800L | PRJQUOTA;

    private static final int STATE_VERSION = 1;
    private static final int COUNTED = 1 << 4;
    private static final int ENFORCED = 1 << 5;

    /** The unit of limits on space, in bytes. */
    private static final long UNIT = 1024;

    /** {@code QIF_LIMITS}: the limits on space and inodes are set, and nothing else. */
    private static final int LIMITS = 5;

    private ProjectQuotas() {}

    /** Tells whether limits of projects hold. */
    public enum QuotaState {
        /** Nothing is counted, or the kernel cannot tell. */
        OFF,
        /** The use of projects is counted, and no limit holds. */
        COUNTED,
        /** Limits hold. */
        ON
    }

    /**
     * Names the project of a folder.
     *
     * @param number 0 for what is in none
     * @param inherited whether what is made in the folder is of its project too
     */
    public record ProjectMark(long number, boolean inherited) {}

    /**
     * Holds what a file system counted of a project, which is exact at any time.
     *
     * @param bytes the space of its files, that of what is not yet written to the disk included
     * @param limit the most of it; 0 if there is no limit
     * @param inodes the number of its files and folders
     * @param inodeLimit the most of them; 0 if there is no limit
     */
    public record ProjectUse(long bytes, long limit, long inodes, long inodeLimit) {
        public static final ProjectUse NOTHING = new ProjectUse(0, 0, 0, 0);
    }

    /** Returns {@code xfs}, {@code ext4} or an empty text; ext2 and ext3 count as ext4, as they do for the kernel. */
    public static String filesystem(Path folder) throws LinuxException {
        return BtrfsCalls.ask(folder, (state, fd, arena) -> {
            MemorySegment answer = arena.allocate(256, 8);
            FSTATFS.call(state, fd, answer.address());
            long magic = answer.get(LONG, 0) & UNSIGNED_INT;
            return magic == XFS_MAGIC ? "xfs" : magic == EXT4_MAGIC ? "ext4" : "";
        });
    }

    /** Returns whether limits hold on the file system of a folder. */
    public static QuotaState state(Path folder) throws LinuxException {
        try {
            return BtrfsCalls.ask(folder, (state, fd, arena) -> {
                MemorySegment answer = arena.allocate(256, 8);
                answer.set(ValueLayout.JAVA_BYTE, 0, (byte) STATE_VERSION);
                QUOTACTL.call(state, fd, Q_XGETQSTATV, 0, answer.address());
                int flags = answer.get(ValueLayout.JAVA_SHORT, 2);
                if ((flags & COUNTED) == 0) {
                    return QuotaState.OFF;
                }
                return (flags & ENFORCED) != 0 ? QuotaState.ON : QuotaState.COUNTED;
            });
        } catch (LinuxException e) {
            return switch (e.errno()) {
                // ENOSYS: no such call, a file system without quotas, or one whose quotas are all off
                case Errno.ENOSYS, Errno.ESRCH, Errno.EOPNOTSUPP -> QuotaState.OFF;
                default -> throw e;
            };
        }
    }

    /** Returns the project of a folder; none on file systems that have no projects. */
    public static ProjectMark of(Path folder) throws LinuxException {
        try {
            return BtrfsCalls.ask(folder, (state, fd, arena) -> {
                MemorySegment attributes = arena.allocate(ATTRIBUTES, 8);
                IOCTL.call(state, fd, FS_IOC_FSGETXATTR, attributes.address());
                return new ProjectMark(
                        Integer.toUnsignedLong(attributes.get(INT, PROJECT)),
                        (attributes.get(INT, FLAGS) & FS_XFLAG_PROJINHERIT) != 0);
            });
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENOTTY, Errno.EOPNOTSUPP -> new ProjectMark(0, false);
                default -> throw e;
            };
        }
    }

    /** Puts a folder, and what is made in it from now on, into a project; with 0 takes it out of its project. */
    public static void assign(Path folder, long number) throws LinuxException {
        BtrfsCalls.ask(folder, (state, fd, arena) -> {
            MemorySegment attributes = arena.allocate(ATTRIBUTES, 8);
            IOCTL.call(state, fd, FS_IOC_FSGETXATTR, attributes.address());
            int flags = attributes.get(INT, FLAGS);
            attributes.set(INT, FLAGS, number == 0 ? flags & ~FS_XFLAG_PROJINHERIT : flags | FS_XFLAG_PROJINHERIT);
            attributes.set(INT, PROJECT, (int) number);
            return IOCTL.call(state, fd, FS_IOC_FSSETXATTR, attributes.address());
        });
    }

    /** Returns what is counted of a project on the file system of a folder. */
    public static ProjectUse use(Path folder, long number) throws LinuxException {
        try {
            return BtrfsCalls.ask(folder, (state, fd, arena) -> {
                MemorySegment answer = arena.allocate(72, 8);
                QUOTACTL.call(state, fd, Q_GETQUOTA, number, answer.address());
                return new ProjectUse(
                        answer.get(LONG, 16),
                        Math.multiplyExact(answer.get(LONG, 0), UNIT),
                        answer.get(LONG, 40),
                        answer.get(LONG, 24));
            });
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT && of(folder).number() != number) {
                return ProjectUse.NOTHING; // XFS has never heard of it
            }
            throw e;
        }
    }

    /**
     * Limits a project on the file system of a folder.
     *
     * @param bytes the most space, rounded up to the file system's blocks
     * @param inodes the most files and folders
     */
    public static void limit(Path folder, long number, long bytes, long inodes) throws LinuxException {
        BtrfsCalls.ask(folder, (state, fd, arena) -> {
            MemorySegment limits = arena.allocate(72, 8);
            limits.set(LONG, 0, bytes / UNIT + (bytes % UNIT == 0 ? 0 : 1));
            limits.set(LONG, 24, inodes);
            limits.set(INT, 64, LIMITS);
            return QUOTACTL.call(state, fd, Q_SETQUOTA, number, limits.address());
        });
    }
}
