package dev.fairlead.domain.health;

import java.util.List;

/**
 * Holds what the mount table says of a volume's mount.
 *
 * @param options of this mount alone
 * @param superOptions of the file system, for all of its mounts
 */
public record MountFacts(String mountPoint, String fsType, List<String> options, List<String> superOptions) {
    private static final String READ_ONLY = "ro";

    public MountFacts {
        options = List.copyOf(options);
        superOptions = List.copyOf(superOptions);
    }

    /**
     * Returns whether the file system is read-only, and its mount is not. Who mounts for reading makes both so; the
     * kernel changes only the file system after an error ({@code errors=remount-ro}), or marks it (ext4 since 6.15).
     */
    boolean isForcedReadOnly() {
        boolean readOnly = superOptions.contains(READ_ONLY) || superOptions.contains("emergency_ro");
        return readOnly && !options.contains(READ_ONLY) && !isDeviceNode();
    }

    /** Returns whether it was mounted for reading alone. */
    boolean isForReading() {
        return options.contains(READ_ONLY);
    }

    boolean isShutDown() {
        return superOptions.contains("shutdown");
    }

    /** Returns whether this is the mount of a raw device, whose options are those of {@code /dev}. */
    private boolean isDeviceNode() {
        return fsType.equals("devtmpfs");
    }
}
