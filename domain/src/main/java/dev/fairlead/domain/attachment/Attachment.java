package dev.fairlead.domain.attachment;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Describes what a node needs to reach a volume. {@link AttachmentCodec} writes it as the {@code volume_context}. */
public sealed interface Attachment {
    /** Names a directory of the node itself by the path under which the node sees it. */
    record HostPath(String path) implements Attachment {
        public HostPath {
            requireAbsolute("path", path);
        }
    }

    /**
     * Names an NFS export.
     *
     * @param server a name or address
     * @param share the exported path
     */
    record Nfs(String server, String share) implements Attachment {
        public Nfs {
            requireText("server", server);
            requireAbsolute("share", share);
        }
    }

    /**
     * Names an SMB share.
     *
     * @param share the share's name, without slashes
     */
    record Smb(String server, String share) implements Attachment {
        public Smb {
            requireText("server", server);
            requireText("share", share);
        }
    }

    /**
     * Names a directory of a Lustre file system.
     *
     * @param server the network ids of the management servers, divided by colons
     * @param share the file system's name after a slash, and perhaps folders below it
     */
    record Lustre(String server, String share) implements Attachment {
        public Lustre {
            requireText("server", server);
            requireAbsolute("share", share);
        }
    }

    /**
     * Names a LUN of an iSCSI target.
     *
     * @param portal {@code host:port}
     * @param portals further portals, for multipath
     * @param initiatorInterface the {@code iface} of open-iscsi to log in with; empty for the default
     */
    record Iscsi(String portal, List<String> portals, String initiatorInterface, String iqn, int lun)
            implements Attachment {
        public Iscsi {
            portals = List.copyOf(portals);
            requireText("iqn", iqn);
            requireNumber("lun", lun);
        }
    }

    /**
     * Names a namespace of an NVMe-oF subsystem.
     *
     * @param transport a URI such as {@code tcp://10.0.0.1:4420}; empty if only {@code transports} are given
     * @param transports further transports, for multipath
     */
    record Nvmeof(String transport, List<String> transports, String nqn, int nsid) implements Attachment {
        public Nvmeof {
            transports = List.copyOf(transports);
            requireText("nqn", nqn);
            requireNumber("nsid", nsid);
        }

        /** Returns the same namespace, by ways that have these options in the place of their own. */
        public Nvmeof with(Map<NvmeOption, String> options) {
            return new Nvmeof(
                    with(transport, options),
                    transports.stream().map(way -> with(way, options)).toList(),
                    nqn,
                    nsid);
        }

        private static String with(String way, Map<NvmeOption, String> options) {
            String with = way;
            for (Map.Entry<NvmeOption, String> option : new TreeMap<>(options).entrySet()) {
                with = with.isEmpty() ? with : option.getKey().in(with, option.getValue());
            }
            return with;
        }
    }

    /** Names a dataset or volume of the node's own pool by its full name. */
    record ZfsLocal(String asset) implements Attachment {
        public ZfsLocal {
            requireText("zfs_asset_name", asset);
        }
    }

    /**
     * Names an image of the node's own pool by the path under which the node sees it: a file that becomes a block
     * device. A pool's directories are named by {@link HostPath}.
     */
    record LocalPool(String path) implements Attachment {
        public LocalPool {
            requireAbsolute("path", path);
        }
    }

    private static void requireText(String key, String value) {
        if (value.isBlank() || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(key + ": is empty or has control characters (expected: a text)");
        }
    }

    private static void requireAbsolute(String key, String value) {
        if (!value.startsWith("/") || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(key + ": '" + value + "' (expected: an absolute path)");
        }
    }

    private static void requireNumber(String key, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(key + ": " + value + " (expected: 0 or more)");
        }
    }
}
