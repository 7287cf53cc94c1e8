package dev.fairlead.domain.attachment;

import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes attachments as the entries of a {@code volume_context}, spelled as democratic-csi spells them, and reads them.
 */
public final class AttachmentCodec {
    /** The key of the protocol, by which the node chooses its attacher. */
    public static final String NODE_ATTACH_DRIVER = "node_attach_driver";

    private static final String SERVER = "server";
    private static final String SHARE = "share";
    private static final String PORTAL = "portal";
    private static final String PORTALS = "portals";
    private static final String INTERFACE = "interface";
    private static final String TRANSPORT = "transport";
    private static final String TRANSPORTS = "transports";

    private AttachmentCodec() {}

    public static Map<String, String> encode(Attachment attachment) {
        return switch (attachment) {
            case Attachment.HostPath(String path) -> Map.of(NODE_ATTACH_DRIVER, "hostpath", "path", path);
            case Attachment.Nfs(String server, String share) ->
                Map.of(NODE_ATTACH_DRIVER, "nfs", SERVER, server, SHARE, share);
            case Attachment.Smb(String server, String share) ->
                Map.of(NODE_ATTACH_DRIVER, "smb", SERVER, server, SHARE, share);
            case Attachment.Lustre(String server, String share) ->
                Map.of(NODE_ATTACH_DRIVER, "lustre", SERVER, server, SHARE, share);
            case Attachment.Iscsi target ->
                Map.of(
                        NODE_ATTACH_DRIVER,
                        "iscsi",
                        PORTAL,
                        target.portal(),
                        PORTALS,
                        String.join(",", target.portals()),
                        INTERFACE,
                        target.initiatorInterface(),
                        "iqn",
                        target.iqn(),
                        "lun",
                        Integer.toString(target.lun()));
            case Attachment.Nvmeof subsystem ->
                Map.of(
                        NODE_ATTACH_DRIVER,
                        "nvmeof",
                        TRANSPORT,
                        subsystem.transport(),
                        TRANSPORTS,
                        String.join(",", subsystem.transports()),
                        "nqn",
                        subsystem.nqn(),
                        "nsid",
                        Integer.toString(subsystem.nsid()));
            case Attachment.ZfsLocal(String asset) -> Map.of(NODE_ATTACH_DRIVER, "zfs-local", "zfs_asset_name", asset);
            case Attachment.LocalPool(String path) -> Map.of(NODE_ATTACH_DRIVER, "local-pool", "path", path);
        };
    }

    /** Reads a context that Fairlead or democratic-csi wrote; other entries are ignored. */
    public static Attachment decode(Map<String, String> context) {
        String driver = required(context, NODE_ATTACH_DRIVER);
        try {
            return switch (driver) {
                case "hostpath" -> new Attachment.HostPath(required(context, "path"));
                case "nfs" -> new Attachment.Nfs(required(context, SERVER), required(context, SHARE));
                case "smb" -> new Attachment.Smb(required(context, SERVER), required(context, SHARE));
                case "lustre" -> new Attachment.Lustre(required(context, SERVER), required(context, SHARE));
                case "iscsi" ->
                    new Attachment.Iscsi(
                            context.getOrDefault(PORTAL, ""),
                            list(context, PORTALS),
                            context.getOrDefault(INTERFACE, ""),
                            required(context, "iqn"),
                            number(context, "lun"));
                case "nvmeof" ->
                    new Attachment.Nvmeof(
                            context.getOrDefault(TRANSPORT, ""),
                            list(context, TRANSPORTS),
                            required(context, "nqn"),
                            number(context, "nsid"));
                case "zfs-local" -> new Attachment.ZfsLocal(required(context, "zfs_asset_name"));
                case "local-pool" -> new Attachment.LocalPool(required(context, "path"));
                default ->
                    throw invalid(
                            NODE_ATTACH_DRIVER,
                            "'" + driver + "' is not a protocol that this node knows (expected: hostpath, nfs, smb,"
                                    + " lustre, iscsi, nvmeof, zfs-local or local-pool)");
            };
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            int colon = Math.max(message.indexOf(": "), 0);
            throw invalid(message.substring(0, colon), message.substring(Math.min(colon + 2, message.length())));
        }
    }

    /** Returns what this context lacks for a node to reach the volume; empty if it lacks nothing. */
    public static Optional<String> lack(Map<String, String> context) {
        try {
            return switch (decode(context)) {
                case Attachment.Iscsi target
                when target.portal().isBlank() && target.portals().isEmpty() -> Optional.of(PORTAL);
                case Attachment.Nvmeof subsystem
                when subsystem.transport().isBlank() && subsystem.transports().isEmpty() -> Optional.of(TRANSPORT);
                default -> Optional.empty();
            };
        } catch (StorageException incomplete) {
            return Optional.of(incomplete.failure().message());
        }
    }

    private static List<String> list(Map<String, String> context, String key) {
        return Arrays.stream(context.getOrDefault(key, "").split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private static int number(Map<String, String> context, String key) {
        String text = required(context, key);
        if (!text.matches("[0-9]{1,9}")) {
            throw invalid(key, "is not a number");
        }
        return Integer.parseInt(text);
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
