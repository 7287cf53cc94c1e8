package dev.fairlead.adapter.zfs.host;

import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.zfs.dataset.DatasetName;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** Lists the protocols by which a dataset can be shared; see {@code sharenfs} and {@code sharesmb} in zfsprops(7). */
public enum ShareProtocol {
    NFS("nfs", "sharenfs") {
        @Override
        public Attachment attachment(String server, DatasetName dataset, String mountpoint) {
            return new Attachment.Nfs(server, mountpoint);
        }
    },
    SMB("smb", "sharesmb") {
        @Override
        public Attachment attachment(String server, DatasetName dataset, String mountpoint) {
            return new Attachment.Smb(server, ShareNames.of(dataset));
        }
    };

    private final String block;
    private final String property;

    ShareProtocol(String block, String property) {
        this.block = block;
        this.property = property;
    }

    /** Returns the protocol of a property that shares a dataset. */
    public static Optional<ShareProtocol> of(Collection<String> properties) {
        return Arrays.stream(values())
                .filter(protocol -> properties.contains(protocol.property))
                .findFirst();
    }

    /** Returns the name of the connection file's block. */
    public String block() {
        return block;
    }

    public String property() {
        return property;
    }

    public abstract Attachment attachment(String server, DatasetName dataset, String mountpoint);
}
