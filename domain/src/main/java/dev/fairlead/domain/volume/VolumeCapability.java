package dev.fairlead.domain.volume;

import java.util.List;

/** Says how a volume is to be used: as a file system or a raw block device, by whom, and with which mount flags. */
public record VolumeCapability(Access access, AccessMode mode) {

    /** Says as what the volume appears to its user. */
    public sealed interface Access {}

    /** The volume is mounted; an empty file system type leaves the choice to the driver. */
    public record Mount(String fsType, List<String> flags) implements Access {
        public Mount {
            flags = List.copyOf(flags);
        }
    }

    /** The volume is a raw device. */
    public record Block() implements Access {}
}
