package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The node's mount table. Calls may hang in the kernel (a dead server); each answers within its deadline all the same,
 * by leaving the kernel call behind on a thread of a bounded pool.
 */
public interface Mounter {
    /** What is mounted exactly at this path: the topmost entry where several are stacked. */
    Optional<MountEntry> at(Path path, Work work);

    /** Every mount of this node, in the kernel's order. */
    List<MountEntry> table(Work work);

    /**
     * Binds one directory at another, recursively nothing, with the given flags ({@code ro}, {@code noatime}, …) in
     * force when it returns; the mount table has been read back. Binding what is bound so already is done; flags that
     * are the file system's own ({@code nfsvers=4}) are passed over.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code PublishConflict} where something else is mounted at
     *     the target, or the same with other flags
     */
    void bind(Path source, Path target, List<String> flags, Work work);

    /**
     * Unmounts whatever is at the path, all layers; nothing mounted is done.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InUse} while a process works there
     */
    void unmount(Path target, Work work);

    /** Makes the directory and its parents (mode 0750) if missing; a symbolic link in its place is refused. */
    void makeDirectory(Path path, Work work);

    /**
     * Removes an empty directory, or an empty file over which a device was bound; missing is done. Never recursive: a
     * leftover mount would lose data.
     */
    void removeDirectory(Path path, Work work);

    /** Bytes and inodes of the file system at the path. */
    Usage usage(Path path, Work work);

    /**
     * One line of {@code /proc/self/mountinfo}.
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

        /** Whether both show the same directory of the same file system. */
        public boolean showsSameAs(MountEntry other) {
            return device.equals(other.device) && root.equals(other.root);
        }
    }

    /** @param totalInodes 0 where the file system does not count them */
    record Usage(
            long totalBytes, long availableBytes, long usedBytes, long totalInodes, long freeInodes, long usedInodes) {}
}
