package dev.fairlead.application.port.out.node;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.health.MountFacts;
import dev.fairlead.domain.health.MountTrouble;
import dev.fairlead.domain.health.Silence;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and changes the node's mount table. A call may hang in the kernel (a dead server); it returns within its
 * deadline all the same, and leaves the kernel call behind on a thread of a bounded pool.
 */
public interface Mounter extends Mounts {
    /**
     * Binds one directory at another, without the mounts below it; the flags ({@code ro}, {@code noatime}, …) are in
     * force when it returns, which the mount table has confirmed. Does nothing if it is bound so already; flags of the
     * file system itself ({@code nfsvers=4}) are ignored.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code MountConflict} if something else is mounted at the
     *     target, or the same with other flags
     */
    void bind(Attached.Directory source, Path target, List<String> flags, Work work);

    /** Binds a directory that is given by its path; the same rules hold. */
    default void bind(Path source, Path target, List<String> flags, Work work) {
        bind(Attached.Directory.of(source), target, flags, work);
    }

    /**
     * Binds a device node over an empty file, which is made if missing. Does nothing if a node of the same device is
     * there already.
     *
     * @param device a device node, or a file over which one is bound
     * @throws dev.fairlead.domain.failure.StorageException {@code MountConflict} if something else is at the target
     */
    void bindDevice(Path device, Path target, List<String> flags, Work work);

    /**
     * Mounts a file system at a directory. Does nothing if the same one is mounted there already. A mount of a device
     * that takes longer than its caller waits goes on without it, and is neither begun anew nor disturbed: whoever asks
     * for the path or the device meanwhile is told so, and the next call for the same mount how it has ended.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code MountConflict} if something else is mounted at the
     *     target; {@code MountFailed} if kernel or server refuse; {@code TimedOut} if they do not answer;
     *     {@code OperationPending} if it goes on
     */
    void mount(Filesystem filesystem, Path target, Work work);

    /**
     * Returns the file system at the path as {@link #mount} of this process was asked for it, so that it can be mounted
     * anew with all its options; empty if another process mounted or unmounted it, or if it took an input, which is not
     * kept. It stays known after {@link #unmountLazily}, until something is mounted there or {@link #unmount} was asked
     * for.
     */
    Optional<Filesystem> mounted(Path target, Work work);

    /**
     * Unmounts everything at the path, all layers; does nothing if nothing is mounted there.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InUse} while a process works there
     */
    void unmount(Path target, Work work);

    /**
     * Takes everything at the path out of the mount table at once, also while a server does not answer. Whoever still
     * has files open there keeps them; so this is only for a mount that nobody uses any more.
     */
    void unmountLazily(Path target, Work work);

    /**
     * Asks the file system at the path whether it still answers, within a short time of its own.
     *
     * @return empty if it does; else how it does not
     */
    Optional<Silence> silence(Path path, Work work);

    /**
     * Returns what is wrong with a mounted volume though its file system answers, and what of that cannot be told.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NodeFault} if it does not answer within a short time
     */
    default List<MountTrouble> troubles(MountEntry mount, Work work) {
        return List.of();
    }

    /** Returns whether an earlier {@link #silence} still hangs there. One that came back late has been answered. */
    boolean isAskedInVain(Path path);

    /** Makes the directory and its parents (mode 0750) if missing; a symbolic link in its place is refused. */
    void makeDirectory(Path path, Work work);

    /**
     * Removes an empty directory, or an empty file over which a device was bound; does nothing if it is missing. Never
     * recursive, since that would delete the data of a leftover mount.
     */
    void removeDirectory(Path path, Work work);

    /** Returns the bytes and inodes of the file system at the path. */
    Usage usage(Path path, Work work);

    private static Optional<String> serverOf(String type, String source) {
        if (namesPathOfServer(type)) {
            return Optional.of(source.substring(0, Math.max(source.indexOf(":/"), 0)))
                    .filter(it -> !it.isEmpty());
        }
        return type.equals("cifs") || type.equals("smb3")
                ? Optional.of(source.replaceFirst("^//([^/]*).*", "$1"))
                : Optional.empty();
    }

    private static boolean namesPathOfServer(String type) {
        return MountEntry.NFS.contains(type) || type.equals("lustre");
    }

    /**
     * Describes a file system to mount.
     *
     * @param type as the kernel calls it, such as {@code nfs} or {@code ext4}
     * @param source a device node, {@code server:path} or whatever else the type takes
     * @param options all options, in the order in which the mount program gets them; never a secret
     * @param input what the mount program reads from its standard input, for a secret that it needs
     */
    record Filesystem(String type, String source, List<String> options, Optional<Secret> input) {
        public Filesystem {
            options = List.copyOf(options);
        }

        public static Filesystem of(String type, String source, List<String> options) {
            return new Filesystem(type, source, options, Optional.empty());
        }

        /** Returns the server of a share, as it is named here; empty for what is no share. */
        public Optional<String> server() {
            return serverOf(type, source);
        }
    }

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
        private static final Set<String> NFS = Set.of("nfs", "nfs4");

        public MountEntry {
            options = List.copyOf(options);
            superOptions = List.copyOf(superOptions);
        }

        /** Returns whether this is a bind mount of a device node over a file. */
        public boolean isDeviceNode() {
            return fsType.equals("devtmpfs") && !root.equals("/");
        }

        /** Returns whether a block device of this node is behind the mount. */
        public boolean isOfDevice() {
            return isDeviceNode() || source.startsWith("/dev/");
        }

        /**
         * Returns whether it shows a directory of what is on a block device, and not all of it: the device is that of
         * the file system in which the directory lies, as of a pool's disk, and no volume of its own.
         */
        public boolean isPartOfDevice() {
            return isOfDevice() && !isDeviceNode() && !root.equals("/");
        }

        /** Returns whether the directory that it shows was removed while it is mounted. */
        public boolean isRemoved() {
            return root.endsWith("//deleted"); // no directory has such a path
        }

        public boolean readOnly() {
            return options.contains("ro");
        }

        /** Returns whether both mounts show the same directory of the same file system. */
        public boolean showsSameAs(MountEntry other) {
            return device.equals(other.device)
                    && root.equals(other.root)
                    && (!isOfShares() || source.equals(other.source));
        }

        /**
         * Returns whether the other mount shows this one's directory or one below it, as kubelet mounts a subPath of a
         * volume.
         */
        public boolean holds(MountEntry other) {
            return device.equals(other.device)
                    && (isOfShares() ? isBelow(source, other.source) : isBelow(root, other.root));
        }

        private static boolean isBelow(String directory, String path) {
            return path.equals(directory) || path.startsWith(directory.endsWith("/") ? directory : directory + "/");
        }

        /**
         * Returns whether only the source tells which directory it shows: shares of one server may be one file system
         * there, and their mounts all have the root {@code /}.
         */
        private boolean isOfShares() {
            return namesPathOfServer(fsType);
        }

        public boolean isNfs() {
            return NFS.contains(fsType);
        }

        /** Returns the server of a share, as its mount names it; empty for what is no share. */
        public Optional<String> server() {
            return serverOf(fsType, source);
        }

        public MountFacts facts() {
            return new MountFacts(mountPoint, fsType, options, superOptions);
        }
    }

    /** @param totalInodes 0 if the file system does not count them */
    record Usage(
            long totalBytes, long availableBytes, long usedBytes, long totalInodes, long freeInodes, long usedInodes) {}
}
