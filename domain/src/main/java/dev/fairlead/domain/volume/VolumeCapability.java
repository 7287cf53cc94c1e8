package dev.fairlead.domain.volume;

import java.util.List;
import java.util.stream.Stream;

/** Says how a volume is to be used: as a file system or a raw block device, by whom, and with which mount flags. */
public record VolumeCapability(AccessType access, AccessMode mode) {

    /** Says as what the volume appears to its user. */
    public sealed interface AccessType {}

    /**
     * The volume is mounted.
     *
     * @param fsType empty: the driver chooses
     * @param group the number of the group that may read and write all files; empty if none is asked for
     */
    public record Mount(String fsType, List<String> flags, String group) implements AccessType {
        public Mount {
            flags = List.copyOf(flags);
        }

        /** Describes a mount for no group. */
        public Mount(String fsType, List<String> flags) {
            this(fsType, flags, "");
        }

        /** Returns the same mount with further flags after its own. */
        public Mount with(List<String> further) {
            return new Mount(
                    fsType, Stream.concat(flags.stream(), further.stream()).toList(), group);
        }
    }

    /** The volume is a raw device. */
    public record Block() implements AccessType {}

    public boolean isBlock() {
        return access instanceof Block;
    }

    /** Returns the file system type that is asked for; empty if that is left to the driver. */
    public String fsType() {
        return access instanceof Mount mount ? mount.fsType() : "";
    }

    /** Returns the mount flags of the volume; none for a raw device. */
    public List<String> mountFlags() {
        return access instanceof Mount mount ? mount.flags() : List.of();
    }

    /** Returns the number of the group that may read and write all files; empty if none is asked for. */
    public String group() {
        return access instanceof Mount mount ? mount.group() : "";
    }

    /** Returns the same capability with further mount flags after its own; a raw device gets none. */
    public VolumeCapability with(List<String> flags) {
        return access instanceof Mount mount ? new VolumeCapability(mount.with(flags), mode) : this;
    }
}
