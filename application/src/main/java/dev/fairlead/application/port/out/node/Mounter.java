package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads and changes the node's mount table. A call may hang in the kernel (a dead server); it returns within its
 * deadline all the same, and leaves the kernel call behind on a thread of a bounded pool.
 */
public interface Mounter {
    /** Returns the mount exactly at this path: the topmost one if several are stacked. */
    Optional<MountEntry> at(Path path, Work work);

    /** Returns every mount of this node, in the kernel's order. */
    List<MountEntry> table(Work work);

    /**
     * Binds one directory at another, without the mounts below it; the flags ({@code ro}, {@code noatime}, …) are in
     * force when it returns, which the mount table has confirmed. Does nothing if it is bound so already; flags of the
     * file system itself ({@code nfsvers=4}) are ignored.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code PublishConflict} if something else is mounted at the
     *     target, or the same with other flags
     */
    void bind(Path source, Path target, List<String> flags, Work work);

    /**
     * Unmounts everything at the path, all layers; does nothing if nothing is mounted there.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InUse} while a process works there
     */
    void unmount(Path target, Work work);

    /** Makes the directory and its parents (mode 0750) if missing; a symbolic link in its place is refused. */
    void makeDirectory(Path path, Work work);

    /**
     * Removes an empty directory, or an empty file over which a device was bound; does nothing if it is missing. Never
     * recursive, since that would delete the data of a leftover mount.
     */
    void removeDirectory(Path path, Work work);

    /** Returns the bytes and inodes of the file system at the path. */
    Usage usage(Path path, Work work);

    /**
     * Holds one line of {@code /proc/self/mountinfo}.
     *
     * @param device {@code major:minor} of the file system
     * @param root the directory of that file system which is visible here
     * @param options per-mount options
     */
    record MountEntry(
            int id,
            int parent,
            String device,
            String root,
            String mountPoint,
            List<String> options,
            String fsType,
            String source,
            List<String> superOptions) {
        public MountEntry {
            options = List.copyOf(options);
            superOptions = List.copyOf(superOptions);
        }

        public boolean readOnly() {
            return options.contains("ro");
        }

        /** Returns whether both mounts show the same directory of the same file system. */
        public boolean showsSameAs(MountEntry other) {
            return device.equals(other.device) && root.equals(other.root);
        }
    }

    /** @param totalInodes 0 if the file system does not count them */
    record Usage(
            long totalBytes, long availableBytes, long usedBytes, long totalInodes, long freeInodes, long usedInodes) {}
}
