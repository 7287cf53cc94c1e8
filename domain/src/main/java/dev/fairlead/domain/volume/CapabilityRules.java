package dev.fairlead.domain.volume;

import dev.fairlead.domain.failure.Excerpt;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Says which access modes, access types and file system types a connection serves.
 *
 * @param modes the access modes, for file systems and devices alike; if there are none, nothing is served
 * @param mount whether a volume may be a mounted file system
 * @param block whether a volume may be a raw device
 * @param fsTypes the file system types that a caller may name; naming none is always right
 * @param rawModes further access modes of a raw device, under which a file system on it would break
 */
public record CapabilityRules(
        Set<AccessMode> modes, boolean mount, boolean block, Set<String> fsTypes, Set<AccessMode> rawModes) {
    /** The types that nodes make, check and grow. */
    private static final Set<String> DISK_FILESYSTEMS = Set.of("btrfs", "ext3", "ext4", "xfs");

    /** Further types that democratic-csi makes; nodes mount them if they are there. */
    private static final Set<String> FOUND_FILESYSTEMS = Set.of("exfat", "ext4dev", "ntfs", "vfat");

    public CapabilityRules {
        modes = Set.copyOf(modes);
        fsTypes = Set.copyOf(fsTypes);
        rawModes = Set.copyOf(rawModes);
    }

    /** Creates rules with the same modes for file systems and devices. */
    public CapabilityRules(Set<AccessMode> modes, boolean mount, boolean block, Set<String> fsTypes) {
        this(modes, mount, block, fsTypes, Set.of());
    }

    /**
     * Returns the rules for a directory of the node itself: there is nothing to format, so no file system type may be
     * named, and every mode is served, since topology keeps the volume on one node.
     */
    public static CapabilityRules localHostpath() {
        return new CapabilityRules(EnumSet.allOf(AccessMode.class), true, false, Set.of());
    }

    /**
     * Returns the rules for a file system that is shared or mounted as it is: nothing is formatted, every mode is
     * served.
     */
    public static CapabilityRules files(Set<String> fsTypes) {
        return new CapabilityRules(EnumSet.allOf(AccessMode.class), true, false, fsTypes);
    }

    /**
     * Returns the rules for a block device that several nodes can reach, raw or with a file system of its own. Two
     * nodes that write to one such file system destroy it; to a raw device they may write.
     */
    public static CapabilityRules sharedDevices() {
        Set<AccessMode> several = EnumSet.of(AccessMode.MULTI_NODE_MULTI_WRITER);
        return new CapabilityRules(
                EnumSet.complementOf(EnumSet.copyOf(several)), true, true, DISK_FILESYSTEMS, several);
    }

    /** Returns the rules for a block device that topology keeps on one node: every mode is served. */
    public static CapabilityRules ownDevices() {
        return new CapabilityRules(EnumSet.allOf(AccessMode.class), true, true, DISK_FILESYSTEMS);
    }

    /** Returns these rules with the access modes of a file's {@code csi.access_modes}, which replace all others. */
    public CapabilityRules withModes(Set<AccessMode> replacement) {
        return new CapabilityRules(replacement, mount, block, fsTypes);
    }

    /** Returns why one of these is not served, and what is; empty if all are. */
    public Optional<String> objection(List<VolumeCapability> capabilities) {
        return capabilities.stream().flatMap(c -> objection(c).stream()).findFirst();
    }

    /**
     * Returns why one of these is not served for a volume that has content already, and what is; empty if all are. Its
     * file system may be one that nodes mount and do not make.
     */
    public Optional<String> objectionToFound(List<VolumeCapability> capabilities) {
        if (!block || !mount) {
            return objection(capabilities);
        }
        Set<String> found = new TreeSet<>(fsTypes);
        found.addAll(FOUND_FILESYSTEMS);
        return new CapabilityRules(modes, true, true, found, rawModes).objection(capabilities);
    }

    /** Returns why this is not served, and what is; empty if it is. */
    public Optional<String> objection(VolumeCapability capability) {
        boolean raw = capability.isBlock();
        return objection(capability.access()).or(() -> objection(capability.mode(), raw));
    }

    private Optional<String> objection(VolumeCapability.AccessType access) {
        return switch (access) {
            case VolumeCapability.Block()
            when !block ->
                Optional.of("access_type block is not served by this connection (expected: mount);"
                        + " use a claim with volumeMode Filesystem");
            case VolumeCapability.Block() -> Optional.empty();
            case VolumeCapability.Mount _
            when !mount ->
                Optional.of("access_type mount is not served by this connection (expected: block);"
                        + " use a claim with volumeMode Block");
            case VolumeCapability.Mount mounted -> fsTypeObjection(mounted.fsType());
        };
    }

    private Optional<String> fsTypeObjection(String fsType) {
        if (fsType.isEmpty() || fsTypes.contains(fsType)) {
            return Optional.empty();
        }
        String expected = fsTypes.isEmpty()
                ? "none; leave csi.storage.k8s.io/fstype out of the StorageClass"
                : String.join(", ", new TreeSet<>(fsTypes));
        return Optional.of(
                "fs_type " + Excerpt.of(fsType) + " is not served by this connection (expected: " + expected + ")");
    }

    private Optional<String> objection(AccessMode mode, boolean raw) {
        if (modes.contains(mode) || (raw && rawModes.contains(mode))) {
            return Optional.empty();
        }
        String expected = modes.isEmpty() ? "none, csi.access_modes is empty" : new TreeSet<>(modes).toString();
        return Optional.of("access_mode " + mode + " is not served by this connection (expected: " + expected + ")");
    }
}
