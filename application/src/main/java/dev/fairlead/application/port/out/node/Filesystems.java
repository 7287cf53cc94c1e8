package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.Emptiness;
import dev.fairlead.domain.format.FormatGuard.Born;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at block devices of this node, and makes, checks and grows the file systems on them. */
public interface Filesystems {
    /** Returns the types that this node can make and mount. */
    Set<String> types();

    /**
     * Reads what is on a device, directly from it and not from a cache or from udev.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NodeFault} if any of it cannot be read: a device that
     *     cannot be read is never taken for an empty one
     */
    DeviceFindings probe(Path device, Work work);

    /**
     * Returns a text by which a device is told from others that may come to be at its path: its size and the numbers
     * that its maker or the kernel gave it.
     */
    String identity(Path device, Work work);

    /**
     * Returns a digest of what {@link #probe} reads to prove that a device is empty, also if it is not: as long as the
     * digest is the same, nobody has written there.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NodeFault} if any of it cannot be read
     */
    String digest(Path device, Work work);

    /**
     * Returns the partition of a device that has the highest number; empty if the node shows none, also after a moment
     * in which the kernel may still read the partition table.
     */
    Optional<Path> lastPartition(Path device, Work work);

    /** Says of which device this one is a partition; empty if it is none. */
    Optional<Partition> partition(Path device, Work work);

    /**
     * Lets a device be written on this node, or lets nobody write to it, and verifies that. It holds for all paths to
     * the device and for whoever opens it from now on.
     */
    void writable(Path device, boolean writable, Work work);

    /**
     * Refuses mount options by which a mount would do something else, or give up what protects the node.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code InvalidRequest}, which names the field
     */
    void checkOptions(String field, List<String> options);

    /**
     * Checks a file system that is not mounted before it is mounted, and repairs what its own program repairs without
     * asking. What the kernel repairs while it mounts is left to it.
     *
     * @param born what the volume held when it was made: a copy may have the UUID of a file system that is mounted
     * @throws dev.fairlead.domain.failure.StorageException {@code MountFailed} if it is damaged further, or cannot be
     *     mounted beside another one that this node has mounted; {@code NotChecked} if the check has not taken place,
     *     as of a device that is in use
     */
    void check(Path device, String type, Optional<String> uuid, Born born, Work work);

    /**
     * Returns what uses a device, in words: a mount in any mount namespace of the node, or another device that is made
     * of it; empty if nothing does.
     */
    Optional<String> user(Path device, Work work);

    /**
     * Forgets how programs on a device or its partitions ended whose callers did not wait for it, so that none of them
     * is taken for a look at what is on it now. For the moment in which the device is given back, and others may write
     * to it; it may be gone already.
     */
    void forgetFailures(Path device);

    /** Returns the size of a device in bytes. */
    long size(Path device, Work work);

    /**
     * Makes a file system on a device that is proved empty. Never forced.
     *
     * @return the UUID of the new file system, if its type has one
     */
    Optional<String> format(Path device, String type, Emptiness proof, Work work);

    /** Returns the options that a mount of this type needs in addition ({@code nouuid} for XFS). */
    List<String> mountOptions(String type);

    /** Returns the options by which a mount of this type writes nothing at all to its device, its journal included. */
    List<String> readingOptions(String type);

    /**
     * Grows a mounted file system to the size of its device, and verifies it; does nothing if it fills the device.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NodeFault} if it could not be grown,
     *     {@code Unsupported} if the type cannot grow
     */
    void grow(Path device, String type, Path mountPoint, Work work);

    /**
     * Describes a partition.
     *
     * @param disk the device of which it is a part
     * @param behind the number of bytes of that device behind its end
     */
    record Partition(Path disk, long behind) {}
}
