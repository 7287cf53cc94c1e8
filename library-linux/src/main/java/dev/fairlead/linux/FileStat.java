package dev.fairlead.linux;

/**
 * Holds what {@code statx} answers.
 *
 * @param mode the bits of the type and the permissions
 * @param device the number of the device that a device node stands for
 * @param mount the id of the mount in which the file is, which tells a bind mount of the same file system apart; 0 if
 *     the kernel (before 5.8) does not say
 * @param seconds and {@code nanos}: time of the last change of the content
 * @param born when the file was made, in nanoseconds since 1970; 0 if its file system does not say
 */
public record FileStat(
        int mode,
        int links,
        int user,
        int group,
        long inode,
        long size,
        long allocated,
        long seconds,
        int nanos,
        long device,
        long filesystem,
        long mount,
        long born) {
    private static final int TYPE = 0170000;

    /** Lists the types of files (S_IFMT). */
    public enum Type {
        FOLDER(0040000),
        FILE(0100000),
        LINK(0120000),
        SOCKET(0140000),
        FIFO(0010000),
        CHARACTER_DEVICE(0020000),
        BLOCK_DEVICE(0060000);

        private final int bits;

        Type(int bits) {
            this.bits = bits;
        }
    }

    public boolean is(Type type) {
        return (mode & TYPE) == type.bits;
    }

    /** Returns the number of its file system as sysfs writes that of a device, which it is on if it is on one. */
    public String filesystemDevice() {
        long major = ((filesystem >>> 32) & 0xfffff000L) | ((filesystem >>> 8) & 0xfffL);
        long minor = ((filesystem >>> 12) & 0xffffff00L) | (filesystem & 0xffL);
        return major + ":" + minor;
    }

    /** Returns the permission bits, setuid, setgid and sticky among them. */
    public int permissions() {
        return mode & 07777;
    }

    /**
     * Says whether both are in one mount, so that the way from one to the other crosses none. If the kernel tells
     * mounts apart, the file systems' numbers say nothing: each subvolume of btrfs has one of its own.
     */
    public boolean sameMount(FileStat other) {
        return mount == other.mount && (mount != 0 || filesystem == other.filesystem);
    }

    /**
     * Returns a text that only the names of one file have in common, also over time: a file system gives the inode
     * number of a deleted file to a new one. If it does not say when a file was made, a file that changes has another
     * text afterwards.
     */
    public String identity() {
        return filesystem + "-" + Long.toUnsignedString(inode) + "-"
                + (born != 0 ? Long.toString(born) : size + "-" + seconds + "-" + nanos);
    }
}
