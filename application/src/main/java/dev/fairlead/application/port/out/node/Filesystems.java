package dev.fairlead.application.port.out.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.format.DeviceFindings;
import dev.fairlead.domain.format.Emptiness;
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

    /**
     * Grows a mounted file system to the size of its device, and verifies it; does nothing if it fills the device.
     *
     * @throws dev.fairlead.domain.failure.StorageException {@code NodeFault} if it could not be grown,
     *     {@code Unsupported} if the type cannot grow
     */
    void grow(Path device, String type, Path mountPoint, Work work);
}
