package dev.fairlead.domain.attachment;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Map;

/**
 * Attachments as the entries of a {@code volume_context}, spelled as democratic-csi spells them (reference 02 §2.1).
 */
public final class AttachmentCodec {
    /** Names the protocol; the node chooses its attacher by it. */
    public static final String NODE_ATTACH_DRIVER = "node_attach_driver";

    private AttachmentCodec() {}

    public static Map<String, String> encode(Attachment attachment) {
        return switch (attachment) {
            case Attachment.HostPath(String path) -> Map.of(NODE_ATTACH_DRIVER, "hostpath", "path", path);
        };
    }

    /** Reads a context that Fairlead or democratic-csi wrote; other entries are passed over. */
    public static Attachment decode(Map<String, String> context) {
        String driver = required(context, NODE_ATTACH_DRIVER);
        return switch (driver) {
            case "hostpath" -> hostPath(required(context, "path"));
            default ->
                throw invalid(
                        NODE_ATTACH_DRIVER,
                        "'" + driver + "' is not a protocol that this node knows (expected: hostpath)");
        };
    }

    private static Attachment hostPath(String path) {
        if (!path.startsWith("/") || path.indexOf('\0') >= 0) {
            throw invalid("path", "is not an absolute path");
        }
        return new Attachment.HostPath(path);
    }

    private static String required(Map<String, String> context, String key) {
        String value = context.getOrDefault(key, "");
        if (value.isEmpty()) {
            throw invalid(key, "is missing; the volume_context does not come from this driver");
        }
        return value;
    }

    private static StorageException invalid(String key, String why) {
        return new StorageException(new Failure.InvalidRequest("volume_context." + key, why));
    }
}
