package dev.fairlead.linux;

/** Lists the error numbers of Linux that callers tell apart (asm-generic/errno-base.h, errno.h). */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EAGAIN = 11;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EXDEV = 18;
    public static final int ENOTDIR = 20;
    public static final int EINVAL = 22;
    public static final int ENOTTY = 25;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EMLINK = 31;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ENOTEMPTY = 39;
    public static final int ELOOP = 40;
    public static final int ENODATA = 61;
    public static final int EOVERFLOW = 75;
    public static final int EOPNOTSUPP = 95;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int ESTALE = 116;
    public static final int EDQUOT = 122;

    private Errno() {}

    /** Returns words for a human; the number alone if it is a rare one. */
    static String describe(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted (EPERM)";
            case ENOENT -> "no such file or directory (ENOENT)";
            case ESRCH -> "nothing of that name runs, such as quotas (ESRCH)";
            case EIO -> "input/output error (EIO)";
            case EAGAIN -> "not now, try again (EAGAIN)";
            case EACCES -> "permission denied (EACCES)";
            case EBUSY -> "device or resource busy (EBUSY)";
            case EEXIST -> "file exists (EEXIST)";
            case EXDEV -> "not on the same file system (EXDEV)";
            case ENOTDIR -> "not a directory (ENOTDIR)";
            case EINVAL -> "invalid argument (EINVAL)";
            case ENOSPC -> "no space left on device (ENOSPC)";
            case EROFS -> "read-only file system (EROFS)";
            case ENOSYS -> "not offered by this kernel (ENOSYS)";
            case ENOTEMPTY -> "directory not empty (ENOTEMPTY)";
            case ELOOP -> "a symbolic link, and none is followed (ELOOP)";
            case ENODATA -> "no such attribute (ENODATA)";
            case EOPNOTSUPP -> "operation not supported (EOPNOTSUPP)";
            case ENOTCONN -> "not connected (ENOTCONN)";
            case ETIMEDOUT -> "no answer in time (ETIMEDOUT)";
            case ECONNREFUSED -> "connection refused (ECONNREFUSED)";
            case EHOSTUNREACH -> "no way to the host (EHOSTUNREACH)";
            case EALREADY -> "already under way (EALREADY)";
            case ESTALE -> "stale file handle (ESTALE)";
            case EDQUOT -> "quota exceeded (EDQUOT)";
            default -> "errno " + errno;
        };
    }
}
