package dev.fairlead.domain.volume;

import dev.fairlead.domain.attachment.AttachmentCodec;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds the keys of the notes that the application keeps with a volume. A store maps those that a peer knows to the
 * peer's own names (ZFS user properties) and keeps the others as they are.
 */
public final class Notes {
    /** The note of the name that a volume's iSCSI target has beside its base. */
    public static final String ISCSI_TARGET = "iscsi-asset";

    /** The note of the name that a volume's NVMe-oF subsystem has beside its base. */
    public static final String NVMEOF_SUBSYSTEM = "nvmeof-asset";

    /**
     * Prefix of the notes of the ids and names that a TrueNAS gave what exports a volume, such as
     * {@code freenas/nfs_share_id}.
     */
    public static final String FREENAS_PREFIX = "freenas/";

    /** The note of the number that a TrueNAS gave the volume's NFS share. */
    public static final String FREENAS_NFS_SHARE = FREENAS_PREFIX + "nfs_share_id";

    /** Digest of what shapes the volume; compared when a CreateVolume is repeated. */
    public static final String DIGEST = "digest";

    /** Prefix of the entries of the volume_context, which stays the same for the volume's life. */
    public static final String CONTEXT_PREFIX = "context/";

    /** Prefix of the entries of the volume_context that say which driver made the volume, however it is attached. */
    public static final String PROVISIONER_PREFIX = CONTEXT_PREFIX + "provisioner_";

    private Notes() {}

    /** Returns the volume_context that was noted; empty if none was. */
    public static Map<String, String> contextOf(Map<String, String> notes) {
        Map<String, String> context = new TreeMap<>();
        notes.forEach((key, value) -> {
            if (key.startsWith(CONTEXT_PREFIX)) {
                context.put(key.substring(CONTEXT_PREFIX.length()), value);
            }
        });
        return context;
    }

    /** Says whether a volume_context was noted by which a node can attach the volume. */
    public static boolean saysHowToAttach(Map<String, String> notes) {
        return notes.containsKey(CONTEXT_PREFIX + AttachmentCodec.NODE_ATTACH_DRIVER);
    }

    /** Returns a volume_context as notes. */
    public static Map<String, String> ofContext(Map<String, String> context) {
        Map<String, String> notes = new TreeMap<>();
        context.forEach((key, value) -> notes.put(CONTEXT_PREFIX + key, value));
        return notes;
    }
}
