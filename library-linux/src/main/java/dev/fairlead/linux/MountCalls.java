package dev.fairlead.linux;

import static dev.fairlead.linux.NativeCall.LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes the system calls that change the mount table, and {@code statvfs}.
 *
 * <p>All of them may hang for as long as the file system behind a path does.
 */
public final class MountCalls {
    /** Per-mount attributes of {@code mount_setattr} and {@code statmount} (linux/mount.h). */
    public static final long ATTR_RDONLY = 0x1;

    public static final long ATTR_NOSUID = 0x2;
    public static final long ATTR_NODEV = 0x4;
    public static final long ATTR_NOEXEC = 0x8;
    /** Mask of the three ways to keep access times, of which {@code relatime} is zero. */
    public static final long ATTR_ATIME = 0x70;

    public static final long ATTR_NOATIME = 0x10;
    public static final long ATTR_STRICTATIME = 0x20;
    public static final long ATTR_NODIRATIME = 0x80;
    public static final long ATTR_IDMAP = 0x100000;
    public static final long ATTR_NOSYMFOLLOW = 0x200000;

    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int OPEN_TREE_CLONE = 1;
    private static final int OPEN_TREE_CLOEXEC = 0x80000;
    private static final int MOVE_MOUNT_F_EMPTY_PATH = 0x4;
    private static final int MOVE_MOUNT_T_EMPTY_PATH = 0x40;
    private static final long MS_REMOUNT = 0x20;
    private static final long MS_BIND = 0x1000;
    private static final int UMOUNT_NOFOLLOW = 8;
    private static final int MNT_DETACH = 2;

    private static final NativeCall OPEN_TREE = NativeCall.numbered("open_tree", 428, 3);
    private static final NativeCall MOVE_MOUNT = NativeCall.numbered("move_mount", 429, 5);
    private static final NativeCall MOUNT_SETATTR = NativeCall.numbered("mount_setattr", 442, 5);
    private static final NativeCall MOUNT = NativeCall.ofInt("mount", 5);
    private static final NativeCall UMOUNT = NativeCall.ofInt("umount2", 2);
    private static final NativeCall STATVFS = NativeCall.ofInt("statvfs", 2);

    private MountCalls() {}

    /**
     * Returns a copy of one mount from this directory down, without the mounts below it, that is not attached yet. It
     * goes away with its handle unless {@link #attach} has put it somewhere.
     */
    public static PathHandle cloneTree(PathHandle source) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            return new PathHandle((int) OPEN_TREE.call(
                    NativeCall.state(arena),
                    source.fd(),
                    NativeCall.text(arena, ""),
                    AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
        }
    }

    /** Says whether this kernel has {@link #setAttributes} (5.12), and with it the older {@link #cloneTree}. */
    public static boolean offersAttributes() {
        try (PathHandle here = PathHandle.ofDirectory(Path.of("/"))) {
            setAttributes(here, 0, 0); // nothing to set: answers without looking at the mount
            return true;
        } catch (LinuxException _) {
            return false; // a filter of system calls (seccomp) answers EPERM, too, to those it does not know
        }
    }

    /** Sets and clears attributes of one mount, all at once. */
    public static void setAttributes(PathHandle tree, long set, long clear) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(LONG, 4);
            attributes.setAtIndex(LONG, 0, set);
            attributes.setAtIndex(LONG, 1, clear);
            MOUNT_SETATTR.call(
                    NativeCall.state(arena),
                    tree.fd(),
                    NativeCall.text(arena, ""),
                    AT_EMPTY_PATH,
                    attributes.address(),
                    attributes.byteSize());
        }
    }

    /** Puts a cloned tree on top of a directory. */
    public static void attach(PathHandle tree, PathHandle target) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            long empty = NativeCall.text(arena, "");
            MOVE_MOUNT.call(
                    NativeCall.state(arena),
                    tree.fd(),
                    empty,
                    target.fd(),
                    empty,
                    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
        }
    }

    /** Makes a bind mount on kernels that have no {@code open_tree}; it takes its attributes from the source. */
    public static void bind(PathHandle source, PathHandle target) throws LinuxException {
        mount(source.self().toString(), target.self().toString(), MS_BIND);
    }

    /**
     * Sets the flags of a bind mount on kernels that have no {@code mount_setattr}.
     *
     * @param flags {@code MS_*}; they replace the flags in force, except those of the access times if none is named
     */
    public static void remount(PathHandle mount, long flags) throws LinuxException {
        mount("none", mount.self().toString(), MS_REMOUNT | MS_BIND | flags);
    }

    private static void mount(String source, String target, long flags) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MOUNT.call(
                    NativeCall.state(arena),
                    NativeCall.text(arena, source),
                    NativeCall.text(arena, target),
                    NativeCall.NULL,
                    flags,
                    NativeCall.NULL);
        }
    }

    /** Takes the topmost mount off, or throws {@code EINVAL} if there is none. A symbolic link is not followed. */
    public static void unmount(Path target) throws LinuxException {
        unmount(target, UMOUNT_NOFOLLOW);
    }

    /**
     * Takes the topmost mount out of the mount table at once, whoever still uses it; the kernel lets go of the file
     * system when the last user has.
     */
    public static void unmountLazily(Path target) throws LinuxException {
        unmount(target, UMOUNT_NOFOLLOW | MNT_DETACH);
    }

    private static void unmount(Path target, int flags) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            UMOUNT.call(NativeCall.state(arena), NativeCall.text(arena, target.toString()), flags);
        }
    }

    /** Returns the blocks and inodes of the file system at a path. */
    public static Space space(PathHandle place) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(LONG, 32); // 11 longs and some ints, on every 64-bit Linux
            STATVFS.call(
                    NativeCall.state(arena), NativeCall.text(arena, place.self().toString()), buffer.address());
            return new Space(
                    buffer.getAtIndex(LONG, 1),
                    buffer.getAtIndex(LONG, 2),
                    buffer.getAtIndex(LONG, 3),
                    buffer.getAtIndex(LONG, 4),
                    buffer.getAtIndex(LONG, 5),
                    buffer.getAtIndex(LONG, 6));
        }
    }

    /**
     * Holds the counts of {@code statvfs}.
     *
     * @param unit bytes in a block
     * @param availableBlocks the blocks that an ordinary user may still take
     */
    public record Space(long unit, long blocks, long freeBlocks, long availableBlocks, long inodes, long freeInodes) {
        /** Less than this is nothing, of what is not so small that it is a fiftieth of it. */
        private static final long LITTLE = 256 << 10;

        private static final int THOUSAND = 1_000;
        private static final int FIFTY = 50;

        /** Returns the words for that next to nothing can be written; empty if more can. */
        public Optional<String> fullness() {
            long total = blocks * unit;
            long free = availableBlocks * unit;
            return total > 0 && free < Math.min(Math.max(total / THOUSAND, LITTLE), total / FIFTY)
                    ? Optional.of(free + " of " + total + " bytes are free")
                    : Optional.empty();
        }

        /** Returns the words for that no file can be made though there is space; empty if one can. */
        public Optional<String> lackOfInodes() {
            return inodes > 0 && freeInodes == 0 && fullness().isEmpty()
                    ? Optional.of("all of its " + inodes + " inodes are in use")
                    : Optional.empty();
        }
    }
}
