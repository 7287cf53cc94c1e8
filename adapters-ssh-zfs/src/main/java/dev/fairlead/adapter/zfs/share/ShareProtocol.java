package dev.fairlead.adapter.zfs.share;

import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.zfs.dataset.DatasetName;

/** What a dataset can be shared by; see {@code sharenfs} and {@code sharesmb} in zfsprops(7). */
enum ShareProtocol {
    NFS("nfs", "sharenfs") {
        @Override
        Attachment attachment(String server, DatasetName dataset, String mountpoint) {
            return new Attachment.Nfs(server, mountpoint);
        }
    },
    SMB("smb", "sharesmb") {
        @Override
        Attachment attachment(String server, DatasetName dataset, String mountpoint) {
            return new Attachment.Smb(server, ShareNames.of(dataset));
        }
    };

    private final String block;
    private final String property;

    ShareProtocol(String block, String property) {
        this.block = block;
        this.property = property;
    }

    /** The block of the connection's file. */
    String block() {
        return block;
    }

    String property() {
        return property;
    }

    abstract Attachment attachment(String server, DatasetName dataset, String mountpoint);
}
