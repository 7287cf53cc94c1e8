package dev.fairlead.application.port.out.export;

import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.volume.CapabilityRules;
import dev.fairlead.domain.volume.VolumeMedium;
import java.util.Set;

/**
 * Says what the exporters of one factory can do, before any of them is opened.
 *
 * @param accepts the kind of medium that they export
 * @param attachment the type of attachment that nodes get
 * @param capabilities the volume capabilities that their volumes support, unless a connection's file limits them
 * @param nodeLocal whether the volumes are reachable from one node only, which has the storage itself
 * @param accessControl whether access can be limited to single nodes, under some settings at least
 * @param parameters the StorageClass keys that they understand
 */
public record ExporterTraits(
        VolumeMedium.Kind accepts,
        Class<? extends Attachment> attachment,
        CapabilityRules capabilities,
        boolean nodeLocal,
        boolean accessControl,
        Set<String> parameters) {
    public ExporterTraits {
        parameters = Set.copyOf(parameters);
    }

    /** Describes exporters that read nothing from a class. */
    public ExporterTraits(
            VolumeMedium.Kind accepts,
            Class<? extends Attachment> attachment,
            CapabilityRules capabilities,
            boolean nodeLocal,
            boolean accessControl) {
        this(accepts, attachment, capabilities, nodeLocal, accessControl, Set.of());
    }

    /** Returns the same for exporters that read these keys from a class. */
    public ExporterTraits understanding(Set<String> keys) {
        return new ExporterTraits(accepts, attachment, capabilities, nodeLocal, accessControl, keys);
    }

    /**
     * Returns whether the node takes part if a volume grows: it grows the file system on a device, and the volume
     * itself if the storage is its own.
     */
    public boolean nodeExpands() {
        return nodeLocal || accepts == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    /** Describes files that several nodes reach over a network. */
    public static ExporterTraits sharedFiles(
            Class<? extends Attachment> attachment, CapabilityRules capabilities, boolean accessControl) {
        return new ExporterTraits(VolumeMedium.Kind.FILESYSTEM, attachment, capabilities, false, accessControl);
    }

    /** Describes block devices that several nodes reach over a network, and whose targets tell nodes apart. */
    public static ExporterTraits sharedDevices(Class<? extends Attachment> attachment) {
        return new ExporterTraits(
                VolumeMedium.Kind.BLOCK_DEVICE, attachment, CapabilityRules.sharedDevices(), false, true);
    }
}
