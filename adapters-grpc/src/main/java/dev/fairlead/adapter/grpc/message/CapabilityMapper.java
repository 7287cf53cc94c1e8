package dev.fairlead.adapter.grpc.message;

import dev.fairlead.domain.capacity.CapacityRange;
import dev.fairlead.domain.volume.AccessMode;
import dev.fairlead.domain.volume.VolumeCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Decodes how a volume is to be used and how large it may be. */
public final class CapabilityMapper {
    private static final Pattern GROUP = Pattern.compile("[0-9]{0,10}");

    private CapabilityMapper() {}

    /** Decodes capabilities, of which there has to be at least one. */
    public static List<VolumeCapability> required(String field, List<csi.v1.VolumeCapability> capabilities) {
        if (capabilities.isEmpty()) {
            throw FieldChecks.invalid(field, "is missing (expected: at least one capability)");
        }
        return all(field, capabilities);
    }

    public static List<VolumeCapability> all(String field, List<csi.v1.VolumeCapability> capabilities) {
        List<VolumeCapability> decoded = new ArrayList<>(capabilities.size());
        for (int i = 0; i < capabilities.size(); i++) {
            decoded.add(one(field + "[" + i + "]", capabilities.get(i)));
        }
        return decoded;
    }

    /** Decodes the capability of a request that has exactly one. */
    public static VolumeCapability required(boolean given, csi.v1.VolumeCapability capability) {
        if (!given) {
            throw FieldChecks.invalid("volume_capability", "is missing (expected: a capability)");
        }
        return one("volume_capability", capability);
    }

    public static VolumeCapability one(String field, csi.v1.VolumeCapability capability) {
        AccessMode mode = mode(field + ".access_mode", capability);
        return switch (capability.getAccessTypeCase()) {
            case BLOCK -> new VolumeCapability(new VolumeCapability.Block(), mode);
            case MOUNT -> new VolumeCapability(mount(field + ".mount", capability.getMount()), mode);
            case ACCESSTYPE_NOT_SET ->
                throw FieldChecks.invalid(field + ".access_type", "is missing (expected: block or mount)");
        };
    }

    private static VolumeCapability.Mount mount(String field, csi.v1.VolumeCapability.MountVolume mount) {
        String group = FieldChecks.text(field + ".volume_mount_group", mount.getVolumeMountGroup(), FieldChecks.TEXT);
        if (!GROUP.matcher(group).matches()) {
            throw FieldChecks.invalid(field + ".volume_mount_group", "is no number (expected: that of a group)");
        }
        return new VolumeCapability.Mount(
                FieldChecks.text(field + ".fs_type", mount.getFsType(), FieldChecks.TEXT),
                FieldChecks.flags(field + ".mount_flags", mount.getMountFlagsList()),
                group);
    }

    private static AccessMode mode(String field, csi.v1.VolumeCapability capability) {
        if (!capability.hasAccessMode()) {
            throw FieldChecks.invalid(field, "is missing (expected: an access mode)");
        }
        return switch (capability.getAccessMode().getMode()) {
            case SINGLE_NODE_WRITER -> AccessMode.SINGLE_NODE_WRITER;
            case SINGLE_NODE_READER_ONLY -> AccessMode.SINGLE_NODE_READER_ONLY;
            case MULTI_NODE_READER_ONLY -> AccessMode.MULTI_NODE_READER_ONLY;
            case MULTI_NODE_SINGLE_WRITER -> AccessMode.MULTI_NODE_SINGLE_WRITER;
            case MULTI_NODE_MULTI_WRITER -> AccessMode.MULTI_NODE_MULTI_WRITER;
            case SINGLE_NODE_SINGLE_WRITER -> AccessMode.SINGLE_NODE_SINGLE_WRITER;
            case SINGLE_NODE_MULTI_WRITER -> AccessMode.SINGLE_NODE_MULTI_WRITER;
            case UNKNOWN -> throw FieldChecks.invalid(field, "is UNKNOWN (expected: one of CSI's access modes)");
            case UNRECOGNIZED ->
                throw FieldChecks.invalid(
                        field,
                        capability.getAccessMode().getModeValue()
                                + " is not known here (expected: one of CSI's access modes)");
        };
    }

    /** Decodes the sizes that a caller accepts; a range that is given has to have at least one size. */
    public static CapacityRange range(boolean given, csi.v1.CapacityRange range) {
        if (!given) {
            return CapacityRange.ANY;
        }
        if (range.getRequiredBytes() == 0 && range.getLimitBytes() == 0) {
            throw FieldChecks.invalid("capacity_range", "both sizes are zero (expected: at least one)");
        }
        return CapacityRange.of(range.getRequiredBytes(), range.getLimitBytes());
    }
}
